// SPDX-License-Identifier: Apache-2.0
#include "traces/counts/counts_file.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "privacy/test_folder.hpp"
#include "random/key.hpp"

namespace fogline::traces::counts_file_test {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

TraceStatistics::Options counted_options() {
  return {.frame = Frame::parse("0,0,6000,6000", Frame::Unit::metres), .epsilon = privacy::Epsilon{1, 1}};
}

/// Thirty trips along the diagonal of a square.
TripSet counted_trips() {
  TripSet set;
  for (int i = 0; i < 30; ++i) {
    for (int p = 0; p < 9; ++p) {
      set.point.push_back({static_cast<float>(100 * i + 300 * p), static_cast<float>(600 * p)});
      set.t.push_back(30'000 + 600 * i + 60 * p);
    }
    set.user.push_back(static_cast<std::uint32_t>(i % 7));
    set.end_trip();
  }
  return set;
}

NoisyStatistics counted(const TraceStatistics& statistics, std::uint64_t seed = 3) {
  random::Stream noise = random::SeededKey(seed).stream("traces");
  return statistics.release(counted_trips(), noise);
}

void expect_same(const NoisyStatistics& a, const NoisyStatistics& b) {
  EXPECT_EQ(a.trips, b.trips);
  EXPECT_EQ(a.layout.share, b.layout.share);
  EXPECT_EQ(a.layout.fine, b.layout.fine);
  for (std::size_t s = 0; s < statistic_count; ++s) {
    EXPECT_EQ(a.table[s].value, b.table[s].value);
    EXPECT_EQ(a.table[s].scale, b.table[s].scale);
  }
  EXPECT_EQ(a.favour, b.favour);
  EXPECT_EQ(a.coarse_favour, b.coarse_favour);
  ASSERT_EQ(a.strings.size(), b.strings.size());
  for (std::size_t i = 0; i < a.strings.size(); ++i) EXPECT_EQ(a.strings[i], b.strings[i]);
}

/// Whoever reads the file knows what the release knew, whatever it asked.
TEST(CountsFile, GivesBackEverythingThatIsKnown) {
  std::vector<TraceStatistics::Options> all(4, counted_options());
  all[1].has_time = true;
  all[2].unit = Unit::user;
  all[2].trips_per_user = 3;
  all[3].public_trips = 200'000;  // asks for strings, and on a finer grid
  for (const TraceStatistics::Options& options : all) {
    const TraceStatistics statistics(options);
    const NoisyStatistics known = counted(statistics);
    const std::string text = counts_text(known, statistics);
    expect_same(known, parse_counts(text, "counts", statistics));
    EXPECT_EQ(count_of_counts(known) > 60'000, options.public_trips.has_value());
  }
}

/// The finest grid and the largest noise fit into the limits.
TEST(CountsFile, HoldsTheLargestCounts) {
  TraceStatistics::Options options = counted_options();
  options.epsilon = privacy::Epsilon{1, 1000};
  options.unit = Unit::user;
  options.trips_per_user = 1000;
  options.public_trips = 1'000'000'000;
  options.has_time = true;
  const TraceStatistics statistics(options);
  const NoisyStatistics known = counted(statistics);
  expect_same(known, parse_counts(counts_text(known, statistics), "counts", statistics));
}

/// Nothing but what met noise, what follows from that, and the request: the same counts have the same text whoever was counted.
TEST(CountsFile, TellsOfTheTripsByTheirNoisyCountsAlone) {
  const TraceStatistics statistics(counted_options());
  const NoisyStatistics known = counted(statistics);
  AnswersSoFar again(statistics);
  for (std::size_t s = 0; s < statistic_count; ++s) {
    if (!again.asks(static_cast<Statistic>(s))) continue;
    std::vector<std::int64_t> steps;
    for (const double value : known.table[s].value)
      steps.push_back(static_cast<std::int64_t>(value * TraceStatistics::per_trip));
    again.take(static_cast<Statistic>(s), steps);
  }
  EXPECT_EQ(counts_text(again.known(), statistics), counts_text(known, statistics));
}

class RefusedCounts : public testing::Test {
 protected:
  std::string refusal(const std::string& text) const {
    try {
      parse_counts(text, "counts", statistics_);
    } catch (const DataError& error) {
      return error.what();
    }
    return "accepted";
  }
  std::string refusal_after(const std::function<void(Json&)>& change) const {
    Json json = Json::parse(text_);
    change(json);
    return refusal(json.dump());
  }

  TraceStatistics statistics_{counted_options()};
  std::string text_ = counts_text(counted(statistics_), statistics_);
};

TEST_F(RefusedCounts, NameTheField) {
  EXPECT_EQ(refusal(text_), "accepted");
  EXPECT_THAT(refusal_after([](Json&) {}), HasSubstr("another spelling"));
  EXPECT_THAT(refusal(text_ + "\n"), HasSubstr("another spelling"));
  EXPECT_THAT(refusal_after([](Json& j) { j["tables"].erase("starts"); }), HasSubstr("tables.starts"));
  EXPECT_THAT(refusal_after([](Json& j) { j["tables"]["starts"]["counts"].erase(0); }),
              HasSubstr("\"tables.starts.counts\" must hold 900 numbers, not 899"));
  for (const Json& bad :
       {Json(1.5), Json("7"), Json(nullptr), Json((std::int64_t{1} << 53) + 1),
        Json(-(std::int64_t{1} << 53) - 1), Json(std::numeric_limits<std::uint64_t>::max()), Json(1e300)})
    EXPECT_THAT(
        refusal_after([&](Json& j) { j["tables"]["turns"]["counts"][1] = bad; }),
        HasSubstr("\"tables.turns.counts\" must hold whole numbers within 2^53 of 0, unlike that at place 2"))
        << bad;
  EXPECT_THAT(refusal_after([](Json& j) { j["tables"]["turns"]["epsilon"] = "1"; }),
              HasSubstr("tables.turns.epsilon"));
  EXPECT_THAT(refusal_after([](Json& j) { j["epsilon"] = "2"; }),
              HasSubstr("field \"epsilon\" is not what follows"));
  EXPECT_THAT(refusal_after([](Json& j) { j["favour"]["medium"][0] = 1; }), HasSubstr("favour.medium"));
  EXPECT_THAT(refusal_after([](Json& j) { j["private_trips"] = 30; }), HasSubstr("private_trips"));
  EXPECT_THAT(refusal_after([](Json& j) { j["tables"]["hours"] = Json::object(); }),
              HasSubstr("tables.hours"));
  EXPECT_THAT(refusal_after([](Json& j) { j["\x01"] = 30; }), HasSubstr("(unprintable name)"));
}

TEST_F(RefusedCounts, MayBeAnything) {
  for (const std::string text : {"", "[]", "{}", "{\"tables\":[]}", "7", "\xEF\xBB\xBF{}"})
    EXPECT_NE(refusal(text), "accepted") << text;
  EXPECT_THAT(refusal(std::string(5'000'000, ' ')), HasSubstr("more than 4,194,304 bytes"));
  std::string objects = "{\"tables\":[";
  for (int i = 0; i < 100; ++i) objects += "{},";
  EXPECT_THAT(refusal(objects + "{}]}"), HasSubstr("holds more than 64 objects"));
}

TEST_F(RefusedCounts, AreThoseOfAnotherRelease) {
  TraceStatistics::Options options = counted_options();
  options.epsilon = privacy::Epsilon{2, 1};
  EXPECT_THROW(parse_counts(text_, "counts", TraceStatistics(options)), DataError);
  options = counted_options();
  options.frame = Frame::parse("0,0,6000,6001", Frame::Unit::metres);
  EXPECT_THROW(parse_counts(text_, "counts", TraceStatistics(options)), DataError);
}

TEST(CountsFile, IsReadFromItsFile) {
  const privacy::TestFolder folder;
  const TraceStatistics statistics(counted_options());
  const NoisyStatistics known = counted(statistics);
  std::ofstream(folder.path("a.counts.json"), std::ios::binary) << counts_text(known, statistics);
  expect_same(known, read_counts(folder.path("a.counts.json"), statistics));
  EXPECT_THROW(read_counts(folder.path("none"), statistics), FileError);
}

}  // namespace
}  // namespace fogline::traces::counts_file_test
