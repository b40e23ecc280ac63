// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/warnings.hpp"
#include "io/points.hpp"

namespace fogline::mobility {

/// Trips as plain columns: trip i owns the points offset[i] to offset[i + 1] - 1.
///
///     Trips trips = make_trips(io::read_points("trips.csv", {}), {});
///     for (std::size_t i = 0; i < trips.size(); ++i)
///       for (std::size_t p = trips.offset[i]; p < trips.offset[i + 1]; ++p) use(trips.lon[p], trips.lat[p]);
///
/// Trips keep the order in which they first appear, points the order of the file within their trip.
struct Trips {
  std::string source;  ///< file name, for messages
  bool plane = false;  ///< lon, lat are metres on a plane
  bool has_time = false;
  std::vector<std::uint64_t> offset;  ///< size() + 1 entries, from 0
  std::vector<double> lon;            ///< degrees east; metres if `plane`
  std::vector<double> lat;            ///< degrees north; metres if `plane`
  std::vector<std::int64_t> t;        ///< unix seconds, or empty
  std::vector<std::string> name;      ///< per trip; two users may use the same
  std::vector<std::uint32_t> user;    ///< per trip, index into user_name; or empty
  std::vector<std::string> user_name;
  std::uint64_t one_point_trips = 0;
  std::uint64_t jumps = 0;  ///< steps faster or longer than the options allow
  Warnings warnings;        ///< the reader's and these

  std::size_t size() const { return offset.empty() ? 0 : offset.size() - 1; }
  std::size_t point_count() const { return lon.size(); }
  std::size_t length(std::size_t trip) const {
    return static_cast<std::size_t>(offset[trip + 1] - offset[trip]);
  }
};

/// What the warning about a trip of one point says, for those who leave such trips out and say so themselves.
inline constexpr std::string_view one_point_kept = "trip of one point kept";

/// What to do with a trip whose time runs backwards: stop with a DataError, put its points in order of time
/// (equal times keep their order), or leave it. The last two count a warning.
enum class TimeBackwards : std::uint8_t { refuse, sort, keep };

struct TripOptions {
  TimeBackwards backwards = TimeBackwards::refuse;
  double max_speed_m_s = 100;        ///< a faster step is a jump; above 0; only with times
  double max_step_m = 0;             ///< a longer step is a jump; above 0, or 0: no such check
  std::vector<std::string> users{};  ///< one per trip in order, for files that name none; or empty
};

/// Groups points into trips: by user and trip name where the file has both, by either where it has one, and
/// as one trip where it has neither. Jumps and trips of one point are counted and kept.
///
/// DataError: time running backwards (if refused); points without the name that tells trips apart, or trips under two names, as far as that shows
/// (io/identity.hpp): each trip is one, whoever else is in the file. InvalidOption: a limit out of range, `users` of another
/// length than the trips or given where the file has users.
/// Cost: linear in the points, plus sorting where time runs backwards.
Trips make_trips(const io::PointTable& points, const TripOptions& options);

/// The same from points that are not needed any more: those that already lie trip by trip and in order are taken over instead of copied.
Trips make_trips(io::PointTable&& points, const TripOptions& options);

/// Throws DataError, with the number of trips at fault, unless each trip names a user, and each user has one name as far as that shows: what a promise for users
/// stands on.
void require_users(const Trips& trips);

}  // namespace fogline::mobility
