// SPDX-License-Identifier: Apache-2.0
#include "traces/roads/legal_paths.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::traces::legal_paths_test {
namespace {

using roads::Direction;

/// Roads of 100 m; the bridge goes over b-c without a junction.
///
///              f
///              |         the bridge from d to f
///     a --- b -+- c
///           |  |
///           g  d
///
/// a-b both ways, b-c from b to c only, g-b both ways.
class Town : public testing::Test {
 protected:
  static constexpr PlanePoint a{100, 300}, b{200, 300}, c{300, 300}, d{250, 200}, f{250, 400}, g{200, 200};

  Town() {
    for (const PlanePoint& p : {a, b, c, d, f, g}) network_.position.push_back(frame_.outward({p.x, p.y}));
    const auto road = [&](graph::VertexId tail, graph::VertexId head, Direction direction) {
      network_.roads.push_back({.tail = tail, .head = head, .length_mm = 100'000, .direction = direction});
    };
    road(0, 1, Direction::both);     // a-b
    road(1, 2, Direction::forward);  // b to c
    road(1, 5, Direction::both);     // b-g
    road(3, 4, Direction::both);     // the bridge
  }

  bool is_legal(const std::vector<PlanePoint>& points, double tolerance_m = 1) const {
    TripSet trips;
    trips.point = points;
    trips.end_trip();
    return legal_share(trips, network_, frame_, {.tolerance_m = tolerance_m}) == 1;
  }

  Frame frame_ = Frame::parse("-8.61,41.14,-8.60,41.15", Frame::Unit::degrees);
  roads::RoadNetwork network_;
};

TEST_F(Town, ADriveAlongRoadsIsLegal) {
  EXPECT_TRUE(is_legal({a, b, c}));
  EXPECT_TRUE(is_legal({a, c})) << "one step over two roads";
  EXPECT_TRUE(is_legal({{120, 300}, {160, 300}, {250, 300}})) << "from within a road to within another";
  EXPECT_TRUE(is_legal({a, b, g, b, a})) << "turning round where a road ends";
  EXPECT_TRUE(is_legal({d, f, d}));
}

TEST_F(Town, AgainstAOneWayStreetIsNot) {
  EXPECT_FALSE(is_legal({c, b}));
  EXPECT_FALSE(is_legal({a, c, b}));
  EXPECT_FALSE(is_legal({{260, 300}, {240, 300}}));
}

TEST_F(Town, RoadsThatCrossWithoutMeetingAreNoWayRound) {
  EXPECT_FALSE(is_legal({b, {250, 300}, d})) << "down from the road under the bridge";
  EXPECT_FALSE(is_legal({d, {250, 300}, c}));
}

TEST_F(Town, CornersAreNotCut) {
  EXPECT_TRUE(is_legal({a, b, g}));
  EXPECT_FALSE(is_legal({a, g})) << "the corner at b is 70 m from the straight line";
  EXPECT_TRUE(is_legal({a, g}, 75));
}

TEST_F(Town, ToleranceIsHowFarFromARoad) {
  EXPECT_TRUE(is_legal({{120, 304}, {180, 296}}, 5));
  EXPECT_FALSE(is_legal({{120, 306}, {180, 300}}, 5)) << "begins off the road";
  EXPECT_FALSE(is_legal({{120, 300}, {180, 306}}, 5)) << "ends off the road";
  EXPECT_FALSE(is_legal({a, {150, 330}, b}, 5)) << "leaves it on the way";
  EXPECT_FALSE(is_legal({g, d}, 5)) << "from road to road where there is none";
}

/// Turning round is for junctions: on a two-way road a step back needs the other direction, which is entered at an end.
TEST_F(Town, NobodyTurnsRoundInTheMiddleOfARoad) {
  EXPECT_TRUE(is_legal({{120, 300}, {180, 300}, {200, 300}, {180, 300}}));
  EXPECT_FALSE(is_legal({{120, 300}, {160, 300}, {130, 300}}));
}

TEST_F(Town, TheShareCountsTrips) {
  TripSet trips;
  for (const auto& [from, to] : {std::pair(a, b), std::pair(c, b), std::pair(b, c), std::pair(a, d)}) {
    trips.point.insert(trips.point.end(), {from, to});
    trips.end_trip();
  }
  for (const int threads : {1, 2})
    EXPECT_EQ(legal_share(trips, network_, frame_, {.parallel = {.threads = threads}}), 0.5);
  EXPECT_THROW(legal_share({}, network_, frame_, {}), InvalidOption);
  for (const double tolerance_m : {0.0, -1.0, 100.5})
    EXPECT_THROW(legal_share(trips, network_, frame_, {.tolerance_m = tolerance_m}), InvalidOption);
}

}  // namespace
}  // namespace fogline::traces::legal_paths_test
