// SPDX-License-Identifier: Apache-2.0
#include "io/timestamp.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "io/numbers.hpp"
#include "io/words.hpp"

namespace fogline::io {
namespace {

/// Takes pieces off the front of a text; once one is missing, `ok` stays false.
struct Scanner {
  std::string_view rest;
  bool ok = true;

  int digits(std::size_t count) {
    int value = 0;
    if (rest.size() < count) ok = false;
    for (std::size_t i = 0; ok && i < count; ++i) {
      const char c = rest[i];
      if (c < '0' || c > '9') ok = false;
      value = value * 10 + (c - '0');
    }
    if (ok) rest.remove_prefix(count);
    return ok ? value : 0;
  }
  bool accept(char c) {
    if (!ok || !rest.starts_with(c)) return false;
    rest.remove_prefix(1);
    return true;
  }
  void expect(char c) { ok = accept(c); }
  int one_or_two_digits() {
    const bool two = rest.size() > 1 && rest[1] >= '0' && rest[1] <= '9';
    return digits(two ? 2 : 1);
  }
  /// Any of these, and which it was.
  char separator(std::string_view allowed) {
    const char c = ok && !rest.empty() ? rest.front() : '\0';
    ok = ok && c != '\0' && allowed.find(c) != std::string_view::npos;
    if (ok) rest.remove_prefix(1);
    return c;
  }
  /// A word in either case, perhaps after a blank.
  bool accept_word(std::string_view lower) {
    if (!ok) return false;
    const std::size_t blank = rest.starts_with(' ') ? 1 : 0;
    if (lower_case(rest.substr(std::min(blank, rest.size()), lower.size())) != lower) return false;
    rest.remove_prefix(blank + lower.size());
    return true;
  }
};

bool skip_fraction(Scanner& scan) {
  if (!scan.accept('.') && !scan.accept(',')) return false;
  bool nonzero = false;
  scan.ok = !scan.rest.empty() && scan.rest.front() >= '0' && scan.rest.front() <= '9';
  while (scan.ok && !scan.rest.empty() && scan.rest.front() >= '0' && scan.rest.front() <= '9') {
    nonzero = nonzero || scan.rest.front() != '0';
    scan.rest.remove_prefix(1);
  }
  return nonzero;
}

int offset_s(Scanner& scan) {
  const int sign = scan.accept('-') ? -1 : 1;
  if (sign == 1) scan.expect('+');
  const int hours = scan.digits(2);
  scan.accept(':');
  const int minutes = scan.rest.empty() ? 0 : scan.digits(2);
  if (hours > 23 || minutes > 59) scan.ok = false;
  return sign * (hours * 3600 + minutes * 60);
}

struct CivilDate {
  int year = 0, month = 0, day = 0;
};

/// 2026-11-15 or 2026/11/15.
CivilDate date_from_year(Scanner& scan) {
  CivilDate date;
  date.year = scan.digits(4);
  const char separator = scan.separator("-/");
  date.month = scan.digits(2);
  scan.expect(separator);
  date.day = scan.digits(2);
  return date;
}

/// 15/11/2026, 15.11.2026 or 15-11-2026; the first two may have one digit.
CivilDate date_to_year(Scanner& scan, TimeFormat format) {
  CivilDate date;
  int& first = format == TimeFormat::day_first ? date.day : date.month;
  int& second = format == TimeFormat::day_first ? date.month : date.day;
  first = scan.one_or_two_digits();
  const char separator = scan.separator("/.-");
  second = scan.one_or_two_digits();
  scan.expect(separator);
  date.year = scan.digits(4);
  return date;
}

/// Seconds of the day: 08:15, 8:15:00, 08:15:00.250 or 8:15 PM.
int time_of_day_s(Scanner& scan, bool& had_fraction) {
  int hour = scan.one_or_two_digits();
  scan.expect(':');
  const int minute = scan.digits(2);
  int second = 0;
  if (scan.accept(':')) {
    second = scan.digits(2);
    had_fraction = skip_fraction(scan);
  }
  const bool is_morning = scan.accept_word("am"), is_afternoon = !is_morning && scan.accept_word("pm");
  if (is_morning || is_afternoon) {
    if (hour < 1 || hour > 12) scan.ok = false;
    hour = hour % 12 + (is_afternoon ? 12 : 0);
  }
  // 60 is a leap second, which unix time counts as the next one.
  if (hour > 23 || minute > 59 || second > 60) scan.ok = false;
  return hour * 3600 + minute * 60 + second;
}

std::optional<Timestamp> parse_calendar(std::string_view text, TimeFormat format) {
  Scanner scan{text};
  const bool begins_with_year = text.size() > 4 && (text[4] == '-' || text[4] == '/');
  if (!begins_with_year && format == TimeFormat::year_first) return std::nullopt;
  const CivilDate date = begins_with_year ? date_from_year(scan) : date_to_year(scan, format);
  if (!scan.accept('T') && !scan.accept('t')) scan.expect(' ');
  Timestamp moment{.unit = Timestamp::Unit::calendar};
  const int day_s = time_of_day_s(scan, moment.had_fraction);
  int zone_s = 0;
  if (scan.rest.empty()) {
    moment.had_no_zone = true;
  } else if (!scan.accept('Z') && !scan.accept('z') && !scan.accept_word("utc") && !scan.accept_word("gmt")) {
    scan.accept(' ');
    zone_s = offset_s(scan);
  }
  const std::chrono::year_month_day civil{std::chrono::year{date.year},
                                          std::chrono::month{static_cast<unsigned>(date.month)},
                                          std::chrono::day{static_cast<unsigned>(date.day)}};
  if (!scan.ok || !scan.rest.empty() || !civil.ok()) return std::nullopt;
  moment.unix_s =
      std::chrono::sys_days{civil}.time_since_epoch().count() * std::int64_t{86'400} + day_s - zone_s;
  return moment;
}

/// Thirteen digits are milliseconds, of 2001 to 2286; as seconds they would lie beyond the year 9999.
constexpr std::int64_t least_ms = 1'000'000'000'000, most_ms = 9'999'999'999'999;

std::optional<Timestamp> parse_number(std::string_view text) {
  const auto whole = parse_int64(text);
  const auto number = whole ? std::nullopt : parse_double(text);
  if (!whole && (!number || std::abs(*number) > 1e15)) return std::nullopt;
  const std::int64_t floor = whole ? *whole : static_cast<std::int64_t>(std::floor(*number));
  const bool had_fraction = !whole && static_cast<double>(floor) != *number;
  if (floor < least_ms || floor > most_ms) return Timestamp{.unix_s = floor, .had_fraction = had_fraction};
  return Timestamp{.unix_s = floor / 1000,
                   .had_fraction = had_fraction || floor % 1000 != 0,
                   .unit = Timestamp::Unit::milliseconds};
}

}  // namespace

std::optional<Timestamp> parse_timestamp(std::string_view text, TimeFormat format) {
  auto moment = parse_number(text);
  if (!moment) moment = parse_calendar(text, format);
  if (!moment || moment->unix_s < earliest_unix_s || moment->unix_s > latest_unix_s) return std::nullopt;
  return moment;
}

std::optional<Timestamp> TimeReader::read(std::string_view text) {
  auto moment = parse_timestamp(text, format_);
  if (!moment) {
    problem_ = problem_of(text);
    return moment;
  }
  if (moment->unit == Timestamp::Unit::calendar) return moment;
  if (!number_unit_) number_unit_ = moment->unit;
  if (*number_unit_ == moment->unit) return moment;
  problem_ = {"the time is in milliseconds where others are in seconds, or the other way round",
              "write all times in one unit"};
  return std::nullopt;
}

TimeReader::Problem TimeReader::problem_of(std::string_view text) const {
  const bool day_first = parse_timestamp(text, TimeFormat::day_first).has_value();
  const bool month_first = parse_timestamp(text, TimeFormat::month_first).has_value();
  if (format_ == TimeFormat::year_first && (day_first || month_first))
    return {"the time does not begin with the year: its first number is a day or a month",
            "say which with `time-format` day-first or month-first"};
  if (day_first || month_first)
    return {"the time has a month above 12",
            day_first ? "is it `time-format` day-first?" : "is it `time-format` month-first?"};
  if (parse_number(text))
    return {
        "the time is a number, but neither seconds nor milliseconds since 1970, or outside the years 1 to "
        "9999",
        "divide microseconds by 1000000, and nanoseconds by 1000000000"};
  return {"the time is neither unix seconds nor ISO 8601, or outside the years 1 to 9999",
          "write 1794729600 or 2026-11-15T08:00:00Z, date and time of day in one column"};
}

}  // namespace fogline::io
