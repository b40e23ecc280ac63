// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "roads/city_plan.hpp"

namespace fogline::roads::sketch {

/// Things at points of the map, found by place: a raster of buckets. Results come in a fixed order.
template <typename Thing>
class Cells {
 public:
  explicit Cells(double cell_m)
      : cell_m_(cell_m),
        columns_(static_cast<std::int64_t>(2 * (half_width_m + margin_m) / cell_m) + 1),
        rows_(static_cast<std::int64_t>(2 * (half_height_m + margin_m) / cell_m) + 1),
        buckets_(static_cast<std::size_t>(columns_ * rows_)) {}

  void add(Point at, const Thing& thing) {
    buckets_[bucket(column(at.x_m), row(at.y_m))].emplace_back(at, thing);
  }

  /// True if `wanted(point, thing)` holds for something within the distance.
  template <typename Wanted>
  bool any(Point p, double distance_m, Wanted&& wanted) const {
    const double square = distance_m * distance_m;
    for (std::int64_t r = row(p.y_m - distance_m); r <= row(p.y_m + distance_m); ++r) {
      for (std::int64_t c = column(p.x_m - distance_m); c <= column(p.x_m + distance_m); ++c) {
        for (const auto& [at, thing] : buckets_[bucket(c, r)]) {
          const Point apart = at - p;
          if (dot(apart, apart) < square && wanted(at, thing)) return true;
        }
      }
    }
    return false;
  }

  bool any_within(Point p, double distance_m) const {
    return any(p, distance_m, [](Point, const Thing&) { return true; });
  }

  template <typename Visit>
  void each(Point p, double distance_m, Visit&& visit) const {
    any(p, distance_m, [&](Point at, const Thing& thing) {
      visit(at, thing);
      return false;
    });
  }

 private:
  static constexpr double margin_m = 300;

  static std::int64_t clamped(double value, std::int64_t count) {
    if (!(value > 0)) return 0;
    const auto index = static_cast<std::int64_t>(value);
    return index < count ? index : count - 1;
  }
  std::int64_t column(double x_m) const {
    return clamped((x_m + half_width_m + margin_m) / cell_m_, columns_);
  }
  std::int64_t row(double y_m) const { return clamped((y_m + half_height_m + margin_m) / cell_m_, rows_); }
  std::size_t bucket(std::int64_t c, std::int64_t r) const {
    return static_cast<std::size_t>(r * columns_ + c);
  }

  double cell_m_;
  std::int64_t columns_;
  std::int64_t rows_;
  std::vector<std::vector<std::pair<Point, Thing>>> buckets_;
};

}  // namespace fogline::roads::sketch
