// SPDX-License-Identifier: Apache-2.0
#include "kernel/capped_exponential.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "base/error.hpp"

namespace fogline::kernel {

CappedExponential::CappedExponential(const graph::Graph& graph, const Options& options)
    : rule_(options.rate_per_mm), range_(options.range), in_range_(graph.vertex_count(), 0) {
  if (graph.vertex_count() == 0) throw InvalidOption("network", "has no vertex");
  if (graph.vertex_count() > ExponentialRule::largest_count) {
    throw InvalidOption("network", fmt::format("has {} vertices; at most {} are supported",
                                               graph.vertex_count(), ExponentialRule::largest_count));
  }
  if (range_.empty()) {
    range_.resize(graph.vertex_count());
    std::iota(range_.begin(), range_.end(), graph::VertexId{0});
  }
  for (const graph::VertexId vertex : range_) {
    if (vertex >= graph.vertex_count()) {
      throw InvalidOption("range", fmt::format("vertex {} is not on the network, whose vertices are 0 to {}",
                                               vertex, graph.vertex_count() - 1));
    }
    if (in_range(vertex)) throw InvalidOption("range", fmt::format("vertex {} stands twice", vertex));
    in_range_[vertex] = 1;
  }
}

Uint128 CappedExponential::total(graph::VertexId input, graph::Dijkstra& search) const {
  return odds(range_.front(), input, search).total;
}

random::Odds CappedExponential::odds(graph::VertexId output, graph::VertexId input,
                                     graph::Dijkstra& search) const {
  random::Odds result{in_range(output) ? ExponentialRule::tail_weight : 0, 0};
  std::size_t inside = 0;
  for (const auto& [vertex, distance_mm] : search.within(input, rule_.cap_mm() - 1)) {
    if (!in_range(vertex)) continue;
    const Uint128 weight = rule_.weight(distance_mm);
    if (vertex == output) result.weight = weight;
    result.total += weight;
    ++inside;
  }
  result.total += ExponentialRule::tail_weight * (range_.size() - inside);
  return result;
}

graph::VertexId CappedExponential::draw(graph::VertexId input, graph::Dijkstra& search,
                                        random::Stream& noise) const {
  return static_cast<graph::VertexId>(random::choose(
      "place", noise, [&] { return drawn(input, search, noise); },
      [&](std::uint64_t output) { return odds(static_cast<graph::VertexId>(output), input, search); }));
}

graph::VertexId CappedExponential::drawn(graph::VertexId input, graph::Dijkstra& search,
                                         random::Stream& noise) const {
  const auto near = search.within(input, rule_.cap_mm() - 1);
  std::vector<Uint128> up_to(near.size());
  Uint128 sum = 0;
  std::size_t inside = 0;
  for (std::size_t i = 0; i < near.size(); ++i) {
    if (in_range(near[i].vertex)) {
      sum += rule_.weight(near[i].distance_mm);
      ++inside;
    }
    up_to[i] = sum;
  }
  const Uint128 at = noise.below128(sum + ExponentialRule::tail_weight * (range_.size() - inside));
  if (at < sum) {
    return near[static_cast<std::size_t>(std::upper_bound(up_to.begin(), up_to.end(), at) - up_to.begin())]
        .vertex;
  }
  // Beyond the cap all weights are equal: a uniform vertex of the range, drawn again while it lies inside.
  std::vector<graph::VertexId> settled;
  settled.reserve(near.size());
  for (const auto& [vertex, distance_mm] : near) settled.push_back(vertex);
  std::sort(settled.begin(), settled.end());
  while (true) {
    const graph::VertexId candidate = range_[noise.below(range_.size())];
    if (!std::binary_search(settled.begin(), settled.end(), candidate)) return candidate;
  }
}

WeightRow CappedExponential::row(graph::VertexId input, graph::Dijkstra& search) const {
  const auto distance = search.one_to_all(input);
  WeightRow result;
  result.weights.reserve(range_.size());
  for (const graph::VertexId output : range_) {
    result.weights.push_back(rule_.weight(distance[output]));
    result.total += result.weights.back();
  }
  return result;
}

}  // namespace fogline::kernel
