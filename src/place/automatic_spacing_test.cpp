// SPDX-License-Identifier: Apache-2.0
#include "place/automatic_spacing.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "place/catalogue.hpp"
#include "place/positions.hpp"
#include "roads/read_network.hpp"
#include "roads/snap_distance.hpp"
#include "roads/spacing.hpp"

namespace fogline::place::automatic_spacing_test {
namespace {

TEST(AutomaticSpacing, IsThreeQuartersOfTheInverseOfEpsilon) {
  EXPECT_EQ(automatic_spacing_mm({1, 100}, 500), 75'000u);
  EXPECT_EQ(automatic_spacing_mm({1, 50}, 500), 37'500u);
  EXPECT_EQ(automatic_spacing_mm({7, 100}, 500), 10'714u);  // down: no piece is longer than asked
}

TEST(AutomaticSpacing, IsNoFinerThanPositionsAreKnown) {
  EXPECT_EQ(automatic_spacing_mm({3, 20}, 500), 5'000u);
  EXPECT_EQ(automatic_spacing_mm({1, 1}, 500), 5'000u);
  EXPECT_EQ(automatic_spacing_mm({1000, 1}, 500), 5'000u);
}

TEST(AutomaticSpacing, LeavesNoPointOfARoadTooFar) {
  EXPECT_EQ(automatic_spacing_mm({1, 100'000}, 500), 900'000u);
  EXPECT_EQ(automatic_spacing_mm({1, 1}, 1), 1'800u);
  EXPECT_EQ(automatic_spacing_mm({1, 100}, 0.0001), 1u);
  EXPECT_EQ(automatic_spacing_mm({1, 100'000}, 1e7), 75'000'000u);
  rc::check("half a spacing is within the farthest distance, whatever epsilon", [] {
    const auto parts = *rc::gen::inRange<std::uint64_t>(1, 100'000);
    const double max_snap_m = *rc::gen::inRange<int>(1, 10'000'000);
    RC_ASSERT(automatic_spacing_mm({1, parts}, max_snap_m) / 2e3 < max_snap_m);
  });
}

TEST(AutomaticSpacing, RefusesADistanceThatIsNone) {
  EXPECT_THROW(automatic_spacing_mm({1, 100}, 0), InvalidOption);
}

/// Every seventh metre of every road.
io::PointTable points_on(const roads::RoadNetwork& map) {
  io::PointTable points;
  for (const geometry::LonLat& at : roads::spaced(map, 7'000).position) {
    points.lon.push_back(at.lon);
    points.lat.push_back(at.lat);
    points.line.push_back(points.lon.size());
  }
  return points;
}

// The least displacement there is, on a road without junctions.
TEST(AutomaticSpacing, SnapsByLessThanAQuarterOfTheLeastDisplacement) {
  const roads::RoadNetwork road = roads::make_network("line:61:4500");
  EXPECT_EQ(road.roads.front().length_mm, automatic_spacing_mm({1, 100}, 500));
  const auto best =
      make_place_mechanism(road, {.name = "optimal", .epsilon = {1, 100}, .unit = "one report"});
  EXPECT_LE(roads::snap_distance(road.graph).mean_m, *best->lower_bound_m() / 4);
}

// A sparse map: few junctions, long winding roads.
TEST(AutomaticSpacing, SnapsByLessThanAQuarterOfTheDisplacement) {
  const privacy::EpsilonPerMetre epsilon(1, 100);
  const roads::RoadNetwork coarse = roads::make_network("valley:1");
  const roads::RoadNetwork fine = roads::make_network("valley:1", automatic_spacing_mm(epsilon, 500));
  for (const char* name : {"gem", "tight"}) {
    const auto mechanism =
        make_place_mechanism(fine, {.name = name, .epsilon = epsilon, .unit = "one report"});
    const double displacement_m = mechanism->expected_error({}).q_loss_m;
    EXPECT_LE(roads::snap_distance(fine.graph).mean_m, displacement_m / 4) << name;
    EXPECT_GT(roads::snap_distance(coarse.graph).mean_m, displacement_m / 4) << name;
  }
}

TEST(AutomaticSpacing, LetsNoPositionOnARoadBeRefused) {
  const roads::RoadNetwork coarse = roads::make_network("valley:1");
  io::PointTable points = points_on(coarse);
  EXPECT_GT(points.lon.size(), 20'000u);
  EXPECT_THROW(vertices_of(points, coarse, {.farthest_m = 500}), DataError);
  for (const std::uint64_t parts : {100U, 1'000U, 100'000U}) {
    for (const double max_snap_m : {500.0, 60.0}) {
      const auto spacing_mm = automatic_spacing_mm({1, parts}, max_snap_m);
      const roads::RoadNetwork fine = roads::make_network("valley:1", spacing_mm);
      EXPECT_NO_THROW(vertices_of(points, fine, {.farthest_m = max_snap_m})) << parts << " " << max_snap_m;
    }
  }
}

}  // namespace
}  // namespace fogline::place::automatic_spacing_test
