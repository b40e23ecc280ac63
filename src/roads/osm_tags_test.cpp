// SPDX-License-Identifier: Apache-2.0
#include "roads/osm_tags.hpp"

#include <gtest/gtest.h>

namespace fogline::roads::osm_tags_test {
namespace {

WayTags highway(std::string_view value) {
  return {.highway = value, .area = {}, .oneway = {}, .junction = {}};
}

TEST(OsmTags, DrivableAndWalkableRoadsDiffer) {
  EXPECT_EQ(classify_way(highway("trunk_link"), TravelMode::drivable)->road_class, RoadClass::trunk);
  EXPECT_EQ(classify_way(highway("road"), TravelMode::drivable)->road_class, RoadClass::other);
  for (const char* footpath : {"footway", "steps", "path", "cycleway", "track", "pedestrian", "bridleway"}) {
    EXPECT_FALSE(classify_way(highway(footpath), TravelMode::drivable)) << footpath;
    EXPECT_TRUE(classify_way(highway(footpath), TravelMode::walkable)) << footpath;
    EXPECT_TRUE(classify_way(highway(footpath), TravelMode::all)) << footpath;
  }
  for (const char* motorway : {"motorway", "motorway_link"}) {
    EXPECT_TRUE(classify_way(highway(motorway), TravelMode::drivable)) << motorway;
    EXPECT_FALSE(classify_way(highway(motorway), TravelMode::walkable)) << motorway;
    EXPECT_TRUE(classify_way(highway(motorway), TravelMode::all)) << motorway;
  }
}

TEST(OsmTags, AreasAndWhatIsNoRoadAreLeftOut) {
  for (const char* value : {"", "construction", "proposed", "platform", "corridor", "elevator", "Primary"}) {
    EXPECT_FALSE(classify_way(highway(value), TravelMode::all)) << value;
  }
  WayTags square = highway("service");
  square.area = "yes";
  EXPECT_FALSE(classify_way(square, TravelMode::all));
}

TEST(OsmTags, OneWayIsTaggedOrImplied) {
  const auto direction = [](std::string_view value, std::string_view oneway, std::string_view junction,
                            TravelMode mode = TravelMode::drivable) {
    return classify_way({.highway = value, .area = {}, .oneway = oneway, .junction = junction}, mode)
        ->direction;
  };
  EXPECT_EQ(direction("primary", "yes", ""), Direction::forward);
  EXPECT_EQ(direction("primary", "-1", ""), Direction::backward);
  EXPECT_EQ(direction("primary", "", ""), Direction::both);
  EXPECT_EQ(direction("motorway", "", ""), Direction::forward);
  EXPECT_EQ(direction("motorway", "no", ""), Direction::both);
  EXPECT_EQ(direction("residential", "", "roundabout"), Direction::forward);
  EXPECT_EQ(direction("residential", "reversible", ""), Direction::both);
  EXPECT_EQ(direction("primary", "yes", "", TravelMode::walkable), Direction::both);
}

}  // namespace
}  // namespace fogline::roads::osm_tags_test
