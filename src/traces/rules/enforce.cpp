// SPDX-License-Identifier: Apache-2.0
#include "traces/rules/enforce.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "traces/rules/course_times.hpp"

namespace fogline::traces {
namespace {

using geometry::distance_m;
using geometry::PointXY;

/// More than the rounding of a file, a decimetre, moves points and steps. Borders less than OpenGround::clear_m, at
/// which points are put.
constexpr Slack strict = {.border_m = 0.2, .step_m = 0.25};
/// How far beyond a border points go in the first round; twice as far in each that follows. Chosen, not derived.
constexpr double first_beyond_m = 1;
constexpr double moved_m = 0.01;  // less is rounding
/// Which are kept, some of a city's size each; what is kept changes no trip.
constexpr std::size_t most_grounds = 64;
constexpr int most_rounds_allowed = 20;  // points then go 2^19 m beyond a border, half of the largest area
/// Most trips need no mending, so that fewer would hardly be worth a thread's while.
constexpr unsigned fewest_mended_a_task = 16;

/// What became of one trip.
struct Mended {
  bool touched = false, done = true;
  bool reversed = false, delayed = false;
  std::int64_t shift_s = 0;
  int rounds = 0;
  std::vector<PlanePoint> point;
  std::vector<std::int64_t> t;
  std::uint64_t moved = 0, added = 0;
  double sum_m = 0, largest_m = 0;
};

class Mender {
 public:
  Mender(const TripSet& trips, const Constraints& constraints, const EnforceOptions& options)
      : trips_(trips), constraints_(constraints), options_(options) {
    for (std::uint32_t i = 0; i < constraints.rules().size(); ++i) {
      const Rule& rule = constraints.rules()[i];
      if (rule.kind == RuleKind::one_way || (rule.kind == RuleKind::closed && !rule.hours.empty()))
        sometimes_.insert(i);
    }
  }

  bool obeys(std::size_t i) const {
    const Violations found = violations_of(trips_.trip(i), times_of(i), constraints_, strict);
    return found.hard() == 0 && (found.crossings == 0 || !options_.move_points);
  }

  Mended mend(std::size_t i, const random::StreamFamily& streams) const {
    random::Stream ties = streams.stream(i);
    Mended best = try_rounds(i, forward(i), ties);
    if (options_.move_points && breaks_one_way(i)) {
      Mended back = try_rounds(i, backward(i), ties);
      back.reversed = true;
      if (back.done && (!best.done || back.sum_m < best.sum_m)) best = std::move(back);
    }
    return best;
  }

  /// Where no trip can be mended or copied: it stands still at the open place nearest to its beginning, at an open hour.
  Mended stand_still(std::size_t i, const random::StreamFamily& streams) const {
    random::Stream ties = streams.stream(i);
    Course course = forward(i);
    course.resize(2);
    course[0].at = constraints_.ground().nearest(course[0].at, first_beyond_m).value_or(course[0].at);
    course[1].at = course[0].at;
    part_seconds(course);
    shift_by(least_shift(course, constraints_, strict, day_s / 2, ties).value_or(0), course);
    return described(i, course);
  }

 private:
  std::span<const std::int64_t> times_of(std::size_t i) const {
    return constraints_.timed() ? trips_.times(i) : std::span<const std::int64_t>();
  }

  Course forward(std::size_t i) const {
    Course course;
    const auto points = trips_.trip(i);
    const auto times = trips_.times(i);
    for (std::uint32_t k = 0; k < points.size(); ++k)
      course.push_back({{points[k].x, points[k].y}, times.empty() ? 0 : times[k], k});
    return course;
  }

  /// The same places in the opposite order, with the same pauses between them.
  Course backward(std::size_t i) const {
    const Course there = forward(i);
    Course back = there;
    const std::size_t last = there.size() - 1;
    for (std::size_t k = 0; k <= last; ++k) {
      back[k].at = there[last - k].at;
      back[k].t = there[0].t + (there[last].t - there[last - k].t);
    }
    return back;
  }

  bool breaks_one_way(std::size_t i) const {
    return constraints_.has_rules_of(RuleKind::one_way) &&
           violations_of(trips_.trip(i), times_of(i), constraints_, strict).one_way > 0;
  }

