// SPDX-License-Identifier: Apache-2.0
#include "traces/invention/emit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

#include "base/grouped.hpp"
#include "traces/frame/trip_shape.hpp"
#include "traces/invention/curve.hpp"
#include "traces/invention/quick_random.hpp"

namespace fogline::traces {
namespace {

using Open = std::function<bool(const PlanePoint&)>;

/// What is settled of a trip before its points lie anywhere.
struct TripPlan {
  std::size_t points = 2;
  std::int64_t leaves = 0, takes_s = 0;  ///< where there are times
};

std::size_t count_points(const Outlines& outlines, std::size_t i) {
  const auto wanted = static_cast<std::size_t>(std::lround(outlines.length_m[i] / outlines.step_m[i])) + 1;
  // An outline has three nodes at least, so that there is something to move; a trip of two points leaves the middle one
  // out.
  return std::max<std::size_t>(2, wanted);
}

/// Places points along an outline and shakes them sideways, each by a share of the shorter stride beside it.
class Placer {
 public:
  Placer(const Outlines& outlines, const Beliefs& b, const CurveDrawer& strides, const Open& open)
      : outlines_(outlines),
        strides_(strides),
        open_(open),
        width_(static_cast<float>(b.layout.width_m)),
        height_(static_cast<float>(b.layout.height_m)),
        fine_(b.layout.fine) {}

  void place(std::size_t i, const TripPlan& plan, double shake, QuickRandom& random,
             std::span<PlanePoint> points) {
    const auto nodes = outlines_.trip(i);
    const bool at_nodes = points.size() == nodes.size();
    if (at_nodes && plan.takes_s == 0) {
      std::copy(nodes.begin(), nodes.end(), points.begin());
      return;
    }
    along_.assign(nodes.size(), 0);
    for (std::size_t k = 1; k < nodes.size(); ++k)
      along_[k] = along_[k - 1] + distance_m(nodes[k - 1], nodes[k]);
    at_.assign(points.size(), 0);
    for (std::size_t p = 1; p < points.size(); ++p)
      at_[p] = at_nodes ? along_[p] : at_[p - 1] + static_cast<double>(strides_.stride(random));
    if (plan.takes_s > 0) pass_at_whole_seconds(plan.takes_s);
    if (at_nodes) shake = 0;
    const double scale = along_.back() / at_.back();
    // Beside its way a trip may go half as fast again, not more.
    constexpr double half_a_stride = 0.5;
    const double most_aside = plan.takes_s > 0 ? half_a_stride : INFINITY;
    std::size_t leg = 1;
    for (std::size_t p = 0; p < points.size(); ++p) {
      const double where = at_[p] * scale;
      while (leg + 1 < nodes.size() && along_[leg] < where) ++leg;
      const double length = along_[leg] - along_[leg - 1];
      const double u = length > 0 ? std::clamp((where - along_[leg - 1]) / length, 0.0, 1.0) : 0;
      const double ux = nodes[leg].x - nodes[leg - 1].x, uy = nodes[leg].y - nodes[leg - 1].y;
      points[p] = {static_cast<float>(nodes[leg - 1].x + u * ux),
                   static_cast<float>(nodes[leg - 1].y + u * uy)};
      if (p == 0 || p + 1 == points.size() || !(length > 0) || shake <= 0) continue;
      const double stride = std::min(at_[p] - at_[p - 1], at_[p + 1] - at_[p]) * scale;
      const double share = std::clamp(shake * random.normal(), -most_aside, most_aside);
      const double aside = share * stride / length;
      const PlanePoint moved{std::clamp(points[p].x - static_cast<float>(aside * uy), 0.0F, width_),
                             std::clamp(points[p].y + static_cast<float>(aside * ux), 0.0F, height_)};
      // What refinement has counted stays so: a point is not shaken out of its cell.
      if (fine_cell(moved) == fine_cell(points[p]) && (!open_ || open_(moved))) points[p] = moved;
    }
    points.front() = nodes.front();
    points.back() = nodes.back();
  }

  /// Of the trip placed last.
  void tell_times(std::int64_t leaves, std::span<std::int64_t> times) const {
    for (std::size_t p = 0; p < times.size(); ++p) times[p] = leaves + static_cast<std::int64_t>(at_[p]);
  }

