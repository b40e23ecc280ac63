// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/parallel.hpp"
#include "geometry/area_index.hpp"
#include "geometry/polygons.hpp"
#include "traces/frame/frame.hpp"
#include "traces/frame/trip_set.hpp"
#include "traces/rules/open_ground.hpp"

namespace fogline::traces {

/// A part of the day, in seconds from midnight UTC: from begin_s up to, not including, end_s. What spans midnight is two of them.
struct DayPart {
  std::int32_t begin_s = 0, end_s = 0;  ///< 0 <= begin_s < end_s <= 86,400
  friend bool operator==(const DayPart&, const DayPart&) = default;
};

enum class RuleKind : std::uint8_t { closed, bounds, speed, one_way, stop };

/// One rule that trips obey, with its area in the plane of a frame. docs/constraints.md tells in words what each demands.
struct Rule {
  RuleKind kind = RuleKind::closed;
  geometry::Polygons area = {};
  bool everywhere = false;          ///< speed: instead of an area
  std::vector<DayPart> hours = {};  ///< closed: then only; none: always
  double speed_m_s = 0;             ///< speed: the limit, above 0
  double bearing_deg = 0;           ///< one-way: clockwise from north
  std::vector<std::vector<geometry::PointXY>> line =
      {};                     ///< one-way: instead of the bearing, that of the nearest part of a line
  std::int64_t seconds = 0;   ///< stop: how long at least
  std::uint64_t feature = 0;  ///< of the file, from 1
};

inline constexpr std::int64_t day_s = 86'400;
inline std::int32_t second_of_day(std::int64_t t) {
  return static_cast<std::int32_t>(((t % day_s) + day_s) % day_s);
}

/// What trips must obey: public, checked before anything is charged, quick to ask.
///
///     Constraints rules = read_constraints("closed.geojson", frame, {.timed = true}, warnings);   // traces/rules/constraints_file.hpp
///     if (!rules.allowed(p)) p = rules.nearest_open(p);
///     Violations left = count(trips, rules);
///
/// A step belongs to the areas in which its middle lies. Trips without times know no hour: areas closed at some hours are then always
/// closed, and rules of speed and stops are refused. Throws DataError if what stays open, at any hour, is less than a thousandth of the frame, and
/// InvalidOption for a speed or stop rule on trips without times.
/// Cost: building takes milliseconds for each area; a question some nanoseconds away from borders.
class Constraints {
 public:
  struct Options {
    std::string source = "constraints";  ///< for messages
    bool timed = true;                   ///< whether the trips have times
  };
  Constraints(const Frame& frame, std::vector<Rule> rules, const Options& options);

  const Frame& frame() const { return frame_; }
  const std::vector<Rule>& rules() const { return rules_; }
  bool timed() const { return timed_; }
  bool has_rules_of(RuleKind kind) const;
  double open_share() const { return open_share_; }  ///< of the frame: open at some hour

  /// Open at some hour at all: within the bounds and not always closed.
  bool allowed(const PlanePoint& p) const { return ground_.contains({p.x, p.y}); }
  bool allowed(const PlanePoint& p, std::int32_t second) const;
  /// Both ends allowed and nothing closed, or out of bounds, in between.
  bool segment_allowed(const PlanePoint& a, const PlanePoint& b) const {
    return allowed(a) && allowed(b) && !ground_.crosses({a.x, a.y}, {b.x, b.y});
  }
  PlanePoint nearest_open(const PlanePoint& p) const;

  /// The lowest limit there.
  std::optional<double> speed_limit_m_s(const PlanePoint& p) const;
  bool against_one_way(const PlanePoint& a, const PlanePoint& b) const;
  /// The longest stop demanded there.
  std::optional<std::int64_t> stop_s(const PlanePoint& p) const;

  // For those who check or mend whole trips.
  const OpenGround& ground() const { return ground_; }
  OpenGround ground_without(
      std::span<const std::uint32_t> closed_rules) const;  ///< the same with more areas closed
  const geometry::AreaIndex& areas() const {
    return areas_;
  }  ///< area i: that of rule i; then what is out of bounds
  std::uint32_t outside_area() const { return static_cast<std::uint32_t>(rules_.size()); }
  bool closed_at(std::uint32_t rule, std::int32_t second) const;
  double lowest_limit_everywhere() const { return everywhere_m_s_; }  ///< infinite if there is none
  /// How far a step goes the way a one-way rule wants; negative: against it.
  double metres_along(std::uint32_t rule, const geometry::PointXY& a, const geometry::PointXY& b) const;

 private:
  geometry::Polygons always_closed() const;
  geometry::Polygons open_area() const;

  Frame frame_;
  std::vector<Rule> rules_;
  bool timed_;
  double everywhere_m_s_;
  double open_share_ = 0;
  geometry::Polygons outline_;
  geometry::Polygons open_;
  geometry::PointXY south_west_{}, north_east_{};
  geometry::AreaIndex outline_index_;
  OpenGround ground_;
  geometry::AreaIndex areas_;
};

/// How often trips break the rules. The first five are hard: an enforced release has none.
struct Violations {
  std::uint64_t closed = 0;   ///< points in a closed area while it is closed
  std::uint64_t outside = 0;  ///< points out of bounds
  std::uint64_t speed = 0;    ///< steps over the limit
  std::uint64_t one_way = 0;  ///< steps more than 90 degrees from the way demanded
  std::uint64_t stop = 0;     ///< areas passed with too short a stop
  std::uint64_t crossings =
      0;  ///< soft: steps between two open places across what is always closed or out of bounds
  std::uint64_t trips = 0;  ///< with at least one hard violation

  std::uint64_t hard() const { return closed + outside + speed + one_way + stop; }
  Violations& operator+=(const Violations& other);
  friend bool operator==(const Violations&, const Violations&) = default;
};

/// How strictly to look: with some slack what is nearly broken counts as broken, so that a file's rounding cannot break it.
struct Slack {
  double border_m = 0;  ///< nearer than this to a closed area is in it; at most 1
  double step_m = 0;    ///< a step may turn out this much longer, or further back
};

/// A step that crosses a stop area by no more than this does not pass it.
inline constexpr double shortest_crossing_m = 1;

/// Of one trip; times may be empty. Stops count for trips that enter an area and leave it again: between the first and the last point in it, or 0 for a step that
/// crosses it by more than a metre. A trip that begins or ends in it is not asked.
Violations violations_of(std::span<const PlanePoint> points, std::span<const std::int64_t> times,
                         const Constraints& constraints, const Slack& slack);

/// Of all trips. Throws InvalidOption if the constraints are for trips with times and these have none.
/// Cost: some tens of nanoseconds a point; parallel.
Violations count(const TripSet& trips, const Constraints& constraints, const ParallelOptions& parallel = {});

}  // namespace fogline::traces
