// SPDX-License-Identifier: Apache-2.0
#include "traces/frame/trip_set.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"

namespace fogline::traces {
namespace {

struct Left {
  std::uint64_t outside = 0, cut = 0, short_trips = 0;
};

/// Takes over trip i as far as the bounds reach.
void take(const mobility::Trips& trips, std::size_t i, const std::vector<PlanePoint>& plane,
          const std::vector<char>& inside, const TripBounds& bounds, TripSet& set, Left& left) {
  const std::size_t begin = set.point.size();
  double length = 0;
  bool cut = false;
  for (std::uint64_t p = trips.offset[i]; p < trips.offset[i + 1] && !cut; ++p) {
    if (inside[p] == 0) {
      ++left.outside;
      continue;
    }
    if (set.point.size() > begin) {
      length += std::hypot(plane[p].x - set.point.back().x, plane[p].y - set.point.back().y);
      cut =
          (bounds.max_length_m > 0 && length > bounds.max_length_m) ||
          (bounds.max_duration_s > 0 && trips.has_time && trips.t[p] - set.t[begin] > bounds.max_duration_s);
      if (cut) break;
    }
    set.point.push_back(plane[p]);
    if (trips.has_time) set.t.push_back(trips.t[p]);
  }
  left.cut += cut ? 1 : 0;
  if (set.point.size() < begin + 2) {
    set.point.resize(begin);
    if (trips.has_time) set.t.resize(begin);
    ++left.short_trips;
    return;
  }
  set.end_trip();
  if (!trips.user.empty()) set.user.push_back(trips.user[i]);
}

void tell(const Left& left, const FileSpot& file, Warnings& warnings) {
  if (left.outside > 0) warnings.add("points outside the area left out", file, left.outside);
  if (left.cut > 0) warnings.add("trips cut at the longest length or duration allowed", file, left.cut);
  if (left.short_trips > 0)
    warnings.add("trips with fewer than two points in the area left out", file, left.short_trips);
}

}  // namespace

TripSet trips_in_frame(const mobility::Trips& trips, const Frame& frame, const TripBounds& bounds,
                       Warnings& warnings) {
  if (trips.plane != (frame.unit() == Frame::Unit::metres))
    throw InvalidOption("area", trips.plane ? "is in degrees but the trips are in metres; add `plane`"
                                            : "is in metres but the trips are in degrees");
  std::vector<PlanePoint> plane(trips.point_count());
  std::vector<char> inside(trips.point_count());
  constexpr std::size_t points_a_task = 4096;  // a projection takes less than handing it to a thread
  parallel_for(plane.size(), {.threads = 0, .grain = points_a_task}, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) {
      inside[p] = frame.contains(trips.lon[p], trips.lat[p]) ? 1 : 0;
      if (inside[p] == 0) continue;
      const geometry::PointXY at = frame.inward({trips.lon[p], trips.lat[p]});
      plane[p] = {static_cast<float>(at.x_m), static_cast<float>(at.y_m)};
    }
  });
  TripSet set;
  Left left;
  for (std::size_t i = 0; i < trips.size(); ++i) take(trips, i, plane, inside, bounds, set, left);
  tell(left, {trips.source}, warnings);
  if (set.size() == 0 && !bounds.may_be_none)
    throw DataError({trips.source}, "no trip has two points in the area",
                    "check `area`, and the order of longitude and latitude");
  return set;
}

void begin_on_first_day(TripSet& trips) {
  constexpr std::int64_t day_s = 86'400;
  for (std::size_t i = 0; trips.has_time() && i < trips.size(); ++i) {
    const std::int64_t start = trips.t[trips.offset[i]];
    const std::int64_t midnight = start - (start % day_s + day_s) % day_s;
    for (std::uint64_t p = trips.offset[i]; p < trips.offset[i + 1]; ++p) trips.t[p] -= midnight;
  }
}

std::uint64_t cut_off(TripSet& trips, std::int64_t max_duration_s) {
  if (!trips.has_time()) return 0;
  std::uint64_t cut = 0, to = 0;
  for (std::size_t i = 0; i < trips.size(); ++i) {
    const std::uint64_t begin = trips.offset[i], end = trips.offset[i + 1], first = to;
    const std::int64_t latest = trips.t[begin] + max_duration_s;
    std::uint64_t p = begin;
    for (; p < end && (p < begin + 2 || trips.t[p] <= latest); ++p, ++to) {
      trips.point[to] = trips.point[p];
      trips.t[to] = trips.t[p];
    }
    cut += p < end ? 1 : 0;
    trips.offset[i] = first;
  }
  trips.offset.back() = to;
  trips.point.resize(to);
  trips.t.resize(to);
  return cut;
}

}  // namespace fogline::traces