  Mended try_rounds(std::size_t i, const Course& start, random::Stream& ties) const {
    std::set<std::uint32_t> shut;  // rules whose areas are closed to this trip
    double beyond_m = first_beyond_m;
    for (int round = 1; round <= options_.rounds; ++round, beyond_m *= 2) {
      Course course = start;
      Mended result;
      if (try_once(course, shut, beyond_m, ties, result)) {
        Mended described_result = described(i, course);
        described_result.shift_s = result.shift_s;
        described_result.delayed = result.delayed;
        described_result.rounds = round;
        if (violations_of(described_result.point, described_result.t, constraints_, strict).hard() == 0)
          return described_result;
      }
      if (!options_.move_points) break;
      shut_what_it_breaks(course, round, shut);
    }
    Mended failed;
    failed.touched = true;
    failed.done = false;
    failed.rounds = options_.rounds;
    return failed;
  }

  bool try_once(Course& course, const std::set<std::uint32_t>& shut, double beyond_m, random::Stream& ties,
                Mended& result) const {
    if (options_.move_points && !lead(course, shut, beyond_m, ties)) return false;
    if (constraints_.timed()) enter_stop_areas(course, constraints_, strict);
    const bool later = trips_.has_time() && part_seconds(course);
    if (!constraints_.timed()) {
      result.delayed = later;
      return true;
    }
    const bool slower = keep_to_limits(course, constraints_, strict);
    const bool stopped = make_stops(course, constraints_);
    result.delayed = later || slower || stopped;
    const auto shift = least_shift(course, constraints_, strict, options_.longest_shift_s, ties);
    if (!shift) return false;
    result.shift_s = *shift;
    shift_by(*shift, course);
    return true;
  }

  // Times of a day, rather than of a date, stay so: what would begin before its midnight begins a day later.
  static void shift_by(std::int64_t shift, Course& course) {
    if (course.front().t >= 0 && course.front().t + shift < 0) shift += day_s;
    for (CoursePoint& point : course) point.t += shift;
  }

  bool lead(Course& course, const std::set<std::uint32_t>& shut, double beyond_m,
            random::Stream& ties) const {
    const std::shared_ptr<const OpenGround> own = shut.empty() ? nullptr : ground_for(shut);
    const OpenGround& ground = own ? *own : constraints_.ground();
    const Frame& frame = constraints_.frame();
    // What lies in the frame's box of metres but not in its box of degrees goes where a file would put it.
    for (CoursePoint& point : course)
      if (frame.unit() == Frame::Unit::degrees && !ground.contains(point.at))
        point.at = frame.inward(frame.outward(point.at));
    if (ground.empty() || !ground.lead(course, {.beyond_m = beyond_m}, ties)) return false;
    for (CoursePoint& point : course)
      point.at = {std::clamp(point.at.x_m, 0.0, frame.width_m()),
                  std::clamp(point.at.y_m, 0.0, frame.height_m())};
    return true;
  }

  // Later rounds close more: the areas it came into against their rules, and in the last two all that are not always open.
  void shut_what_it_breaks(const Course& course, int round, std::set<std::uint32_t>& shut) const {
    if (round + 2 > options_.rounds) shut = sometimes_;
    for (std::size_t k = 0; k < course.size(); ++k) {
      const PointXY& b = course[k].at;
      const PointXY& a = course[k == 0 ? 0 : k - 1].at;
      constraints_.areas().at(b, strict.border_m, [&](std::uint32_t area) {
        if (sometimes_.contains(area) && constraints_.rules()[area].kind == RuleKind::closed &&
            constraints_.closed_at(area, second_of_day(course[k].t)))
          shut.insert(area);
      });
      constraints_.areas().at(
          {(a.x_m + b.x_m) / 2, (a.y_m + b.y_m) / 2}, strict.border_m, [&](std::uint32_t area) {
            if (sometimes_.contains(area) && constraints_.rules()[area].kind == RuleKind::one_way &&
                !(a == b) && constraints_.metres_along(area, a, b) < strict.step_m)
              shut.insert(area);
          });
    }
  }

  std::shared_ptr<const OpenGround> ground_for(const std::set<std::uint32_t>& shut) const {
    const std::lock_guard lock(mutex_);
    // Which trip comes first must not decide: beyond the limit nothing is kept, but all get the ground that they ask for.
    std::shared_ptr<const OpenGround>& kept = grounds_[shut];
    if (kept) return kept;
    const std::vector<std::uint32_t> rules(shut.begin(), shut.end());
    auto made = std::make_shared<const OpenGround>(constraints_.ground_without(rules));
    if (grounds_.size() <= most_grounds) {
      kept = made;
    } else {
      grounds_.erase(shut);
    }
    return made;
  }

