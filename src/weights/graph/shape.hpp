// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "io/graph_file.hpp"

namespace fogline::weights {

/// What is public of a graph whose edge weights are private: which vertices its edges join. Weights stand beside it, one
/// for each edge, in a column of their own.
///
///     GraphShape triangle{.vertices = 3, .source = {0, 1, 2}, .target = {1, 2, 0}};
struct GraphShape {
  std::uint32_t vertices = 0;  ///< numbered from 0
  bool directed = false;
  std::vector<std::uint32_t> source = {};
  std::vector<std::uint32_t> target = {};

  std::size_t edges() const { return source.size(); }
};

/// Of a file's graph, its vertices numbered as there.
GraphShape shape_of(const io::GraphTable& table);

}  // namespace fogline::weights
