// SPDX-License-Identifier: Apache-2.0
#include "io/timestamp.hpp"

#include <ctime>

#include <fmt/chrono.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace fogline::io::timestamp_test {
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
        "2026-11-15T08:00:00+24:00", "2026-11-15T08:00:00+1", "179472960000000", "1e300", "nan",
        "0000-01-01T00:00:00Z"}) {
    EXPECT_FALSE(parse_timestamp(text)) << text;
  }
}

TEST(Timestamp, ReadsOtherCommonForms) {
  for (const char* text : {"1794729600000", "1794729600000.0", "2026-11-15 08:00", "2026/11/15 08:00:00",
                           "2026-11-15 8:00:00 AM", "2026-11-15 08:00:00 UTC", "2026-11-15 08:00:00 +0000"})
    EXPECT_EQ(parse_timestamp(text).value().unix_s, 1794729600) << text;
  EXPECT_EQ(parse_timestamp("2026-11-15 08:00 pm")->unix_s, 1794729600 + 12 * 3600);
  EXPECT_EQ(parse_timestamp("2026-11-15 12:05 AM")->unix_s, 1794729600 - 8 * 3600 + 300);
  EXPECT_TRUE(parse_timestamp("1794729600250")->had_fraction);
  for (const char* text :
       {"2026-11-15 13:00 PM", "2026-11-15 00:00 AM", "2026-11/15 08:00", "15/11/2026 08:00"})
    EXPECT_FALSE(parse_timestamp(text)) << text;
}

TEST(Timestamp, TheOrderOfDayAndMonthIsSaidNotGuessed) {
  for (const char* text : {"15/11/2026 08:00", "15.11.2026 8:00:00", "15-11-2026 08:00"})
    EXPECT_EQ(parse_timestamp(text, TimeFormat::day_first).value().unix_s, 1794729600) << text;
  EXPECT_EQ(parse_timestamp("11/15/2026 8:00 AM", TimeFormat::month_first)->unix_s, 1794729600);
  EXPECT_EQ(parse_timestamp("2026-11-15T08:00:00Z", TimeFormat::day_first)->unix_s, 1794729600);
  EXPECT_FALSE(parse_timestamp("11/15/2026 08:00", TimeFormat::day_first));
}

TEST(TimeReader, TellsWhatIsWrongByName) {
  const auto problem = [](const char* text, TimeFormat format = TimeFormat::year_first) {
    TimeReader reader(format);
    EXPECT_FALSE(reader.read(text)) << text;
    return std::string(reader.problem().what) + "; " + std::string(reader.problem().what_to_try);
  };
  EXPECT_THAT(problem("31/12/2020 08:15"), testing::HasSubstr("`time-format` day-first or month-first"));
  EXPECT_THAT(problem("31/12/2020 08:15", TimeFormat::month_first),
              testing::HasSubstr("is it `time-format` day-first"));
  EXPECT_THAT(problem("1794729600000000"), testing::HasSubstr("divide microseconds"));
  EXPECT_THAT(problem("2020-12-31"), testing::HasSubstr("date and time of day in one column"));
  EXPECT_THAT(problem("08:15:00"), testing::HasSubstr("neither unix seconds nor ISO 8601"));
}

TEST(TimeReader, OneFileHasOneUnit) {
  TimeReader reader(TimeFormat::year_first);
  EXPECT_TRUE(reader.read("1794729600000"));
  EXPECT_TRUE(reader.read("2026-11-15T08:00:00Z"));
  EXPECT_FALSE(reader.read("1794729600"));
  EXPECT_THAT(std::string(reader.problem().what),
              testing::HasSubstr("milliseconds where others are in seconds"));
}

}  // namespace
}  // namespace fogline::io::timestamp_test
