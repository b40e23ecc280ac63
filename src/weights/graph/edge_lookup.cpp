// SPDX-License-Identifier: Apache-2.0
#include "weights/graph/edge_lookup.hpp"

#include <utility>

namespace fogline::weights {

EdgeLookup::EdgeLookup(const io::GraphTable& graph) : graph_(graph) {
  edge_of_.reserve(graph.edge_count());
  for (std::size_t e = 0; e < graph.edge_count(); ++e)
    edge_of_.emplace(key(graph.source[e], graph.target[e]), static_cast<std::uint32_t>(e));
}

std::uint64_t EdgeLookup::key(std::uint32_t source, std::uint32_t target) const {
  if (!graph_.directed && target < source) std::swap(source, target);
  return std::uint64_t{source} << 32 | target;
}

std::optional<std::uint32_t> EdgeLookup::find(std::string_view source, std::string_view target) const {
  const auto from = graph_.vertices.find(source);
  const auto to = graph_.vertices.find(target);
  if (!from || !to) return std::nullopt;
  const auto found = edge_of_.find(key(*from, *to));
  if (found == edge_of_.end()) return std::nullopt;
  return found->second;
}

}  // namespace fogline::weights
