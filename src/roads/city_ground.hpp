// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "random/key.hpp"
#include "roads/city.hpp"
#include "roads/city_blocks.hpp"

namespace fogline::roads::sketch {

struct GroundArea {
  AreaKind kind = AreaKind::built_up;
  Line outer;
  std::vector<Line> holes;
};

struct Ground {
  std::vector<GroundArea> areas;  ///< in drawing order
  std::vector<Line> footpaths;
};

/// Places for parks: in town, away from the water and the main roads; the first is the largest.
std::vector<Patch> choose_parks(const Plan& plan, const std::vector<Stroke>& strokes, const random::Key& key);

/// Takes small streets out of the parks, and some elsewhere, so that blocks differ.
void thin_out(StreetGraph& graph, const Plan& plan, const std::vector<Patch>& parks, const random::Key& key);

/// Parks fill the block left free for them; the built-up land is what lies near small streets.
Ground lay_ground(const StreetGraph& graph, const Plan& plan, const std::vector<Patch>& parks,
                  const random::Key& key);

/// People live along small streets, more densely in the middle; nobody in the industrial area.
std::vector<std::uint32_t> home_weights(const StreetGraph& graph, const Plan& plan);
/// People work in the old town, the industrial area, on the campus, and a few along every main road.
std::vector<std::uint32_t> work_weights(const StreetGraph& graph, const Plan& plan);

}  // namespace fogline::roads::sketch
