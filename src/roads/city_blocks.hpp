// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "roads/city_plan.hpp"

namespace fogline::roads::sketch {

/// Streets between junctions: what is left of the strokes once they are cut where they meet.
struct Piece {
  std::uint32_t tail = 0;
  std::uint32_t head = 0;
  Line line;  ///< from the tail's place to the head's
  RoadClass road_class = RoadClass::residential;
  bool one_way = false;
  bool raised = false;
  std::uint32_t stroke = 0;  ///< the stroke it came from, whose parts carry traffic the same way
};

struct StreetGraph {
  std::vector<Point> nodes;
  std::vector<Piece> pieces;
};

/// Cuts strokes at their crossings and ends. Junctions nearer than a dozen metres become one.
StreetGraph cut_at_junctions(const std::vector<Stroke>& strokes);

/// Makes it a street network people would build: no stubs, no doubled streets, nothing cut off, and junctions
/// only where streets meet or end. Nodes without streets vanish and the others are renumbered.
void tidy(StreetGraph& graph);

/// The areas between the streets, each as a ring of points, counter-clockwise; raised roads do not divide.
std::vector<Line> blocks(const StreetGraph& graph);

}  // namespace fogline::roads::sketch
