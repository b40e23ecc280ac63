// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/bounding_box.hpp"
#include "graph/graph.hpp"

namespace fogline::path {

/// Which part of a large network a route is published in: public, and chosen from positions alone. Nothing of the route goes into it
/// beyond what is declared here.
///
///     Corridor corridor{.between = Corridor::Between{.from = "4521", .to = "877", .stretch = 1.3}};
///     std::vector<graph::VertexId> near = vertices_in(corridor, names, positions);
///
/// With both an area and two ends, a vertex must lie in both.
struct Corridor {
  /// The ellipse of the places v with |from v| + |v to| <= stretch * |from to|, straight-line metres.
  struct Between {
    std::string from = {};  ///< name of a vertex: public
    std::string to = {};    ///< name of another one, at another place: public
    double stretch = 1.5;   ///< 1 to 100
  };
  std::optional<geometry::BoundingBox> area = {};
  std::optional<Between> between = {};

  bool is_whole() const { return !area && !between; }  ///< the whole network
};

/// An area written as WEST,SOUTH,EAST,NORTH in degrees. Throws InvalidOption("area", ...).
geometry::BoundingBox area_from(std::string_view text);

/// The vertices of the corridor, rising. Throws InvalidOption for an area whose corners are swapped or out of range, for ends that are no
/// vertices, are one, lie at one place or outside of the area, and for a stretch out of range. Cost: O(n).
std::vector<graph::VertexId> vertices_in(const Corridor& corridor, std::span<const std::string> names,
                                         std::span<const geometry::LonLat> position);

}  // namespace fogline::path
