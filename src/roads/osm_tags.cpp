// SPDX-License-Identifier: Apache-2.0
#include "roads/osm_tags.hpp"

#include <algorithm>
#include <array>

namespace fogline::roads {
namespace {

struct HighwayRule {
  std::string_view value;
  RoadClass road_class;
  bool drivable;
  bool walkable;
};

constexpr std::array<HighwayRule, 22> rules = {{
    {"motorway", RoadClass::motorway, true, false},
    {"motorway_link", RoadClass::motorway, true, false},
    {"trunk", RoadClass::trunk, true, true},
    {"trunk_link", RoadClass::trunk, true, true},
    {"primary", RoadClass::primary, true, true},
    {"primary_link", RoadClass::primary, true, true},
    {"secondary", RoadClass::secondary, true, true},
    {"secondary_link", RoadClass::secondary, true, true},
    {"tertiary", RoadClass::tertiary, true, true},
    {"tertiary_link", RoadClass::tertiary, true, true},
    {"unclassified", RoadClass::unclassified, true, true},
    {"residential", RoadClass::residential, true, true},
    {"living_street", RoadClass::living_street, true, true},
    {"service", RoadClass::service, true, true},
    {"road", RoadClass::other, true, true},
    {"footway", RoadClass::path, false, true},
    {"pedestrian", RoadClass::path, false, true},
    {"steps", RoadClass::path, false, true},
    {"path", RoadClass::path, false, true},
    {"cycleway", RoadClass::path, false, true},
    {"bridleway", RoadClass::path, false, true},
    {"track", RoadClass::track, false, true},
}};

bool belongs(const HighwayRule& rule, TravelMode mode) {
  if (mode == TravelMode::drivable) return rule.drivable;
  return mode == TravelMode::all || rule.walkable;
}

Direction direction_of(const WayTags& tags, RoadClass road_class) {
  if (tags.oneway == "yes" || tags.oneway == "true" || tags.oneway == "1") return Direction::forward;
  if (tags.oneway == "-1" || tags.oneway == "reverse") return Direction::backward;
  if (!tags.oneway.empty()) return Direction::both;
  const bool implied = tags.highway == "motorway" || tags.junction == "roundabout";
  return implied && road_class != RoadClass::path ? Direction::forward : Direction::both;
}

}  // namespace

std::optional<WayKind> classify_way(const WayTags& tags, TravelMode mode) {
  if (tags.area == "yes") return std::nullopt;
  const auto rule = std::ranges::find(rules, tags.highway, &HighwayRule::value);
  if (rule == rules.end() || !belongs(*rule, mode)) return std::nullopt;
  const Direction direction =
      mode == TravelMode::walkable ? Direction::both : direction_of(tags, rule->road_class);
  return WayKind{rule->road_class, direction};
}

}  // namespace fogline::roads
