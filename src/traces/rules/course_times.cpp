// SPDX-License-Identifier: Apache-2.0
#include "traces/rules/course_times.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace fogline::traces {
namespace {

using geometry::PointXY;

struct Gap {
  std::int64_t begin = 0, end = 0;  // shifts that would not help
};

double limit_at(const PointXY& p, const Constraints& constraints, const Slack& slack) {
  double limit = constraints.lowest_limit_everywhere();
  constraints.areas().at(p, slack.border_m, [&](std::uint32_t area) {
    if (area == constraints.outside_area()) return;
    const Rule& rule = constraints.rules()[area];
    if (rule.kind == RuleKind::speed) limit = std::min(limit, rule.speed_m_s);
  });
  return limit;
}

void delay_from(Course& course, std::size_t i, std::int64_t seconds) {
  for (; i < course.size(); ++i) course[i].t += seconds;
}

/// The middle of the longest part of a step within an area, if it is worth a stop.
std::optional<double> deepest_share(const PointXY& a, const PointXY& b, std::uint32_t rule,
                                    const Constraints& constraints, const Slack& slack) {
  std::vector<geometry::AreaIndex::Crossing> found;
  constraints.areas().crossings(rule, a, b, found);
  double longest = 0, middle = 0;
  for (std::size_t i = 0; i + 1 < found.size(); i += 2)
    if (found[i + 1].share - found[i].share > longest) {
      longest = found[i + 1].share - found[i].share;
      middle = (found[i + 1].share + found[i].share) / 2;
    }
  const double metres = longest * std::hypot(b.x_m - a.x_m, b.y_m - a.y_m);
  return metres > shortest_crossing_m - slack.step_m ? std::optional(middle) : std::nullopt;
}

bool enter_area(Course& course, std::uint32_t rule, const Constraints& constraints, const Slack& slack) {
  bool changed = false;
  for (std::size_t i = 1; i < course.size(); ++i) {
    const CoursePoint a = course[i - 1], b = course[i];
    if (!constraints.areas().crosses(rule, a.at, b.at) || constraints.areas().contains(rule, a.at) ||
        constraints.areas().contains(rule, b.at))
      continue;
    const auto share = deepest_share(a.at, b.at, rule, constraints, slack);
    if (!share) continue;
    const CoursePoint added{
        {a.at.x_m + *share * (b.at.x_m - a.at.x_m), a.at.y_m + *share * (b.at.y_m - a.at.y_m)},
        a.t + static_cast<std::int64_t>(*share * static_cast<double>(b.t - a.t)),
        CoursePoint::added};
    course.insert(course.begin() + static_cast<std::ptrdiff_t>(i++), added);
    changed = true;
  }
  return changed;
}

/// Waits at a point of a visit that lies well within the area, if there is one.
void wait_in(Course& course, std::size_t first, std::size_t last, std::uint32_t rule, std::int64_t seconds,
             const Constraints& constraints) {
  std::size_t at = first;
  while (at < last && constraints.areas().near_border(rule, course[at].at, OpenGround::clear_m)) ++at;
  CoursePoint waited = course[at];
  waited.origin = CoursePoint::added;
  course.insert(course.begin() + static_cast<std::ptrdiff_t>(at) + 1, waited);
  delay_from(course, at + 1, seconds);
}

bool stop_in_area(Course& course, std::uint32_t rule, const Constraints& constraints) {
  bool changed = false, entered = false;
  bool was_in = constraints.areas().contains(rule, course[0].at);
  std::size_t first = 0;
  for (std::size_t i = 1; i < course.size(); ++i) {
    const bool in = constraints.areas().contains(rule, course[i].at);
    if (in && !was_in) {
      first = i;
      entered = true;
    }
    if (!in && was_in && entered) {
      const std::int64_t lacking = constraints.rules()[rule].seconds - (course[i - 1].t - course[first].t);
      if (lacking > 0) {
        wait_in(course, first, i - 1, rule, lacking, constraints);
        ++i;
        changed = true;
      }
    }
    was_in = in;
  }
  return changed;
}

template <class Use>
bool each_stop_rule(const Constraints& constraints, Use use) {
  bool changed = false;
  for (std::uint32_t rule = 0; rule < constraints.rules().size(); ++rule)
    if (constraints.rules()[rule].kind == RuleKind::stop) changed = use(rule) || changed;
  return changed;
}

}  // namespace

