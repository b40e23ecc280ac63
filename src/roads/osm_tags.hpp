// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "roads/network.hpp"
#include "roads/read_options.hpp"

namespace fogline::roads {

/// The tags of an OSM way that decide what it is to us; empty where the way has none.
struct WayTags {
  std::string_view highway;
  std::string_view area;
  std::string_view oneway;
  std::string_view junction;
};

struct WayKind {
  RoadClass road_class = RoadClass::other;
  Direction direction = Direction::both;
};

/// What a way is in a travel mode, or nothing if it is no road of that mode.
///
///     // primary, forward
///     classify_way({.highway = "primary_link", .oneway = "yes"}, TravelMode::drivable);
///
/// drivable  motorway, trunk, primary, secondary, tertiary and their links; unclassified, residential,
///           living_street, service, road
/// walkable  the same without motorways and their links; footway, pedestrian, steps, path, cycleway,
///           bridleway, track
/// all       both
///
/// Areas (area=yes) are left out. Access tags are not looked at: a private road is still a road of the map.
/// Motorways and roundabouts are one-way unless tagged otherwise; on foot every road goes both ways.
std::optional<WayKind> classify_way(const WayTags& tags, TravelMode mode);

}  // namespace fogline::roads
