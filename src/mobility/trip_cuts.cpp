// SPDX-License-Identifier: Apache-2.0
#include "mobility/trip_cuts.hpp"

#include "base/error.hpp"

namespace fogline::mobility {
namespace {

/// Fills trips point by point from those of another set.
class TripWriter {
 public:
  explicit TripWriter(const Trips& from) : from_(from) {
    made_.source = from.source;
    made_.plane = from.plane;
    made_.has_time = from.has_time;
    made_.user_name = from.user_name;
    made_.warnings = from.warnings;
    made_.offset = {0};
  }
  void add(std::uint64_t point, std::int64_t t) {
    made_.lon.push_back(from_.lon[point]);
    made_.lat.push_back(from_.lat[point]);
    if (from_.has_time) made_.t.push_back(t);
  }
  void add(std::uint64_t point) { add(point, from_.has_time ? from_.t[point] : 0); }
  /// Ends a trip, if it has points. It belongs to the given one of the other set.
  void end(std::size_t trip) {
    if (made_.lon.size() == made_.offset.back()) return;
    if (made_.lon.size() == made_.offset.back() + 1) ++made_.one_point_trips;
    made_.offset.push_back(made_.lon.size());
    made_.name.push_back(from_.name[trip]);
    if (!from_.user.empty()) made_.user.push_back(from_.user[trip]);
  }
  Trips finish() && { return std::move(made_); }

 private:
  const Trips& from_;
  Trips made_;
};

void check(const Trips& trips, const RegularSteps& options) {
  if (!trips.has_time) throw InvalidOption("step-s", "needs trips with times");
  if (options.step_s < 0 || options.step_s > 1'000'000)
    throw InvalidOption("step-s", "must lie between 1 and 1,000,000 seconds");
  if (options.gap_s < 0) throw InvalidOption("gap-s", "must not be negative");
  if (options.step_s > 0 && options.gap_s < options.step_s)
    throw InvalidOption("gap-s", "must be at least one step");
}

}  // namespace

Trips inside(const Trips& trips, const geometry::BoundingBox& box) {
  if (trips.plane) throw InvalidOption("within", "needs trips in degrees");
  TripWriter writer(trips);
  for (std::size_t trip = 0; trip < trips.size(); ++trip) {
    for (std::uint64_t p = trips.offset[trip]; p < trips.offset[trip + 1]; ++p) {
      if (box.contains({trips.lon[p], trips.lat[p]})) {
        writer.add(p);
      } else {
        writer.end(trip);
      }
    }
    writer.end(trip);
  }
  Trips cut = std::move(writer).finish();
  if (cut.size() == 0) throw InvalidOption("within", "no point lies in it");
  return cut;
}

Trips at_regular_steps(const Trips& trips, const RegularSteps& options) {
  check(trips, options);
  TripWriter writer(trips);
  for (std::size_t trip = 0; trip < trips.size(); ++trip) {
    std::int64_t tick = 0;
    for (std::uint64_t p = trips.offset[trip]; p < trips.offset[trip + 1]; ++p) {
      const bool is_first = p == trips.offset[trip];
      const bool is_gap = !is_first && options.gap_s > 0 && trips.t[p] - trips.t[p - 1] > options.gap_s;
      if (is_gap) writer.end(trip);
      if (is_first || is_gap) tick = trips.t[p];
      const bool is_last = p + 1 == trips.offset[trip + 1];
      if (options.step_s == 0) {
        writer.add(p);
        continue;
      }
      // A point holds until the next one comes; before a gap and at the end it holds for its own moment alone.
      const bool holds = !is_last && trips.t[p + 1] - trips.t[p] <= options.gap_s;
      const std::int64_t until = holds ? trips.t[p + 1] : trips.t[p] + 1;
      for (; tick < until; tick += options.step_s) writer.add(p, tick);
    }
    writer.end(trip);
  }
  return std::move(writer).finish();
}

}  // namespace fogline::mobility
