// SPDX-License-Identifier: Apache-2.0
#include "io/timestamp.hpp"

#include <chrono>
#include <cmath>

#include "io/numbers.hpp"

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

std::optional<Timestamp> parse_iso(std::string_view text) {
  Scanner scan{text};
  const int year = scan.digits(4);
  scan.expect('-');
  const int month = scan.digits(2);
  scan.expect('-');
  const int day = scan.digits(2);
  if (!scan.accept('T') && !scan.accept('t')) scan.expect(' ');
  const int hour = scan.digits(2);
  scan.expect(':');
  const int minute = scan.digits(2);
  scan.expect(':');
  const int second = scan.digits(2);

  Timestamp moment;
  moment.had_fraction = skip_fraction(scan);
  int zone_s = 0;
  if (scan.rest.empty()) {
    moment.had_no_zone = true;
  } else if (!scan.accept('Z') && !scan.accept('z')) {
    zone_s = offset_s(scan);
  }
  const std::chrono::year_month_day date{std::chrono::year{year},
                                         std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  // 60 is a leap second, which unix time counts as the next one.
  if (!scan.ok || !scan.rest.empty() || !date.ok() || hour > 23 || minute > 59 || second > 60) {
    return std::nullopt;
  }
  const std::int64_t days = std::chrono::sys_days{date}.time_since_epoch().count();
  moment.unix_s = days * 86'400 + hour * 3600 + minute * 60 + second - zone_s;
  return moment;
}

std::optional<Timestamp> parse_unix(std::string_view text) {
  if (const auto whole = parse_int64(text)) return Timestamp{*whole};
  const auto number = parse_double(text);
  if (!number || std::abs(*number) > 1e15) return std::nullopt;
  const double floor = std::floor(*number);
  return Timestamp{static_cast<std::int64_t>(floor), floor != *number};
}

}  // namespace

std::optional<Timestamp> parse_timestamp(std::string_view text) {
  auto moment = parse_unix(text);
  if (!moment) moment = parse_iso(text);
  if (!moment || moment->unix_s < earliest_unix_s || moment->unix_s > latest_unix_s) return std::nullopt;
  return moment;
}

}  // namespace fogline::io
