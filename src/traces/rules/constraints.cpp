// SPDX-License-Identifier: Apache-2.0
#include "traces/rules/constraints.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "traces/frame/plane_areas.hpp"

namespace fogline::traces {
namespace {

using geometry::distance_m;
using geometry::PointXY;
using geometry::Polygons;

/// Of the frame: with less, rules and area hardly belong together.
constexpr double least_open_share = 0.001;
/// Along a side of the index of the outline, which has few edges. Answers do not depend on it.
constexpr std::uint32_t outline_cells = 64;
/// Trips, each of many points, are worth a thread's while by so many.
constexpr unsigned fewest_counted_a_task = 64;

PointXY wide(const PlanePoint& p) {
  return {p.x, p.y};
}

PointXY middle(const PointXY& a, const PointXY& b) {
  return {(a.x_m + b.x_m) / 2, (a.y_m + b.y_m) / 2};
}

bool holds(const std::vector<DayPart>& hours, std::int32_t second) {
  for (const DayPart& part : hours)
    if (second >= part.begin_s && second < part.end_s) return true;
  return false;
}

void require_times(const std::vector<Rule>& rules, bool timed) {
  for (const Rule& rule : rules)
    if (!timed && (rule.kind == RuleKind::speed || rule.kind == RuleKind::stop))
      throw InvalidOption("constraints",
                          fmt::format("rule of feature {} is about {}, but the trips have no times; "
                                      "leave it out, or give trips with times",
                                      rule.feature, rule.kind == RuleKind::speed ? "speed" : "stops"));
}

double lowest_everywhere(const std::vector<Rule>& rules) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const Rule& rule : rules)
    if (rule.kind == RuleKind::speed && rule.everywhere) lowest = std::min(lowest, rule.speed_m_s);
  return lowest;
}

/// Several bounds are one area in several parts.
Polygons bounds_of(const std::vector<Rule>& rules) {
  std::vector<Polygons> parts;
  for (const Rule& rule : rules)
    if (rule.kind == RuleKind::bounds) parts.push_back(rule.area);
  return geometry::unite(parts);
}

/// The direction of the part of a line nearest to a point.
PointXY direction_near(const std::vector<std::vector<PointXY>>& lines, const PointXY& p) {
  PointXY direction{0, 1};
  double best = std::numeric_limits<double>::infinity();
  for (const auto& line : lines)
    for (std::size_t i = 1; i < line.size(); ++i) {
      const double dx = line[i].x_m - line[i - 1].x_m, dy = line[i].y_m - line[i - 1].y_m;
      const double length = std::hypot(dx, dy);
      if (!(length > 0)) continue;
      const double along = (p.x_m - line[i - 1].x_m) * dx + (p.y_m - line[i - 1].y_m) * dy;
      const double share = std::clamp(along / (length * length), 0.0, 1.0);
      const double away = distance_m(p, {line[i - 1].x_m + share * dx, line[i - 1].y_m + share * dy});
      if (away < best) {
        best = away;
        direction = {dx / length, dy / length};
      }
    }
  return direction;
}

}  // namespace

Constraints::Constraints(const Frame& frame, std::vector<Rule> rules, const Options& options)
    : frame_(frame),
      rules_(std::move(rules)),
      timed_(options.timed),
      everywhere_m_s_(lowest_everywhere(rules_)),
      outline_(outline_of(frame, OpenGround::skirt_m)),
      open_(open_area()),
      south_west_{-OpenGround::skirt_m * 2, -OpenGround::skirt_m * 2},
      north_east_{frame.width_m() + OpenGround::skirt_m * 2, frame.height_m() + OpenGround::skirt_m * 2},
      outline_index_(std::span(&outline_, 1),
                     {.south_west = south_west_, .north_east = north_east_, .cells = outline_cells}),
      ground_(open_, {.south_west = south_west_, .north_east = north_east_, .outline = &outline_index_}) {
  require_times(rules_, timed_);
  open_share_ = std::min(1.0, geometry::area_m2(open_) / geometry::area_m2(outline_));
  if (open_share_ < least_open_share || ground_.empty())
    throw DataError(
        {options.source},
        fmt::format("closed areas and bounds leave no legal place: {:.4f} % of the area stays open{}",
                    100 * open_share_, timed_ ? " at some hour" : ""),
        "make the closed areas smaller, the bounds wider, or check that they lie in `area`");
  std::vector<Polygons> areas;
  for (const Rule& rule : rules_) areas.push_back(rule.kind == RuleKind::bounds ? Polygons{} : rule.area);
  areas.push_back(has_rules_of(RuleKind::bounds) ? geometry::subtract(outline_, bounds_of(rules_))
                                                 : Polygons{});
  areas_ = geometry::AreaIndex(areas, {.south_west = south_west_, .north_east = north_east_});
}