 private:
  /// Moves points along their way to where it is at whole seconds, each later than the one before: all steps are as
  /// fast as the trip. Were seconds rounded instead, or taken from long steps for short ones, cars would fly.
  void pass_at_whole_seconds(std::int64_t takes_s) {
    const auto seconds = static_cast<double>(takes_s);
    const double all = at_.back(), last = static_cast<double>(at_.size() - 1);
    for (std::size_t p = 1; p < at_.size(); ++p) {
      const double still = last - static_cast<double>(p);
      const double share = all > 0 ? at_[p] / all : static_cast<double>(p) / last;
      at_[p] = still > 0 ? std::clamp(std::round(share * seconds), at_[p - 1] + 1, seconds - still) : seconds;
    }
  }

  std::uint32_t fine_cell(const PlanePoint& p) const {
    const auto part = [](float at, float whole, std::uint32_t n) {
      return std::min(static_cast<std::uint32_t>(at / whole * static_cast<float>(n)), n - 1);
    };
    return part(p.y, height_, fine_) * fine_ + part(p.x, width_, fine_);
  }

  const Outlines& outlines_;
  const CurveDrawer& strides_;
  const Open& open_;
  float width_, height_;
  std::uint32_t fine_;
  std::vector<double> along_, at_;
};

void add_turns(std::span<const PlanePoint> way, std::array<double, Layout::turn_bins>& turns) {
  for (std::size_t p = 2; p < way.size(); ++p) {
    const double ax = way[p - 1].x - way[p - 2].x, ay = way[p - 1].y - way[p - 2].y;
    const double bx = way[p].x - way[p - 1].x, by = way[p].y - way[p - 1].y;
    const double angle = std::abs(std::atan2(ax * by - ay * bx, ax * bx + ay * by)) / std::numbers::pi;
    turns[std::min(static_cast<std::size_t>(angle * Layout::turn_bins), turns.size() - 1)] +=
        1 / static_cast<double>(way.size() - 2);
  }
}

/// How far points lie beside their outline, as a share of their strides: what makes turns most like those believed
/// without making trips longer than they shall be. One number for all trips, found by trying some on a sample.
double find_shake(const Outlines& outlines, const std::vector<TripPlan>& plans, const Beliefs& b,
                  Placer& placer, const random::PublicKey& key) {
  // From none to a whole stride, each 1.5 to 2 times the one before.
  constexpr std::array<double, 10> shares{0, 0.01, 0.02, 0.04, 0.08, 0.15, 0.25, 0.4, 0.6, 1};
  constexpr double longer = 1.02;             // that trips may get for it, in the mean: chosen, not derived
  constexpr std::size_t sampled_trips = 400;  // or up to twice as many: enough for one number
  constexpr double least_turns = 1e-9;        // trips of two points have none
  const double believed = std::accumulate(b.turns.begin(), b.turns.end(), 0.0);
  const std::size_t every = std::max<std::size_t>(1, outlines.size() / sampled_trips);
  double best = 0, least = INFINITY;
  std::vector<PlanePoint> points;
  // The same random numbers for all shares, so that they differ by the share alone.
  const QuickRandom same_for_all(key.stream("traces shake"));
  for (const double share : shares) {
    QuickRandom random = same_for_all;
    std::array<double, Layout::turn_bins> turns{};
    double before = 0, after = 0;
    for (std::size_t i = 0; i < outlines.size(); i += every) {
      points.resize(plans[i].points);
      placer.place(i, plans[i], share, random, points);
      add_turns(points, turns);
      before += length_m(outlines.trip(i));
      after += length_m(points);
    }
    const double total = std::accumulate(turns.begin(), turns.end(), 0.0);
    double miss = 0;
    for (std::size_t k = 0; k < turns.size(); ++k)
      miss += std::abs(turns[k] / std::max(total, least_turns) - b.turns[k] / believed);
    if (after > longer * before && share > 0) break;
    if (miss < least) {
      least = miss;
      best = share;
    }
  }
  return best;
}

/// Draws from a histogram by running sums.
std::uint32_t draw_bin(std::span<const double> bins, QuickRandom& random) {
  double at = random.uniform() * std::accumulate(bins.begin(), bins.end(), 0.0);
  std::uint32_t bin = 0;
  while (bin + 1 < bins.size() && at >= bins[bin]) {
    at -= bins[bin];
    ++bin;
  }
  return bin;
}

/// When a trip leaves, how long it takes at a speed that is believed for its length, and how many points it has: as
/// many as its steps ask for, unless it has fewer seconds. Times are whole seconds and rise, and how long a trip
/// takes matters more than how often it is told where it is.
TripPlan plan_trip(const Outlines& outlines, std::size_t i, const Beliefs& b, std::int64_t max_duration_s,
                   QuickRandom random) {
  constexpr double day_s = 86'400;
  constexpr double speeds_a_doubling = 2;  // bins of speeds are half powers of two: Layout::speed_edge
  TripPlan plan{.points = count_points(outlines, i)};
  if (b.hours.empty()) return plan;
  const double length = outlines.length_m[i];
  const double leave = (draw_bin(b.hours, random) + random.uniform()) * day_s / Layout::hour_bins;
  const std::uint32_t row = b.layout.length_class(length) * Layout::speed_bins;
  const std::uint32_t bin = draw_bin(std::span(b.speeds).subspan(row, Layout::speed_bins), random);
  const double speed = Layout::speed_edge(bin) * std::exp2(random.uniform() / speeds_a_doubling);
  // What is drawn is not quite as long as it shall be, and no faster for that; nor since seconds are whole.
  const double takes =
      std::clamp(std::ceil(length_m(outlines.trip(i)) / speed), 1.0, static_cast<double>(max_duration_s));
  plan.leaves = static_cast<std::int64_t>(leave);
  plan.takes_s = static_cast<std::int64_t>(takes);
  plan.points = std::min(plan.points, static_cast<std::size_t>(plan.takes_s) + 1);
  return plan;
}

/// Outlines lie in order of where they start. In which order trips are told must tell nothing, and any number of the
/// first ones be a fair sample: by Fisher and Yates.
std::vector<std::size_t> shuffle_order(std::size_t count, random::Stream stream) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[stream.below(i)]);
  return order;
}

