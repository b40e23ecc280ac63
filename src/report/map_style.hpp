// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "roads/city.hpp"
#include "roads/network.hpp"

namespace fogline::report {

using roads::AreaKind;
using roads::RoadClass;

inline constexpr std::size_t road_class_count = static_cast<std::size_t>(RoadClass::other) + 1;

/// How a class of road looks. Widths are what the road would have on the ground, exaggerated as maps do, with
/// a least width on the screen.
struct RoadLook {
  double width_m;
  double least_px;
  std::string_view fill;
  std::string_view casing;
};

inline constexpr std::array<RoadLook, road_class_count> road_looks{{
    {19, 2.2, "#e8836b", "#b4513b"},  // motorway
    {26, 2.6, "#f0a56e", "#b9713b"},  // trunk
    {26, 2.6, "#f7c873", "#c4923c"},  // primary
    {22, 2.2, "#fbe6a2", "#c9b469"},  // secondary
    {18, 1.8, "#ffffff", "#b9b3a9"},  // tertiary
    {12, 1.2, "#ffffff", "#cbc6bd"},  // unclassified
    {12, 1.2, "#ffffff", "#cbc6bd"},  // residential
    {10, 1.0, "#f2f0f4", "#cbc6bd"},  // living_street
    {7, 0.8, "#ffffff", "#cfcac2"},   // service
    {6, 0.8, "#efe5d0", "#cfc4ab"},   // track
    {4, 0.7, "#efe5d0", "#cfc4ab"},   // path
    {8, 0.9, "#ffffff", "#cfcac2"},   // other
}};

constexpr std::string_view area_fill(AreaKind kind) {
  switch (kind) {
    case AreaKind::built_up:
      return "#e9e5de";
    case AreaKind::industry:
      return "#e0dae6";
    case AreaKind::campus:
      return "#f3e8cf";
    case AreaKind::wood:
      return "#c5dcb4";
    case AreaKind::park:
      return "#cde6bd";
    case AreaKind::water:
      return "#a6cfe6";
  }
  return "none";
}

}  // namespace fogline::report