bool Constraints::has_rules_of(RuleKind kind) const {
  return std::any_of(rules_.begin(), rules_.end(), [&](const Rule& rule) { return rule.kind == kind; });
}

// What is closed in every part of the day; between two hours that a rule names nothing changes.
Polygons Constraints::always_closed() const {
  std::set<std::int32_t> changes = {0};
  for (const Rule& rule : rules_)
    if (rule.kind == RuleKind::closed && timed_)
      for (const DayPart& part : rule.hours) changes.insert({part.begin_s, part.end_s});
  changes.erase(static_cast<std::int32_t>(day_s));
  std::optional<Polygons> always;
  for (const std::int32_t second : changes) {
    std::vector<Polygons> now;
    for (std::uint32_t i = 0; i < rules_.size(); ++i)
      if (rules_[i].kind == RuleKind::closed && closed_at(i, second)) now.push_back(rules_[i].area);
    const Polygons closed = geometry::unite(now);
    always = always ? geometry::intersect(*always, closed) : closed;
    if (always->empty()) break;
  }
  return *always;
}

Polygons Constraints::open_area() const {
  const Polygons within =
      has_rules_of(RuleKind::bounds) ? geometry::intersect(outline_, bounds_of(rules_)) : outline_;
  return geometry::subtract(within, always_closed());
}

OpenGround Constraints::ground_without(std::span<const std::uint32_t> closed_rules) const {
  std::vector<Polygons> more;
  for (const std::uint32_t rule : closed_rules) more.push_back(rules_[rule].area);
  return OpenGround(geometry::subtract(open_, geometry::unite(more)),
                    {.south_west = south_west_, .north_east = north_east_, .outline = &outline_index_});
}

bool Constraints::closed_at(std::uint32_t rule, std::int32_t second) const {
  return !timed_ || rules_[rule].hours.empty() || holds(rules_[rule].hours, second);
}

bool Constraints::allowed(const PlanePoint& p, std::int32_t second) const {
  if (!allowed(p)) return false;
  bool open = true;
  areas_.at(wide(p), 0, [&](std::uint32_t area) {
    if (area < rules_.size() && rules_[area].kind == RuleKind::closed && closed_at(area, second))
      open = false;
  });
  return open;
}

PlanePoint Constraints::nearest_open(const PlanePoint& p) const {
  const PointXY place = ground_.nearest(wide(p), 1).value_or(wide(p));
  return {static_cast<float>(std::clamp(place.x_m, 0.0, frame_.width_m())),
          static_cast<float>(std::clamp(place.y_m, 0.0, frame_.height_m()))};
}

std::optional<double> Constraints::speed_limit_m_s(const PlanePoint& p) const {
  double lowest = everywhere_m_s_;
  areas_.at(wide(p), 0, [&](std::uint32_t area) {
    if (area < rules_.size() && rules_[area].kind == RuleKind::speed)
      lowest = std::min(lowest, rules_[area].speed_m_s);
  });
  return std::isfinite(lowest) ? std::optional(lowest) : std::nullopt;
}

std::optional<std::int64_t> Constraints::stop_s(const PlanePoint& p) const {
  std::optional<std::int64_t> longest;
  areas_.at(wide(p), 0, [&](std::uint32_t area) {
    if (area < rules_.size() && rules_[area].kind == RuleKind::stop)
      longest = std::max(longest.value_or(0), rules_[area].seconds);
  });
  return longest;
}

double Constraints::metres_along(std::uint32_t rule, const PointXY& a, const PointXY& b) const {
  const double angle = rules_[rule].bearing_deg * std::numbers::pi / 180;
  const PointXY way = rules_[rule].line.empty() ? PointXY{std::sin(angle), std::cos(angle)}
                                                : direction_near(rules_[rule].line, middle(a, b));
  return (b.x_m - a.x_m) * way.x_m + (b.y_m - a.y_m) * way.y_m;
}

bool Constraints::against_one_way(const PlanePoint& a, const PlanePoint& b) const {
  bool against = false;
  areas_.at(middle(wide(a), wide(b)), 0, [&](std::uint32_t area) {
    if (area < rules_.size() && rules_[area].kind == RuleKind::one_way)
      against = against || metres_along(area, wide(a), wide(b)) < 0;
  });
  return against;
}

