// SPDX-License-Identifier: Apache-2.0
#include "geometry/projection.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "geometry/geodesic.hpp"

namespace fogline::geometry {
namespace {

// Half the Earth's circumference, rounded up: nothing lies further from the centre.
constexpr double farthest_m = 20'037'508.35;
constexpr double radians_per_degree = std::numbers::pi / 180;

void check(const LonLat& position) {
  if (!is_valid(position)) {
    throw InvalidOption("position", "must have longitude -180 to 180 and latitude -90 to 90 degrees");
  }
}

ParallelOptions with_grain(ParallelOptions options) {
  options.grain = std::max<std::size_t>(options.grain, 1024);
  return options;
}

}  // namespace

LocalProjection::LocalProjection(const LonLat& centre) : ellipsoid_(wgs84()), centre_(centre) {
  check(centre);
}

PointXY LocalProjection::forward(const LonLat& position) const {
  check(position);
  double distance_m = 0;
  double azimuth = 0;
  geod_inverse(&ellipsoid_, centre_.lat, centre_.lon, position.lat, position.lon, &distance_m, &azimuth,
               nullptr);
  const double angle = azimuth * radians_per_degree;
  return {distance_m * std::sin(angle), distance_m * std::cos(angle)};
}

LonLat LocalProjection::inverse(const PointXY& point) const {
  const double distance_m = std::hypot(point.x_m, point.y_m);
  // Written so that NaN fails the comparison.
  if (!(distance_m <= farthest_m)) {
    throw InvalidOption("point", "must be finite and at most 20,037 km from the plane's centre");
  }
  const double azimuth = std::atan2(point.x_m, point.y_m) / radians_per_degree;
  LonLat position;
  geod_direct(&ellipsoid_, centre_.lat, centre_.lon, azimuth, distance_m, &position.lat, &position.lon,
              nullptr);
  return position;
}

std::vector<PointXY> LocalProjection::forward(std::span<const LonLat> positions,
                                              const ParallelOptions& options) const {
  std::vector<PointXY> points(positions.size());
  parallel_for(points.size(), with_grain(options), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) points[i] = forward(positions[i]);
  });
  return points;
}

std::vector<LonLat> LocalProjection::inverse(std::span<const PointXY> points,
                                             const ParallelOptions& options) const {
  std::vector<LonLat> positions(points.size());
  parallel_for(positions.size(), with_grain(options), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) positions[i] = inverse(points[i]);
  });
  return positions;
}

}  // namespace fogline::geometry
