// SPDX-License-Identifier: Apache-2.0
#include "roads/city_streets.hpp"

#include <algorithm>
#include <limits>

#include "roads/city_cells.hpp"

namespace fogline::roads::sketch {
namespace {

/// One class of street: how far apart, where, and how long.
struct Level {
  RoadClass road_class = RoadClass::residential;
  double spacing_m = 0;      ///< 0: taken from the density of the town
  double least_density = 0;  ///< of the town, where such streets may run
  double shortest_m = 0;
  double longest_m = 0;
  double motorway_gap_m = 0;  ///< how near to the motorway they may come; 0: they cross under it
};

constexpr double quay_m = 28;      ///< no street nearer to the water
constexpr double parallel = 0.72;  ///< cosine from which two directions count as parallel

class StreetDrawer {
 public:
  StreetDrawer(const Plan& plan, const StreetField& field, const random::Key& key)
      : plan_(plan),
        field_(field),
        dice_(key.stream("city streets")),
        stretch_(key.stream("city noise", 21).next64(), 700),
        near_motorway_(80) {
    for (const Stroke& road : plan.main_roads()) add(road);
    for (const Point p : plan.motorway()) near_motorway_.add(p, 0);
  }

  void draw(const Level& level) {
    level_ = level;
    // Streets drawn in this loop seed further ones: the list grows until the town is full.
    for (std::size_t i = 0; i < strokes_.size(); ++i) seed_from(i);
  }

  std::vector<Stroke> take() { return std::move(strokes_); }

 private:
  struct Sample {
    std::uint32_t stroke = 0;
    std::uint32_t index = 0;
  };

  double spacing(Point p, bool across) const {
    double gap = level_.spacing_m;
    if (gap == 0) {
      const double density = plan_.density(p);
      gap = plan_.off_centre_m(p) < 700 ? 43 : 50 + 34 * (1 - std::clamp(density * 1.5, 0.0, 1.0));
      if (plan_.industry().reach(p) < 1) gap = 120;
      if (plan_.campus().reach(p) < 1) gap = 85;
    }
    // Blocks are longer than broad, more so in some districts.
    return across ? gap * (1.42 + 0.4 * stretch_(p)) : gap;
  }

  bool allowed(Point p) const {
    if (!Plan::on_map(p, 30) || plan_.bank_distance_m(p) < quay_m) return false;
    if (plan_.density(p) < level_.least_density) return false;
    for (const Point interchange : plan_.interchanges()) {
      if (norm(interchange - p) < 330) return false;
    }
    return level_.motorway_gap_m == 0 || !near_motorway_.any_within(p, level_.motorway_gap_m);
  }

  /// True if no street of about this direction runs within the distance.
  bool clear(Point p, Point direction, double distance_m) const {
    return !samples_.any(p, distance_m, [&](Point at, const Sample& sample) {
      (void)at;
      return std::abs(dot(direction, tangent(sample))) > parallel;
    });
  }

  Point tangent(const Sample& sample) const {
    const Line& line = strokes_[sample.stroke].line;
    const std::size_t i = sample.index;
    return unit(line[std::min(i + 1, line.size() - 1)] - line[i > 0 ? i - 1 : 0]);
  }

  void seed_from(std::size_t stroke) {
    const Line line = strokes_[stroke].line;
    const std::size_t stride = 3;
    for (std::size_t i = dice_.below(stride); i < line.size(); i += stride) {
      const Point direction = tangent({static_cast<std::uint32_t>(stroke), static_cast<std::uint32_t>(i)});
      const bool across = std::abs(dot(direction, field_.along(line[i]))) < 0.7;
      const double gap = spacing(line[i], across) * dice_.in(1.0, 1.3);
      try_street(line[i] + left_of(direction) * gap, across);
      try_street(line[i] - left_of(direction) * gap, across);
      try_street(line[i], !across);
    }
  }

  void try_street(Point seed, bool across) {
    if (!allowed(seed)) return;
    const double gap = spacing(seed, across);
    if (!clear(seed, direction(seed, across), gap * 0.97)) return;
    const double longest = level_.longest_m * dice_.in(0.25, 1);
    Line back = trace(seed, across, -1, longest / 2);
    const Line ahead = trace(seed, across, 1, longest / 2);
    std::reverse(back.begin(), back.end());
    back.push_back(seed);
    back.insert(back.end(), ahead.begin(), ahead.end());
    if (length_m(back) < std::max(gap * 0.9, level_.shortest_m)) return;
    run_on(back, gap);
    std::reverse(back.begin(), back.end());
    run_on(back, gap);
    add({std::move(back), class_of(seed), false, false, {}});
  }

