// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "geometry/coordinates.hpp"

namespace fogline::report {

inline constexpr std::size_t most_laid_out = 600;  ///< vertices that layout() places in about a second

/// Places for the vertices of a graph that has none, so that joined ones lie near each other: on a square of 1,000 by 1,000. By the rule of Fruchterman and Reingold, from a
/// circle, so that the same graph lies the same way every time. Throws InvalidOption for more than most_laid_out vertices.
///
///     std::vector<geometry::PointXY> places = graph_layout(shape.vertices, edges);
std::vector<geometry::PointXY> graph_layout(std::size_t vertices,
                                            std::span<const std::pair<std::uint32_t, std::uint32_t>> edges);

}  // namespace fogline::report
