// SPDX-License-Identifier: Apache-2.0
#include "traces/counts/move_strings.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "random/key.hpp"
#include "traces/beliefs/move_beliefs.hpp"
#include "traces/frame/trip_shape.hpp"
#include "traces/invention/coarse_ways.hpp"
#include "traces/invention/curve.hpp"
#include "traces/invention/quick_random.hpp"

namespace fogline::traces::move_strings_test {
namespace {

using testing::ElementsAre;

constexpr float town_m = 6000;  // coarse cells of one kilometre

/// Trips straight east through the southernmost row, and as many that turn north in its middle, with hardly any noise.
NoisyStatistics known_of_two_ways(std::size_t trips_each) {
  TripSet set;
  for (std::size_t i = 0; i < trips_each; ++i) {
    const float y = 100 + static_cast<float>(i % 8) * 100;
    for (int k = 0; k < 30; ++k) set.point.push_back({200 + 190 * static_cast<float>(k), y});
    set.end_trip();
    for (int k = 0; k < 15; ++k) set.point.push_back({200 + 190 * static_cast<float>(k), y});
    for (int k = 0; k < 15; ++k) set.point.push_back({2860, y + 190 * static_cast<float>(k)});
    set.end_trip();
  }
  const TraceStatistics statistics(
      {.frame = Frame::parse("0,0,6000,6000", Frame::Unit::metres), .epsilon = privacy::Epsilon{1000, 1}});
  random::Stream noise = random::SeededKey(4).stream("traces");
  return statistics.release(set, noise);
}

std::vector<std::uint32_t> found_in(const MoveStrings& asked, std::vector<std::uint32_t> walk) {
  std::vector<std::uint32_t> found;
  asked.each_from(std::span<const std::uint32_t>(walk), 0, walk.size(),
                  [&](std::uint32_t s) { found.push_back(s); });
  return found;
}

TEST(MoveStrings, AreFoundWhereverTheyOccur) {
  const MoveStrings asked({{0, 1, 2, 3}, {1, 2, 3, 4}, {0, 1, 2, 3, 4}, {0, 1, 0, 1}});
  EXPECT_THAT(found_in(asked, {0, 1, 2, 3, 4}), ElementsAre(0, 2, 1));
  EXPECT_THAT(found_in(asked, {0, 1, 0, 1, 0, 1}), ElementsAre(3, 3));
  EXPECT_THAT(found_in(asked, {0, 1, 2}), ElementsAre());
  EXPECT_THAT(found_in(asked, {5}), ElementsAre());
  EXPECT_THAT(found_in(MoveStrings(), {0, 1, 2, 3}), ElementsAre());
}

TEST(MoveStrings, AreFoundFromAPlaceOnAlone) {
  const MoveStrings asked({{0, 1, 2, 3}, {2, 3, 4, 5}});
  const std::vector<std::uint32_t> walk{0, 1, 2, 3, 4, 5};
  std::vector<std::uint32_t> found;
  asked.each_from(std::span<const std::uint32_t>(walk), 1, walk.size(),
                  [&](std::uint32_t s) { found.push_back(s); });
  EXPECT_THAT(found, ElementsAre(1));
}

TEST(LikelyStrings, AreThoseThatTripsMake) {
  const NoisyStatistics known = known_of_two_ways(40);
  ASSERT_EQ(known.strings.size(), Layout::most_strings);
  const auto place = [&](const MoveStrings::String& wanted) {
    std::size_t at = 0;
    while (at < known.strings.size() && known.strings[at] != wanted) ++at;
    return at;
  };
  // All that occur come before what noise alone makes up.
  for (const MoveStrings::String& s : std::vector<MoveStrings::String>{
           {0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}, {0, 1, 2, 8}, {0, 1, 2, 3, 4}, {0, 1, 2, 3, 4, 5}})
    EXPECT_LT(place(s), 20U) << static_cast<int>(s.back());
  const MoveBeliefs moves = believed_moves(known);
  const Estimate believed = believed_strings(known, moves);
  // Forty trips, each with six strings among those asked about, of which one is this.
  EXPECT_NEAR(believed.mean[place({0, 1, 2, 3})], 40.0 / 6, 2.5);
  EXPECT_LT(believed.mean.back(), 1);
}

TEST(LikelyStrings, AreNotAskedAboutIfLittleCanBeTold) {
  const TraceStatistics statistics(
      {.frame = Frame::parse("0,0,6000,6000", Frame::Unit::metres), .epsilon = privacy::Epsilon{1, 1}});
  TripSet set;
  for (int i = 0; i < 20; ++i) {
    set.point.insert(set.point.end(), {{10, 10}, {5000, 4000}});
    set.end_trip();
  }
  random::Stream noise = random::SeededKey(5).stream("traces");
  const NoisyStatistics known = statistics.release(set, noise);
  EXPECT_EQ(known.strings.size(), 0U);
  const Beliefs beliefs = believe(known);
  EXPECT_TRUE(beliefs.strings.mean.empty());
  EXPECT_EQ(beliefs.coarse_visits.mean.size(), std::size_t{Layout::coarse} * Layout::coarse);
}

class WaysOfTwo : public testing::Test {
 protected:
  const Beliefs beliefs_ = believe(known_of_two_ways(40));
  const CoarseWays ways_{beliefs_};
  QuickRandom random_{random::SeededKey(6).stream("ways")};
  std::vector<std::uint16_t> cells_;
};

TEST_F(WaysOfTwo, LeadFromEndToEndAsTripsMove) {
  int straight = 0;
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(ways_.draw({.from = 0, .to = 5, .moves = 5}, random_, cells_));
    ASSERT_EQ(cells_.size(), 6U);
    EXPECT_EQ(cells_.front(), 0);
    EXPECT_EQ(cells_.back(), 5);
    straight += cells_ == std::vector<std::uint16_t>{0, 1, 2, 3, 4, 5} ? 1 : 0;
  }
  EXPECT_GT(straight, 190);
}

TEST_F(WaysOfTwo, AreNotDrawnWhereThereAreNone) {
  EXPECT_FALSE(ways_.draw({.from = 0, .to = 5, .moves = 4}, random_, cells_));  // too far
  EXPECT_FALSE(ways_.draw({.from = 0, .to = 0, .moves = 0}, random_, cells_));
  EXPECT_FALSE(ways_.draw({.from = 0, .to = 5, .moves = CoarseWays::most_moves + 1}, random_, cells_));
  EXPECT_TRUE(ways_.draw({.from = 0, .to = 5, .moves = CoarseWays::most_moves}, random_, cells_));
}

TEST_F(WaysOfTwo, BecomeCurvesOverTheirCells) {
  const CurveDrawer drawer(beliefs_, random_);
  const std::vector<std::uint16_t> over{0, 1, 7, 8, 14};
  const PlanePoint start{500, 500}, end{2500, 2500};
  std::vector<PlanePoint> nodes(32);
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(drawer.draw_over(over, start, end, {.length_m = 4000, .diameter_m = 2900}, random_, nodes));
    EXPECT_NEAR(length_m(nodes), 4000, 500);
    EXPECT_EQ(nodes.front().x, start.x);
    EXPECT_EQ(nodes.back().y, end.y);
    for (const PlanePoint& p : nodes) EXPECT_TRUE(p.x >= 0 && p.y >= 0 && p.x <= town_m && p.y <= town_m);
  }
  EXPECT_FALSE(drawer.draw_over(over, start, end, {.length_m = 2000, .diameter_m = 2900}, random_, nodes));
}

}  // namespace
}  // namespace fogline::traces::move_strings_test
