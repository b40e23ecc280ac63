// SPDX-License-Identifier: Apache-2.0
#include "io/timestamp.hpp"

#include <ctime>

#include <fmt/chrono.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace fogline::io {
namespace {

TEST(Timestamp, ReadsUnixSeconds) {
  EXPECT_EQ(parse_timestamp("0")->unix_s, 0);
  EXPECT_EQ(parse_timestamp("-1")->unix_s, -1);
  EXPECT_EQ(parse_timestamp("1794729600")->unix_s, 1794729600);
  EXPECT_FALSE(parse_timestamp("1794729600.0")->had_fraction);
  EXPECT_TRUE(parse_timestamp("1794729600.25")->had_fraction);
  EXPECT_EQ(parse_timestamp("-0.5")->unix_s, -1);
}

TEST(Timestamp, ReadsIsoInItsUsualForms) {
  for (const char* text : {"2026-11-15T08:00:00Z", "2026-11-15 08:00:00Z", "2026-11-15T09:00:00+01:00",
                           "2026-11-15T03:30:00-0430", "2026-11-15T10:00:00+02", "2026-11-15t08:00:00z"}) {
    ASSERT_TRUE(parse_timestamp(text)) << text;
    EXPECT_EQ(parse_timestamp(text)->unix_s, 1794729600) << text;
    EXPECT_FALSE(parse_timestamp(text)->had_no_zone) << text;
  }
  EXPECT_TRUE(parse_timestamp("2026-11-15T08:00:00")->had_no_zone);
  EXPECT_TRUE(parse_timestamp("2026-11-15T08:00:00.125Z")->had_fraction);
  EXPECT_FALSE(parse_timestamp("2026-11-15T08:00:00.000Z")->had_fraction);
  EXPECT_EQ(parse_timestamp("2016-12-31T23:59:60Z")->unix_s, parse_timestamp("2017-01-01T00:00:00Z")->unix_s);
}

TEST(Timestamp, AgreesWithTheSystemCalendar) {
  EXPECT_TRUE(rc::check([] {
    const auto unix_s = *rc::gen::inRange<std::int64_t>(-60'000'000'000, 250'000'000'000);
    const std::time_t moment = unix_s;
    std::tm parts{};
    gmtime_r(&moment, &parts);
    char text[64];
    std::strftime(text, sizeof text, "T%H:%M:%SZ", &parts);
    const std::string date =
        fmt::format("{:04}-{:02}-{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
    RC_ASSERT(parse_timestamp(date + text)->unix_s == unix_s);
  }));
}

TEST(Timestamp, RefusesWhatIsNoMoment) {
  for (const char* text :
       {"", "yesterday", "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "2026-11-15", "2026-11-15T24:00:00Z",
        "2026-11-15T08:60:00Z", "2026-11-15T08:00:61Z", "2026-11-15T08:00:00.Z", "2026-11-15T08:00:00Zx",
        "2026-11-15T08:00:00+24:00", "2026-11-15T08:00:00+1", "1794729600000", "1e300", "nan",
        "0000-01-01T00:00:00Z"}) {
    EXPECT_FALSE(parse_timestamp(text)) << text;
  }
}

}  // namespace
}  // namespace fogline::io
