// SPDX-License-Identifier: Apache-2.0
#include "graph/dijkstra.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"

namespace fogline::graph {
namespace {

// A search front on a planar network holds about sqrt(n) vertices, spread over about one mean edge length.
// Dividing that range so that a bucket holds a handful keeps each small heap inside one or two cache lines.
BucketQueue::Options queue_options(const Graph& graph) {
  constexpr double entries_per_bucket = 8;
  LengthMm longest = 1;
  double sum = 0;
  for (VertexId v = 0; v < graph.vertex_count(); ++v) {
    for (const Arc& arc : graph.arcs(v)) {
      longest = std::max(longest, arc.length_mm);
      sum += arc.length_mm;
    }
  }
  const double mean = sum / std::max(1.0, 2.0 * static_cast<double>(graph.edge_count()));
  const double width =
      entries_per_bucket * mean / std::sqrt(std::max(1.0, static_cast<double>(graph.vertex_count())));
  return {.longest_mm = longest, .width_mm = static_cast<LengthMm>(std::clamp(width, 1.0, mean + 1.0))};
}

template <class OnSettled, class OnReached>
void search(const Graph& graph, BucketQueue& queue, std::vector<DistanceMm>& distance_mm, VertexId source,
            OnSettled&& on_settled, OnReached&& on_reached) {
  queue.restart();
  distance_mm[source] = 0;
  queue.push({0, source});
  while (!queue.empty()) {
    const BucketQueue::Entry nearest = queue.pop();
    if (nearest.key_mm != distance_mm[nearest.vertex]) continue;
    on_settled(nearest);
    for (const Arc& arc : graph.arcs(nearest.vertex)) {
      const DistanceMm candidate = nearest.key_mm + arc.length_mm;
      if (candidate < distance_mm[arc.head] && on_reached(arc.head, candidate)) {
        distance_mm[arc.head] = candidate;
        queue.push({candidate, arc.head});
      }
    }
  }
}

}  // namespace

Dijkstra::Dijkstra(const Graph& graph) : graph_(&graph), queue_(queue_options(graph)) {}

std::span<const DistanceMm> Dijkstra::one_to_all(VertexId source) {
  check_source(source);
  distance_mm_.assign(graph_->vertex_count(), unreachable);
  search(
      *graph_, queue_, distance_mm_, source, [](const BucketQueue::Entry&) {},
      [](VertexId, DistanceMm) { return true; });
  return distance_mm_;
}

std::span<const Settled> Dijkstra::within(VertexId source, DistanceMm radius_mm) {
  check_source(source);
  if (tentative_mm_.empty()) tentative_mm_.assign(graph_->vertex_count(), unreachable);
  settled_.clear();
  touched_.assign(1, source);
  search(
      *graph_, queue_, tentative_mm_, source,
      [&](const BucketQueue::Entry& entry) {
        settled_.push_back({entry.vertex, entry.key_mm});
      },
      [&](VertexId vertex, DistanceMm candidate_mm) {
        if (candidate_mm > radius_mm) return false;
        touched_.push_back(vertex);
        return true;
      });
  for (const VertexId vertex : touched_) tentative_mm_[vertex] = unreachable;
  return settled_;
}

void Dijkstra::check_source(VertexId source) const {
  if (source >= graph_->vertex_count()) {
    throw InvalidOption("source", fmt::format("is {}, but the graph has {} vertices, numbered from 0", source,
                                              graph_->vertex_count()));
  }
}

}  // namespace fogline::graph
