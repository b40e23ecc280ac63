// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fogline::io {

/// How a date that does not begin with the year is written. Nothing in a file shows it for certain: 04/05/2020 is two
/// days. It is said, never guessed from private times.
enum class TimeFormat : std::uint8_t {
  year_first,  ///< ISO 8601, or numbers
  day_first,   ///< also 31/12/2020 08:15
  month_first  ///< also 12/31/2020 08:15
};

/// A moment as files write it, in whole unix seconds (rounded down).
struct Timestamp {
  enum class Unit : std::uint8_t { calendar, seconds, milliseconds };
  std::int64_t unix_s = 0;
  bool had_fraction = false;  ///< a fraction of a second was cut off
  bool had_no_zone = false;   ///< a calendar date without Z or offset, read as UTC
  Unit unit = Unit::seconds;
};

/// Years 1 to 9999.
constexpr std::int64_t earliest_unix_s = -62'135'596'800;
constexpr std::int64_t latest_unix_s = 253'402'300'799;

/// Reads unix seconds ("1794729600", "1794729600.25"), milliseconds (13 digits: "1794729600250") or ISO 8601
/// ("2026-11-15T08:00:00Z", with a blank for the T, slashes for the hyphens, with a fraction, without seconds, with AM
/// or PM, with UTC, GMT or an offset such as +01:00 or +0100, or without zone). Anything else, dates that do not exist
/// and years outside 1 to 9999 give nothing.
///
///     parse_timestamp("2026-11-15T08:00:00Z")->unix_s;   // 1794729600
std::optional<Timestamp> parse_timestamp(std::string_view text, TimeFormat format = TimeFormat::year_first);

/// The times of one file, whose numbers must all be seconds or all be milliseconds.
///
///     TimeReader times(TimeFormat::day_first);
///     if (const auto moment = times.read("31/12/2020 08:15")) use(moment->unix_s);
///     else throw DataError(spot, times.problem().what, times.problem().what_to_try);
class TimeReader {
 public:
  struct Problem {
    std::string_view what, what_to_try;
  };
  explicit TimeReader(TimeFormat format) : format_(format) {}

  std::optional<Timestamp> read(std::string_view text);
  const Problem& problem() const {
    return problem_;
  }  ///< of the last text that was no time; without its value

 private:
  Problem problem_of(std::string_view text) const;

  TimeFormat format_;
  std::optional<Timestamp::Unit> number_unit_ = {};
  Problem problem_ = {};
};

}  // namespace fogline::io