  Mended described(std::size_t i, const Course& course) const {
    Mended result;
    result.touched = true;
    const auto before = trips_.trip(i);
    for (const CoursePoint& point : course) {
      result.point.push_back({static_cast<float>(point.at.x_m), static_cast<float>(point.at.y_m)});
      if (trips_.has_time()) result.t.push_back(point.t);
      if (point.origin == CoursePoint::added) {
        ++result.added;
        continue;
      }
      const double move = distance_m(point.at, {before[point.origin].x, before[point.origin].y});
      if (move <= moved_m) continue;
      ++result.moved;
      result.sum_m += move;
      result.largest_m = std::max(result.largest_m, move);
    }
    return result;
  }

  const TripSet& trips_;
  const Constraints& constraints_;
  const EnforceOptions& options_;
  std::set<std::uint32_t> sometimes_;  ///< rules that close an area at some hours or to some directions
  mutable std::mutex mutex_;
  mutable std::map<std::set<std::uint32_t>, std::shared_ptr<const OpenGround>> grounds_;
};

void check(const EnforceOptions& options) {
  if (options.longest_shift_s < 0 || options.longest_shift_s > day_s / 2)
    throw InvalidOption("longest_shift_s", "must lie between 0 and 43,200");
  if (options.rounds < 1 || options.rounds > most_rounds_allowed)
    throw InvalidOption("rounds", "must lie between 1 and 20");
}

void tell(const Mended& one, EnforcementReport& report) {
  report.rounds = std::max(report.rounds, one.rounds);
  report.reversed_trips += one.reversed ? 1 : 0;
  report.delayed_trips += one.delayed ? 1 : 0;
  report.shifted_trips += one.shift_s != 0 ? 1 : 0;
  report.largest_shift_s = std::max(report.largest_shift_s, std::abs(one.shift_s));
  report.added_points += one.added;
  if (one.reversed) return;  // its points are where others were
  report.moved_trips += one.moved > 0 ? 1 : 0;
  report.moved_points += one.moved;
  report.mean_move_m += one.sum_m;
  report.largest_move_m = std::max(report.largest_move_m, one.largest_m);
}

void append(TripSet& set, std::span<const PlanePoint> points, std::span<const std::int64_t> times) {
  set.point.insert(set.point.end(), points.begin(), points.end());
  set.t.insert(set.t.end(), times.begin(), times.end());
  set.end_trip();
}

}  // namespace

EnforcementReport enforce(TripSet& trips, const Constraints& constraints, const random::PublicKey& key,
                          const EnforceOptions& options) {
  check(options);
  EnforcementReport report;
  report.before = count(trips, constraints, options.parallel);
  const Mender mender(trips, constraints, options);
  const random::StreamFamily streams = key.streams("traces constraints");
  std::vector<Mended> mended(trips.size());
  parallel_for(
      trips.size(),
      {options.parallel.threads, std::max<std::size_t>(options.parallel.grain, fewest_mended_a_task)},
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
          if (!mender.obeys(i)) mended[i] = mender.mend(i, streams);
      });
  std::vector<std::size_t> legal;
  for (std::size_t i = 0; i < mended.size(); ++i)
    if (mended[i].done) legal.push_back(i);

  const random::StreamFamily copies = key.streams("traces constraints copies");
  TripSet after;
  after.user = trips.user;
  for (std::size_t i = 0; i < mended.size(); ++i) {
    std::size_t from = i;
    if (!mended[i].done) {
      ++report.replaced_trips;
      if (legal.empty()) {
        mended[i] = mender.stand_still(i, streams);
      } else {
        from = legal[copies.stream(i).below(legal.size())];
      }
    } else {
      tell(mended[i], report);
    }
    if (mended[from].touched) {
      append(after, mended[from].point, mended[from].t);
    } else {
      append(after, trips.trip(from), trips.times(from));
    }
  }
  if (report.moved_points > 0) report.mean_move_m /= static_cast<double>(report.moved_points);
  trips = std::move(after);
  report.after = count(trips, constraints, options.parallel);
  return report;
}

}  // namespace fogline::traces
