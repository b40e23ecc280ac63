// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "graph/components.hpp"

namespace fogline::graph {

/// The strongly connected components of a directed graph: from each vertex of one there is a way to each other and back.
///
///     // 0 <-> 1 -> 2: vertex v has the heads from first[v] to first[v + 1] - 1
///     Components parts = strong_components(std::vector{0u, 1u, 3u, 3u}, std::vector{1u, 0u, 2u});
///     parts.of_vertex[0] == parts.of_vertex[1];      // and 2 stands alone
///
/// Numbered in the order of their lowest vertex. Throws InvalidOption if the rows do not fit the heads. Cost: O(n + m), no recursion.
Components strong_components(std::span<const std::uint32_t> first, std::span<const VertexId> heads);

}  // namespace fogline::graph
