// SPDX-License-Identifier: Apache-2.0
#include "traces/invention/emit.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "traces/frame/trip_shape.hpp"
#include "traces/test_town.hpp"

namespace fogline::traces::emit_test {
namespace {

class EmitTest : public testing::Test {
 protected:
  const Beliefs beliefs_ = believe(town_of_commuters(20));
  const random::PublicKey key_{"7"};
  const Outlines outlines_ = draw_outlines(beliefs_, 200, key_, {});
};

std::vector<std::pair<float, float>> sorted_starts(const TripSet& set) {
  std::vector<std::pair<float, float>> starts;
  for (std::size_t i = 0; i < set.size(); ++i)
    starts.emplace_back(set.trip(i).front().x, set.trip(i).front().y);
  std::sort(starts.begin(), starts.end());
  return starts;
}

TEST_F(EmitTest, TellsEveryOutlineOnceInAnotherOrder) {
  const TripSet set = emit(outlines_, beliefs_, key_, {});
  ASSERT_EQ(set.size(), outlines_.size());
  std::vector<std::pair<float, float>> wanted;
  std::size_t in_place = 0;
  for (std::size_t i = 0; i < outlines_.size(); ++i) {
    const PlanePoint start = outlines_.trip(i).front();
    wanted.emplace_back(start.x, start.y);
    if (distance_m(start, set.trip(i).front()) == 0) ++in_place;
  }
  std::sort(wanted.begin(), wanted.end());
  EXPECT_EQ(sorted_starts(set), wanted);
  EXPECT_LT(in_place, 10U);
}

TEST_F(EmitTest, GivesWholeSecondsThatRiseAndEndInTime) {
  const std::int64_t longest_s = 300;
  const TripSet set = emit(outlines_, beliefs_, key_, {.max_duration_s = longest_s});
  ASSERT_TRUE(set.has_time());
  for (std::size_t i = 0; i < set.size(); ++i) {
    const auto t = set.times(i);
    for (std::size_t p = 1; p < t.size(); ++p) EXPECT_GT(t[p], t[p - 1]);
    EXPECT_LE(t.back() - t.front(), longest_s);
    EXPECT_GE(t.front(), 0);
    EXPECT_LT(t.front(), 86'400);
  }
}

TEST_F(EmitTest, HasAsManyPointsAsStepsAskForWithoutTimes) {
  Beliefs timeless = beliefs_;
  timeless.hours.clear();
  const TripSet set = emit(outlines_, timeless, key_, {});
  EXPECT_FALSE(set.has_time());
  std::size_t points = 0;
  for (std::size_t i = 0; i < outlines_.size(); ++i)
    points +=
        static_cast<std::size_t>(std::max(2L, std::lround(outlines_.length_m[i] / outlines_.step_m[i]) + 1));
  EXPECT_EQ(set.point.size(), points);
}

TEST_F(EmitTest, KeepsPointsOnOpenGroundOrOnTheirOutline) {
  const auto nowhere = [](const PlanePoint&) { return false; };
  const TripSet set = emit(outlines_, beliefs_, key_, {.open = nowhere});
  // Nothing may be shaken off its outline, so that no trip is longer than that.
  std::vector<double> lengths, ways;
  for (std::size_t i = 0; i < set.size(); ++i) {
    lengths.push_back(length_m(set.trip(i)));
    ways.push_back(length_m(outlines_.trip(i)));
  }
  std::sort(lengths.begin(), lengths.end());
  std::sort(ways.begin(), ways.end());
  for (std::size_t i = 0; i < lengths.size(); ++i) EXPECT_LE(lengths[i], ways[i] * (1 + 1e-5));
}

}  // namespace
}  // namespace fogline::traces::emit_test