namespace {

void check_point(const PointXY& p, std::optional<std::int64_t> t, const Constraints& constraints,
                 const Slack& slack, Violations& found) {
  if (constraints.areas().empty_at(p)) return;
  bool closed = false, outside = false;
  constraints.areas().at(p, slack.border_m, [&](std::uint32_t area) {
    if (area == constraints.outside_area()) {
      outside = true;
    } else if (constraints.rules()[area].kind == RuleKind::closed) {
      closed = closed || !t || constraints.closed_at(area, second_of_day(*t));
    }
  });
  found.closed += closed ? 1 : 0;
  found.outside += outside ? 1 : 0;
}

void check_step(const PointXY& a, const PointXY& b, std::optional<std::int64_t> seconds,
                const Constraints& constraints, const Slack& slack, Violations& found) {
  const PointXY at = middle(a, b);
  double limit = constraints.lowest_limit_everywhere();
  bool against = false;
  if (!constraints.areas().empty_at(at)) {
    constraints.areas().at(at, slack.border_m, [&](std::uint32_t area) {
      if (area == constraints.outside_area()) return;
      const Rule& rule = constraints.rules()[area];
      if (rule.kind == RuleKind::speed) limit = std::min(limit, rule.speed_m_s);
      if (rule.kind == RuleKind::one_way && !(a == b))
        against = against || constraints.metres_along(area, a, b) < slack.step_m;
    });
  }
  if (seconds && std::isfinite(limit)) {
    const double length = distance_m(a, b);
    if (length > 0 && length + slack.step_m > limit * static_cast<double>(*seconds)) ++found.speed;
  }
  found.one_way += against ? 1 : 0;
}

bool passes(const PointXY& a, const PointXY& b, std::uint32_t rule, const Constraints& constraints,
            const Slack& slack) {
  if (!constraints.areas().crosses(rule, a, b)) return false;
  std::vector<geometry::AreaIndex::Crossing> crossings;
  constraints.areas().crossings(rule, a, b, crossings);
  for (std::size_t i = 0; i + 1 < crossings.size(); i += 2)
    if ((crossings[i + 1].share - crossings[i].share) * distance_m(a, b) > shortest_crossing_m - slack.step_m)
      return true;
  return false;
}

void check_stop(std::span<const PlanePoint> points, std::span<const std::int64_t> times, std::uint32_t rule,
                const Constraints& constraints, const Slack& slack, Violations& found) {
  bool was_in = constraints.areas().contains(rule, wide(points[0]));
  bool entered = false;
  std::size_t first = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const bool in = constraints.areas().contains(rule, wide(points[i]));
    if (in && !was_in) {
      first = i;
      entered = true;
    }
    if (!in && was_in && entered && times[i - 1] - times[first] < constraints.rules()[rule].seconds)
      ++found.stop;
    if (!in && !was_in && passes(wide(points[i - 1]), wide(points[i]), rule, constraints, slack))
      ++found.stop;
    was_in = in;
  }
}

}  // namespace

Violations& Violations::operator+=(const Violations& other) {
  closed += other.closed;
  outside += other.outside;
  speed += other.speed;
  one_way += other.one_way;
  stop += other.stop;
  crossings += other.crossings;
  trips += other.trips;
  return *this;
}

Violations violations_of(std::span<const PlanePoint> points, std::span<const std::int64_t> times,
                         const Constraints& constraints, const Slack& slack) {
  Violations found;
  const auto time = [&](std::size_t i) {
    return times.empty() ? std::nullopt : std::optional<std::int64_t>(times[i]);
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    check_point(wide(points[i]), time(i), constraints, slack, found);
    if (i == 0) continue;
    const PointXY a = wide(points[i - 1]), b = wide(points[i]);
    const auto seconds = times.empty() ? std::nullopt : std::optional(times[i] - times[i - 1]);
    check_step(a, b, seconds, constraints, slack, found);
    if (constraints.ground().crosses(a, b) && constraints.segment_allowed(points[i - 1], points[i - 1]) &&
        constraints.segment_allowed(points[i], points[i]))
      ++found.crossings;
  }
  if (!times.empty())
    for (std::uint32_t rule = 0; rule < constraints.rules().size(); ++rule)
      if (constraints.rules()[rule].kind == RuleKind::stop)
        check_stop(points, times, rule, constraints, slack, found);
  found.trips = found.hard() > 0 ? 1 : 0;
  return found;
}

Violations count(const TripSet& trips, const Constraints& constraints, const ParallelOptions& parallel) {
  if (constraints.timed() && !trips.has_time())
    throw InvalidOption("constraints", "were read for trips with times, and these have none");
  std::vector<Violations> per_trip(trips.size());
  parallel_for(trips.size(), {parallel.threads, std::max<std::size_t>(parallel.grain, fewest_counted_a_task)},
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t i = begin; i < end; ++i)
                   per_trip[i] = violations_of(
                       trips.trip(i), constraints.timed() ? trips.times(i) : std::span<const std::int64_t>(),
                       constraints, {});
               });
  Violations sum;
  for (const Violations& one : per_trip) sum += one;
  return sum;
}

}  // namespace fogline::traces