void require_room(const std::vector<TripPlan>& plans, std::uint64_t most_points) {
  std::uint64_t points = 0;
  for (const TripPlan& plan : plans) {
    if (plan.points > most_points - points)
      throw TooManyPoints(fmt::format("the trips would have more than {} points", grouped(most_points)));
    points += plan.points;
  }
}

}  // namespace

TripSet emit(const Outlines& outlines, const Beliefs& b, const random::PublicKey& key,
             const EmitOptions& options) {
  const std::vector<std::size_t> order = shuffle_order(outlines.size(), key.stream("traces order"));
  const random::StreamFamily plan_streams = key.streams("traces times"),
                             streams = key.streams("traces points");
  std::vector<TripPlan> plans(outlines.size());
  // Every trip has streams of its own, by its number, so that threads and order change nothing.
  constexpr std::size_t trips_a_task = 256;
  const ParallelOptions parallel{.threads = options.parallel.threads, .grain = trips_a_task};
  parallel_for(outlines.size(), parallel, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      plans[i] = plan_trip(outlines, i, b, options.max_duration_s, QuickRandom(plan_streams.stream(i)));
  });
  require_room(plans, options.most_points);
  QuickRandom tables(key.stream("traces strides"));
  const CurveDrawer strides(b, tables);
  Placer first(outlines, b, strides, options.open);
  const double shake = find_shake(outlines, plans, b, first, key);
  TripSet set;
  set.offset.resize(outlines.size() + 1);
  for (std::size_t k = 0; k < order.size(); ++k) set.offset[k + 1] = set.offset[k] + plans[order[k]].points;
  set.point.resize(set.offset.back());
  if (!b.hours.empty()) set.t.resize(set.point.size());
  ProgressMeter meter(options.progress, "placing points", outlines.size());
  parallel_for(outlines.size(), parallel, [&](std::size_t begin, std::size_t end) {
    Placer placer(outlines, b, strides, options.open);
    for (std::size_t k = begin; k < end; ++k) {
      const std::size_t i = order[k];
      QuickRandom random(streams.stream(i));
      const auto points = std::span(set.point).subspan(set.offset[k], plans[i].points);
      placer.place(i, plans[i], shake, random, points);
      if (set.has_time())
        placer.tell_times(plans[i].leaves, std::span(set.t).subspan(set.offset[k], points.size()));
    }
    meter.advance(end - begin);
  });
  meter.finish();
  return set;
}

}  // namespace fogline::traces
