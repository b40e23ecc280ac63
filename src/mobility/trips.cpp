// SPDX-License-Identifier: Apache-2.0
#include "mobility/trips.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/identity.hpp"

namespace fogline::mobility {
namespace {

/// Great-circle distance on a sphere of the mean radius: within 0.6 %, enough to tell a jump from a step.
double sphere_distance_m(double lon_a, double lat_a, double lon_b, double lat_b) {
  constexpr double radius_m = 6'371'008.8;
  constexpr double degree = std::numbers::pi / 180;
  const double by_lat = std::sin((lat_b - lat_a) * degree / 2);
  const double by_lon = std::sin((lon_b - lon_a) * degree / 2);
  const double h = by_lat * by_lat + std::cos(lat_a * degree) * std::cos(lat_b * degree) * by_lon * by_lon;
  return 2 * radius_m * std::asin(std::min(1.0, std::sqrt(h)));
}

class TripMaker {
 public:
  /// `owned`: the same points, if they may be taken over; or null.
  TripMaker(const io::PointTable& points, io::PointTable* owned, const TripOptions& options)
      : points_(points), owned_(owned), options_(options) {
    if (!(options.max_speed_m_s > 0)) throw InvalidOption("max_speed_m_s", "must be above 0");
    if (!(options.max_step_m >= 0)) throw InvalidOption("max_step_m", "must be 0 (no check) or above");
    trips_.source = points.source;
    trips_.plane = points.plane;
    trips_.has_time = points.has_time;
    trips_.warnings = points.warnings;
  }

  Trips make() && {
    require_names();
    number_trips();
    require_one_spelling();
    name_trips();
    order_points();
    if (points_.has_time && !order_.empty()) check_times();
    order_.empty() ? take_columns() : copy_columns();
    count_oddities();
    return std::move(trips_);
  }

 private:
  std::uint64_t group_of(std::size_t point) const {
    const std::uint64_t traj = points_.traj.empty() ? 0 : points_.traj[point];
    const std::uint64_t user = points_.user.empty() ? 0 : points_.user[point];
    return user << 32 | traj;
  }

  /// Points without a name are no trip: they may be many people's.
  void require_names() const {
    if (points_.traj.empty() && points_.user.empty()) return;
    const bool by_trip = !points_.traj.empty();
    const auto faults = by_trip ? io::find_faults(points_.traj_names.names(), points_.traj)
                                : io::find_faults(points_.user_names.names(), points_.user);
    if (faults.missing == 0) return;
    throw DataError(
        points_.spot(faults.first_missing),
        fmt::format("{} of {} points name no {} (blank, or NA, null and the like), and might be anybody's",
                    faults.missing, faults.records, by_trip ? "trip" : "user, nor a trip"),
        by_trip ? "fill in traj_id, leave these points out, or leave out the column if nobody needs it"
                : "fill in user_id, add a column traj_id, or leave these points out");
  }

  /// One trip under two names would count twice. Names that are the same number are taken for one trip's, and so are those that
  /// differ in naming a user or not.
  void require_one_spelling() const {
    const std::vector<std::uint32_t> same_trip = io::same_names(points_.traj_names.names());
    const std::vector<std::uint32_t> same_user = io::same_names(points_.user_names.names());
    std::unordered_set<std::uint64_t> seen;
    std::unordered_map<std::uint32_t, bool> has_user;  // by name of trip
    for (const std::size_t first : first_point_) {
      const std::uint32_t traj = points_.traj.empty() ? 0 : same_trip[points_.traj[first]];
      const std::uint32_t user = points_.user.empty() ? 0 : same_user[points_.user[first]];
      if (!seen.insert(std::uint64_t{user} << 32 | traj).second)
        throw DataError(
            points_.spot(first),
            "a trip is named as one above, spelled otherwise (7 and 7.0, or with invisible characters)",
            "write every name in one spelling");
      if (points_.traj.empty() || points_.user.empty()) continue;
      const bool names_user = !io::is_missing_name(points_.user_names.name(points_.user[first]));
      const auto [entry, is_new] = has_user.try_emplace(traj, names_user);
      if (!is_new && !(names_user && entry->second))
        throw DataError(points_.spot(first), "a trip has points that name a user and points that name none",
                        "fill in user_id, or give the trips of unknown people names of their own");
    }
  }

  void number_trips() {
    std::unordered_map<std::uint64_t, std::uint32_t> number_of;
    trip_of_.resize(points_.size());
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const bool same = i > 0 && group_of(i) == group_of(i - 1);
      if (same) {
        trip_of_[i] = trip_of_[i - 1];
        continue;
      }
      const auto next = static_cast<std::uint32_t>(first_point_.size());
      const auto [entry, is_new] = number_of.try_emplace(group_of(i), next);
      if (is_new) first_point_.push_back(i);
      trip_of_[i] = entry->second;
    }
  }

  void name_trips() {
    std::vector<bool> taken(points_.traj_names.size(), false);
    for (const std::size_t first : first_point_) {
      if (!points_.traj.empty()) {
        const std::uint32_t traj = points_.traj[first];
        if (taken[traj]) {
          trips_.warnings.add("trip name of another user taken as a trip of its own", points_.spot(first));
        }
        taken[traj] = true;
        trips_.name.push_back(points_.traj_names.name(traj));
      } else {
        trips_.name.push_back(points_.user.empty() ? "" : points_.user_names.name(points_.user[first]));
      }
      if (!points_.user.empty()) trips_.user.push_back(points_.user[first]);
    }
    trips_.user_name = points_.user_names.names();
    if (!options_.users.empty()) take_given_users();
  }