bool keep_to_limits(Course& course, const Constraints& constraints, const Slack& slack) {
  if (!constraints.has_rules_of(RuleKind::speed)) return false;
  const std::int64_t end = course.back().t;
  std::int64_t old_before = course.front().t;
  bool changed = false;
  for (std::size_t i = 1; i < course.size(); ++i) {
    const PointXY &a = course[i - 1].at, &b = course[i].at;
    const std::int64_t old = course[i].t;
    const double length = std::hypot(b.x_m - a.x_m, b.y_m - a.y_m);
    const double limit = limit_at({(a.x_m + b.x_m) / 2, (a.y_m + b.y_m) / 2}, constraints, slack);
    // Standing still, and steps without a limit, last as long as before.
    const bool limited = std::isfinite(limit) && length > 0;
    const std::int64_t least = limited
                                   ? static_cast<std::int64_t>(std::ceil((length + 2 * slack.step_m) / limit))
                                   : old - old_before;
    course[i].t = std::max(old, course[i - 1].t + least);
    changed = changed || course[i].t != old;
    old_before = old;
  }
  return changed || course.back().t != end;
}

bool enter_stop_areas(Course& course, const Constraints& constraints, const Slack& slack) {
  return each_stop_rule(constraints,
                        [&](std::uint32_t rule) { return enter_area(course, rule, constraints, slack); });
}

bool part_seconds(Course& course) {
  const std::int64_t end = course.back().t;
  for (std::size_t i = 1; i < course.size(); ++i) course[i].t = std::max(course[i].t, course[i - 1].t + 1);
  return course.back().t != end;
}

bool make_stops(Course& course, const Constraints& constraints) {
  return each_stop_rule(constraints,
                        [&](std::uint32_t rule) { return stop_in_area(course, rule, constraints); });
}

std::optional<std::int64_t> least_shift(const Course& course, const Constraints& constraints,
                                        const Slack& slack, std::int64_t longest_s, random::Stream& ties) {
  std::vector<Gap> gaps;
  for (const CoursePoint& point : course) {
    if (constraints.areas().empty_at(point.at)) continue;
    constraints.areas().at(point.at, slack.border_m, [&](std::uint32_t area) {
      if (area == constraints.outside_area() || constraints.rules()[area].kind != RuleKind::closed) return;
      for (const DayPart& part : constraints.rules()[area].hours)
        for (const std::int64_t day : {-day_s, std::int64_t{0}, day_s})
          gaps.push_back(
              {part.begin_s - second_of_day(point.t) + day, part.end_s - second_of_day(point.t) + day});
    });
  }
  std::sort(gaps.begin(), gaps.end(), [](const Gap& a, const Gap& b) { return a.begin < b.begin; });
  // The gap round 0, grown by those that reach into it.
  Gap round{0, 0};
  for (std::size_t i = 0; i < gaps.size();) {
    Gap grown = gaps[i];
    for (++i; i < gaps.size() && gaps[i].begin <= grown.end; ++i)
      grown.end = std::max(grown.end, gaps[i].end);
    if (grown.begin <= 0 && grown.end > 0) round = grown;
  }
  if (round.end == 0) return 0;
  const std::int64_t later = round.end, earlier = round.begin - 1;
  if (std::min(later, -earlier) > longest_s) return std::nullopt;
  if (later == -earlier) return ties.next_bit() ? later : earlier;
  return later < -earlier ? later : earlier;
}

}  // namespace fogline::traces
