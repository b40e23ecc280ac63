// SPDX-License-Identifier: Apache-2.0
#include "roads/city_blocks.hpp"

#include <algorithm>

namespace fogline::roads::sketch {
namespace {

/// One side of a piece: even numbers run from tail to head, odd ones back.
Point leaving(const StreetGraph& graph, std::size_t side) {
  const Line& line = graph.pieces[side / 2].line;
  return side % 2 == 0 ? line[1] - line[0] : line[line.size() - 2] - line.back();
}

/// Counter-clockwise order of directions, from east, without computing an angle.
bool earlier(Point a, Point b) {
  const auto lower = [](Point p) { return p.y_m < 0 || (p.y_m == 0 && p.x_m < 0); };
  if (lower(a) != lower(b)) return lower(b);
  return cross(a, b) > 0;
}

}  // namespace

std::vector<Line> blocks(const StreetGraph& graph) {
  std::vector<std::vector<std::size_t>> leaving_at(graph.nodes.size());
  for (std::size_t i = 0; i < graph.pieces.size(); ++i) {
    if (graph.pieces[i].raised) continue;
    leaving_at[graph.pieces[i].tail].push_back(2 * i);
    leaving_at[graph.pieces[i].head].push_back(2 * i + 1);
  }
  // The next side of a block: arriving at a node, take the first street clockwise from the way back.
  std::vector<std::size_t> next(2 * graph.pieces.size());
  for (auto& sides : leaving_at) {
    std::sort(sides.begin(), sides.end(),
              [&](std::size_t a, std::size_t b) { return earlier(leaving(graph, a), leaving(graph, b)); });
    for (std::size_t k = 0; k < sides.size(); ++k) {
      next[sides[k] ^ 1] = sides[(k + sides.size() - 1) % sides.size()];
    }
  }
  std::vector<Line> rings;
  std::vector<bool> seen(2 * graph.pieces.size(), false);
  for (std::size_t start = 0; start < seen.size(); ++start) {
    if (seen[start] || graph.pieces[start / 2].raised) continue;
    Line ring;
    for (std::size_t side = start; !seen[side]; side = next[side]) {
      seen[side] = true;
      const Line& line = graph.pieces[side / 2].line;
      if (side % 2 == 0) {
        ring.insert(ring.end(), line.begin(), line.end() - 1);
      } else {
        ring.insert(ring.end(), line.rbegin(), line.rend() - 1);
      }
    }
    if (signed_area_m2(ring) > 0) rings.push_back(std::move(ring));
  }
  return rings;
}

}  // namespace fogline::roads::sketch