  void take_given_users() {
    if (!points_.user.empty()) throw InvalidOption("users", "must be empty when the file names users itself");
    if (options_.users.size() != first_point_.size()) {
      throw InvalidOption("users", "must hold one name for each trip");
    }
    io::NameTable names;
    for (const std::string& name : options_.users) trips_.user.push_back(names.intern(name));
    trips_.user_name = names.names();
  }

  void order_points() {
    trips_.offset.assign(first_point_.size() + 1, 0);
    for (const std::uint32_t trip : trip_of_) ++trips_.offset[trip + 1];
    std::partial_sum(trips_.offset.begin(), trips_.offset.end(), trips_.offset.begin());
    if (owned_ != nullptr && is_in_order()) {
      trip_of_ = {};
      return;
    }
    std::vector<std::uint64_t> next(trips_.offset.begin(), trips_.offset.end() - 1);
    order_.resize(points_.size());
    for (std::size_t i = 0; i < points_.size(); ++i) order_[next[trip_of_[i]]++] = i;
    trip_of_ = {};
  }

  /// Trip by trip, and in order of time within each.
  bool is_in_order() const {
    for (std::size_t i = 1; i < points_.size(); ++i) {
      if (trip_of_[i] < trip_of_[i - 1]) return false;
      if (points_.has_time && trip_of_[i] == trip_of_[i - 1] && points_.t[i] < points_.t[i - 1]) return false;
    }
    return true;
  }

  /// Which point of the file is point p of the trips.
  std::size_t in_file(std::size_t p) const { return order_.empty() ? p : order_[p]; }

  void check_times() {
    const auto earlier = [this](std::size_t a, std::size_t b) { return points_.t[a] < points_.t[b]; };
    for (std::size_t trip = 0; trip < first_point_.size(); ++trip) {
      const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(trips_.offset[trip]);
      const auto end = order_.begin() + static_cast<std::ptrdiff_t>(trips_.offset[trip + 1]);
      const auto back = std::is_sorted_until(begin, end, earlier);
      if (back == end) continue;
      const FileSpot spot = points_.spot(*back);
      if (options_.backwards == TimeBackwards::refuse) {
        throw DataError(spot, "the time runs backwards within a trip",
                        "sort each trip by time, or give `sort`");
      }
      const bool sorts = options_.backwards == TimeBackwards::sort;
      if (sorts) std::stable_sort(begin, end, earlier);
      trips_.warnings.add(sorts ? "trip with time running backwards put in order of time"
                                : "trip with time running backwards kept as it is",
                          spot);
    }
  }

  void take_columns() {
    trips_.lon = std::move(owned_->lon);
    trips_.lat = std::move(owned_->lat);
    if (points_.has_time) trips_.t = std::move(owned_->t);
    owned_->traj = owned_->user = {};
  }

  void copy_columns() {
    trips_.lon.reserve(order_.size());
    trips_.lat.reserve(order_.size());
    for (const std::size_t point : order_) {
      trips_.lon.push_back(points_.lon[point]);
      trips_.lat.push_back(points_.lat[point]);
      if (points_.has_time) trips_.t.push_back(points_.t[point]);
    }
  }

  void count_oddities() {
    for (std::size_t trip = 0; trip < trips_.size(); ++trip) {
      if (trips_.length(trip) == 1) {
        ++trips_.one_point_trips;
        trips_.warnings.add(one_point_kept, points_.spot(first_point_[trip]));
      }
      for (std::size_t p = trips_.offset[trip] + 1; p < trips_.offset[trip + 1]; ++p) {
        if (!is_jump(p)) continue;
        ++trips_.jumps;
        trips_.warnings.add("jump within a trip kept", points_.spot(in_file(p)));
      }
    }
  }

  bool is_jump(std::size_t point) const {
    const double step_m = distance_m(point - 1, point);
    if (options_.max_step_m > 0 && step_m > options_.max_step_m) return true;
    if (!trips_.has_time) return false;
    // Times are whole seconds, so two points of the same second may be almost one second apart.
    const double seconds = std::abs(static_cast<double>(trips_.t[point] - trips_.t[point - 1]));
    return step_m > options_.max_speed_m_s * std::max(seconds, 1.0);
  }

  double distance_m(std::size_t a, std::size_t b) const {
    return trips_.plane ? std::hypot(trips_.lon[b] - trips_.lon[a], trips_.lat[b] - trips_.lat[a])
                        : sphere_distance_m(trips_.lon[a], trips_.lat[a], trips_.lon[b], trips_.lat[b]);
  }

  const io::PointTable& points_;
  io::PointTable* owned_;
  const TripOptions& options_;
  Trips trips_;
  std::vector<std::uint32_t> trip_of_;    // per point of the file
  std::vector<std::size_t> first_point_;  // per trip, in the file
  std::vector<std::size_t> order_;        // points of the file, trip by trip; empty: they lie so
};

}  // namespace

void require_users(const Trips& trips) {
  io::refuse_faults(io::find_faults(trips.user_name, trips.user), {trips.source},
                    {.records = "trips", .instead = "protect single trips, with `unit` trip"});
}

Trips make_trips(const io::PointTable& points, const TripOptions& options) {
  return TripMaker(points, nullptr, options).make();
}

Trips make_trips(io::PointTable&& points, const TripOptions& options) {
  io::PointTable owned = std::move(points);
  return TripMaker(owned, &owned, options).make();
}

}  // namespace fogline::mobility
