// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "io/graph_file.hpp"

namespace fogline::weights {

/// Finds the edges of a graph by what its file calls their ends: for public files that name edges.
///
///     EdgeLookup edges(graph);
///     std::optional<std::uint32_t> e = edges.find("LHR", "JFK");        // either way round unless the graph is directed
///
/// The graph must outlive the lookup. Of several edges between the same ends the first is found. Cost: 40 bytes an edge; a look-up is three hashes.
class EdgeLookup {
 public:
  explicit EdgeLookup(const io::GraphTable& graph);

  std::optional<std::uint32_t> find(std::string_view source, std::string_view target) const;

 private:
  std::uint64_t key(std::uint32_t source, std::uint32_t target) const;

  const io::GraphTable& graph_;
  std::unordered_map<std::uint64_t, std::uint32_t> edge_of_;
};

}  // namespace fogline::weights
