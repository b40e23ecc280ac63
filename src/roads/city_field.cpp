// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "roads/city_streets.hpp"

namespace fogline::roads::sketch {
namespace {

constexpr double cell_m = 40;
constexpr double margin_m = 200;
constexpr int columns = static_cast<int>(2 * (half_width_m + margin_m) / cell_m) + 2;
constexpr int rows = static_cast<int>(2 * (half_height_m + margin_m) / cell_m) + 2;

Point doubled(Point direction) {
  return {direction.x_m * direction.x_m - direction.y_m * direction.y_m, 2 * direction.x_m * direction.y_m};
}

Point halved(Point doubled_angle) {
  const double size = norm(doubled_angle);
  if (size == 0) return {1, 0};
  const double cosine = doubled_angle.x_m / size;
  const double x = std::sqrt(std::max(0.0, (1 + cosine) / 2));
  const double y = std::sqrt(std::max(0.0, (1 - cosine) / 2));
  return {x, doubled_angle.y_m < 0 ? -y : y};
}

struct Guide {
  Point at;
  Point doubled_angle;
  double strength = 0;
  double range_m = 1;
};

void add_line(const Line& line, double strength, double range_m, std::vector<Guide>& guides) {
  constexpr std::size_t stride = 4;
  for (std::size_t i = stride; i < line.size(); i += stride) {
    guides.push_back({line[i], doubled(unit(line[i] - line[i - stride])), strength, range_m});
  }
}

std::vector<Guide> guides_of(const Plan& plan, Dice dice) {
  std::vector<Guide> guides;
  for (const Stroke& road : plan.main_roads()) {
    add_line(road.line, road.road_class == RoadClass::primary ? 1.0 : 0.8, 130, guides);
  }
  add_line(plan.motorway(), 1.0, 160, guides);
  // Districts: each a grid of its own direction, felt a few hundred metres around its middle.
  constexpr int districts = 46;
  for (int i = 0; i < districts; ++i) {
    const Point at{dice.in(-half_width_m, half_width_m), dice.in(-half_height_m, half_height_m)};
    const Turn turn = Turn::half_tangent(dice.in(-0.42, 0.42));
    guides.push_back({at, doubled({turn.cosine, turn.sine}), 9, 330});
  }
  return guides;
}

Point blend(Point p, const std::vector<Guide>& guides) {
  Point sum;
  for (const Guide& guide : guides) {
    const Point apart = p - guide.at;
    const double near = 1 / (1 + dot(apart, apart) / (guide.range_m * guide.range_m));
    sum = sum + guide.doubled_angle * (guide.strength * near * near * near);
  }
  return sum;
}

}  // namespace

StreetField::StreetField(const Plan& plan, const random::Key& key) {
  const auto guides = guides_of(plan, Dice(key.stream("city districts")));
  const Noise noise(key.stream("city noise", 20).next64(), 260);
  doubled_.reserve(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const Point p{column * cell_m - half_width_m - margin_m, row * cell_m - half_height_m - margin_m};
      const double bank = std::max(0.0, plan.bank_distance_m(p));
      const double near_river = 1 / (1 + bank * bank / (220.0 * 220.0));
      const Point sum = blend(p, guides) + doubled(plan.river_direction(p)) * (9 * near_river * near_river);
      // The old town is crooked; elsewhere streets wander only a little.
      const double crooked = plan.off_centre_m(p) < 750 ? 0.24 : 0.10;
      doubled_.push_back(Turn::half_tangent(crooked * noise(p))(unit(sum)));
    }
  }
}

Point StreetField::along(Point p) const {
  const double x = std::clamp((p.x_m + half_width_m + margin_m) / cell_m, 0.0, columns - 1.001);
  const double y = std::clamp((p.y_m + half_height_m + margin_m) / cell_m, 0.0, rows - 1.001);
  const auto column = static_cast<std::size_t>(x);
  const auto row = static_cast<std::size_t>(y);
  const double fx = x - static_cast<double>(column);
  const double fy = y - static_cast<double>(row);
  const std::size_t at = row * static_cast<std::size_t>(columns) + column;
  const std::size_t above = at + static_cast<std::size_t>(columns);
  const Point low = doubled_[at] * (1 - fx) + doubled_[at + 1] * fx;
  const Point high = doubled_[above] * (1 - fx) + doubled_[above + 1] * fx;
  return halved(low * (1 - fy) + high * fy);
}

}  // namespace fogline::roads::sketch