  RoadClass class_of(Point p) {
    if (level_.road_class != RoadClass::residential) return level_.road_class;
    if (plan_.industry().reach(p) < 1) return RoadClass::unclassified;
    if (plan_.campus().reach(p) < 1) return RoadClass::service;
    const double living = plan_.off_centre_m(p) < 650 ? 0.16 : 0.03;
    return dice_.chance(living) ? RoadClass::living_street : RoadClass::residential;
  }

  Point direction(Point p, bool across) const {
    const Point along = field_.along(p);
    return across ? left_of(along) : along;
  }

  Line trace(Point from, bool across, double sign, double longest_m) const {
    Line line;
    Point heading = direction(from, across) * sign;
    Point at = from;
    for (double done = 0; done < longest_m; done += line_step_m) {
      Point half = direction(at + heading * (line_step_m / 2), across);
      if (dot(half, heading) < 0) half = half * -1;
      // A sharp change of direction marks the seam between two grids: the street ends there.
      if (dot(half, heading) < 0.8) break;
      heading = half;
      const Point next = at + heading * line_step_m;
      if (!allowed(next) || !clear(next, heading, spacing(next, across) * 0.6)) break;
      if (meets_itself(line, next)) break;
      line.push_back(next);
      at = next;
    }
    return line;
  }

  static bool meets_itself(const Line& line, Point p) {
    for (std::size_t i = 0; i + 12 < line.size(); i += 2) {
      if (norm(line[i] - p) < 40) return true;
    }
    return false;
  }

  /// Extends the end of a line straight to the next street, if one lies ahead and no water between.
  void run_on(Line& line, double reach_m) const {
    const Point end = line.back();
    const Point heading = unit(end - line[line.size() - 2]);
    const double reach = std::min(reach_m, 110.0);
    double nearest = std::numeric_limits<double>::infinity();
    samples_.each(end, reach + 2 * line_step_m, [&](Point at, const Sample& sample) {
      const Line& other = strokes_[sample.stroke].line;
      if (sample.index + 1 >= other.size()) return;
      const auto hit = crossing(end, end + heading * reach, at, other[sample.index + 1]);
      if (hit) nearest = std::min(nearest, hit->along_first * reach);
    });
    if (nearest > reach) return;
    for (double done = 0; done <= nearest; done += line_step_m) {
      if (plan_.bank_distance_m(end + heading * done) < quay_m) return;
      if (level_.motorway_gap_m > 0 && near_motorway_.any_within(end + heading * done, 30)) return;
    }
    // One metre beyond, so that the two lines surely cross.
    line.push_back(end + heading * (nearest + 1));
  }

  void add(Stroke stroke) {
    const auto number = static_cast<std::uint32_t>(strokes_.size());
    for (std::uint32_t i = 0; i < stroke.line.size(); ++i) samples_.add(stroke.line[i], {number, i});
    strokes_.push_back(std::move(stroke));
  }

  const Plan& plan_;
  const StreetField& field_;
  Dice dice_;
  Noise stretch_;
  Level level_;
  std::vector<Stroke> strokes_;
  Cells<Sample> samples_{60};
  Cells<int> near_motorway_;
};

}  // namespace

std::vector<Stroke> draw_streets(const Plan& plan, const StreetField& field, const random::Key& key) {
  StreetDrawer drawer(plan, field, key);
  drawer.draw({.road_class = RoadClass::secondary,
               .spacing_m = 640,
               .least_density = 0.02,
               .shortest_m = 1400,
               .longest_m = 4200,
               .motorway_gap_m = 0});
  drawer.draw({.road_class = RoadClass::tertiary,
               .spacing_m = 280,
               .least_density = 0.0,
               .shortest_m = 330,
               .longest_m = 2600,
               .motorway_gap_m = 0});
  drawer.draw({.road_class = RoadClass::residential,
               .spacing_m = 0,
               .least_density = 0.03,
               .shortest_m = 0,
               .longest_m = 1500,
               .motorway_gap_m = 60});
  return drawer.take();
}

}  // namespace fogline::roads::sketch
