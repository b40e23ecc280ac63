// SPDX-License-Identifier: Apache-2.0
#include "traces/paper/penalties.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"

namespace fogline::traces {
namespace {

using Eigen::Index;
using geometry::PointXY;

constexpr int most_ways = 4;  // a point goes in one step: out of one area into another, over a corner

void require_penalty(bool good, const char* name, const char* problem) {
  if (!good) throw InvalidOption(name, problem);
}

bool finite(const PointXY& p) {
  return std::isfinite(p.x_m) && std::isfinite(p.y_m);
}

void check(const ClosedDisc& disc) {
  require_penalty(finite(disc.centre) && disc.radius_m > 0 && std::isfinite(disc.radius_m), "disc",
                  "must have a finite centre and a radius above 0");
}

void check(const Ring& ring) {
  require_penalty(ring.size() >= 3 && std::all_of(ring.begin(), ring.end(), finite), "ring",
                  "must have three corners or more, all finite");
}

PointXY nearest_on(const PointXY& a, const PointXY& b, const PointXY& p) {
  const double x = b.x_m - a.x_m, y = b.y_m - a.y_m, square = x * x + y * y;
  const double along = square > 0 ? ((p.x_m - a.x_m) * x + (p.y_m - a.y_m) * y) / square : 0;
  const double share = std::clamp(along, 0.0, 1.0);
  return {a.x_m + share * x, a.y_m + share * y};
}

WayOut towards(const PointXY& from, const PointXY& to) {
  const double x = to.x_m - from.x_m, y = to.y_m - from.y_m, far = std::hypot(x, y);
  if (far == 0) return {};
  return {.depth_m = far, .x = x / far, .y = y / far};
}

PointXY point_at(const TripVectors& trips, Index trip, Index column) {
  return {trips.mean[column] + static_cast<double>(trips.rows(trip, column)),
          trips.mean[column + 1] + static_cast<double>(trips.rows(trip, column + 1))};
}

/// Calls use(trip, column of its x) for every point.
template <class Use>
void for_each_point(const TripVectors& trips, const Use& use) {
  for (Index trip = 0; trip < trips.rows.rows(); ++trip)
    for (Index column = 0; column < trips.rows.cols(); column += trips.per_point()) use(trip, column);
}

}  // namespace

WayOut way_out(const ClosedDisc& disc, const PointXY& point) {
  const double x = point.x_m - disc.centre.x_m, y = point.y_m - disc.centre.y_m, from = std::hypot(x, y);
  if (from >= disc.radius_m) return {};
  if (from == 0) return {.depth_m = disc.radius_m, .x = 1, .y = 0};  // all ways are equally long
  return {.depth_m = disc.radius_m - from, .x = x / from, .y = y / from};
}

WayOut way_out(const Ring& ring, const PointXY& point) {
  bool inside = false;
  WayOut best{.depth_m = HUGE_VAL};
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const PointXY &a = ring[i], &b = ring[(i + 1) % ring.size()];
    if ((a.y_m > point.y_m) != (b.y_m > point.y_m) &&
        point.x_m < a.x_m + (point.y_m - a.y_m) / (b.y_m - a.y_m) * (b.x_m - a.x_m))
      inside = !inside;
    const WayOut way = towards(point, nearest_on(a, b, point));
    if (way.depth_m < best.depth_m) best = way;
  }
  return inside ? best : WayOut{};
}

WayOut way_out(const ClosedArea& area, const PointXY& point) {
  return std::visit([&](const auto& shape) { return way_out(shape, point); }, area.shape);
}

WayOut way_out(const BoxBounds& box, const PointXY& point) {
  return towards(point, {std::clamp(point.x_m, box.west_m, box.east_m),
                         std::clamp(point.y_m, box.south_m, box.north_m)});
}

Penalties::Penalties(std::vector<ClosedArea> closed, std::optional<BoxBounds> bounds)
    : closed_(std::move(closed)), bounds_(bounds) {
  for (const ClosedArea& area : closed_) {
    std::visit([](const auto& shape) { check(shape); }, area.shape);
    require_penalty(area.factor > 0 && std::isfinite(area.factor), "factor", "must be above 0 and finite");
  }
  if (!bounds_) return;
  require_penalty(bounds_->west_m < bounds_->east_m && bounds_->south_m < bounds_->north_m &&
                      finite({bounds_->west_m, bounds_->south_m}) &&
                      finite({bounds_->east_m, bounds_->north_m}),
                  "bounds", "must be a box that is not empty");
  require_penalty(bounds_->factor > 0 && std::isfinite(bounds_->factor), "factor",
                  "must be above 0 and finite");
}

void Penalties::multiply(double by) {
  for (ClosedArea& area : closed_) area.factor *= by;
  if (bounds_) bounds_->factor *= by;
}

template <class Use>
void Penalties::for_each_way(const PointXY& point, const Use& use) const {
  for (const ClosedArea& area : closed_) {
    const WayOut way = way_out(area, point);
    if (way.depth_m > 0) use(way, area.factor);
  }
  if (!bounds_) return;
  const WayOut way = way_out(*bounds_, point);
  if (way.depth_m > 0) use(way, bounds_->factor);
}

void Penalties::add_gradient(const TripVectors& trips, Vectors& gradient) const {
  for_each_point(trips, [&](Index trip, Index column) {
    for_each_way(point_at(trips, trip, column), [&](const WayOut& way, double factor) {
      gradient(trip, column) -= static_cast<float>(factor * way.x);
      gradient(trip, column + 1) -= static_cast<float>(factor * way.y);
    });
  });
}

void Penalties::step(TripVectors& trips, double learning_rate) const {
  if (none()) return;
  for_each_point(trips, [&](Index trip, Index column) {
    double left = learning_rate;  // a way shorter than the step leaves a part of it for another
    for (int way_number = 0; way_number < most_ways && left > 0; ++way_number)
      left = move_out(trips, trip, column, left);
  });
}

/// Along all ways out of where a point is; returns the part of the learning rate that was not needed, or 0 if all is done.
double Penalties::move_out(TripVectors& trips, Index trip, Index column, double learning_rate) const {
  const PointXY point = point_at(trips, trip, column);
  double left = learning_rate;
  bool moved = false;
  for_each_way(point, [&](const WayOut& way, double factor) {
    // Beyond what rounding to float takes back.
    const double beyond = 1e-6 * (std::abs(point.x_m) + std::abs(point.y_m) + std::abs(trips.mean[column]) +
                                  std::abs(trips.mean[column + 1]) + way.depth_m);
    const double far = std::min(learning_rate * factor, way.depth_m + beyond);
    trips.rows(trip, column) += static_cast<float>(far * way.x);
    trips.rows(trip, column + 1) += static_cast<float>(far * way.y);
    left = std::min(left, learning_rate - far / factor);
    moved = true;
  });
  return moved ? left : 0;
}

std::uint64_t Penalties::violations(const TripVectors& trips) const {
  std::uint64_t count = 0;
  for_each_point(trips, [&](Index trip, Index column) {
    bool wrong = false;
    for_each_way(point_at(trips, trip, column), [&](const WayOut&, double) { wrong = true; });
    count += wrong ? 1 : 0;
  });
  return count;
}

std::uint64_t Penalties::violations(const TripSet& trips) const {
  std::uint64_t count = 0;
  for (const PlanePoint& p : trips.point) {
    bool wrong = false;
    for_each_way({static_cast<double>(p.x), static_cast<double>(p.y)},
                 [&](const WayOut&, double) { wrong = true; });
    count += wrong ? 1 : 0;
  }
  return count;
}

}  // namespace fogline::traces
