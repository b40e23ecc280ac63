// SPDX-License-Identifier: Apache-2.0
#include "path/layers.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "graph/transitive_orientation.hpp"
#include "graph/two_sides.hpp"

namespace fogline::path {
namespace {

using graph::VertexId;

constexpr std::uint32_t no_copy = 0xffff'ffff;

std::uint32_t layer_count_of(const std::vector<LayerCopy>& copies) {
  std::uint32_t count = 0;
  for (const LayerCopy& copy : copies) count = std::max(count, copy.layer + 1);
  return count;
}

/// One copy of each stop, in the layer of the longest chain below it.
std::vector<LayerCopy> ordered_copies(const graph::PartialOrder& order) {
  std::vector<LayerCopy> copies;
  const std::vector<std::uint32_t> layers = order.layers();
  for (VertexId stop = 0; stop < order.size(); ++stop) copies.push_back({stop, layers[stop]});
  return copies;
}

/// A lower and an upper copy of each stop, except for those that one of the two is enough for.
std::vector<LayerCopy> two_layers(const graph::BitGraph& ruled_out) {
  const graph::TwoSides sides = graph::two_sides(ruled_out);
  std::vector<std::array<bool, 2>> has(ruled_out.size(), {true, true});
  for (const VertexId stop : sides.lower) has[stop][1] = false;
  for (const VertexId stop : sides.upper) has[stop][0] = false;
  std::vector<LayerCopy> copies;
  for (VertexId stop = 0; stop < ruled_out.size(); ++stop) {
    for (const std::uint32_t layer : {0U, 1U})
      if (has[stop][layer]) copies.push_back({stop, layer});
  }
  return copies;
}

/// The lower copy of a stop goes below the upper copies of all that are ruled out beside it.
void join_two_layers(LayeredGraph& layered, const graph::BitGraph& ruled_out) {
  std::vector<std::uint32_t> upper(ruled_out.size(), no_copy);
  for (std::uint32_t i = 0; i < layered.copies.size(); ++i)
    if (layered.copies[i].layer == 1) upper[layered.copies[i].stop] = i;
  for (std::uint32_t i = 0; i < layered.copies.size(); ++i) {
    if (layered.copies[i].layer != 0) continue;
    graph::for_each_bit(ruled_out.row(layered.copies[i].stop), [&](VertexId other) {
      if (upper[other] != no_copy) layered.edges.emplace_back(i, upper[other]);
    });
  }
}

}  // namespace

LayeredGraph layers_of(const graph::BitGraph& ruled_out) {
  LayeredGraph layered;
  if (const auto order = graph::transitive_orientation(ruled_out)) {
    layered.orientable = true;
    layered.copies = ordered_copies(*order);
    for (VertexId u = 0; u < order->size(); ++u)
      graph::for_each_bit(order->above(u), [&](VertexId v) { layered.edges.emplace_back(u, v); });
  } else {
    layered.copies = two_layers(ruled_out);
    join_two_layers(layered, ruled_out);
  }
  layered.layer_count = layer_count_of(layered.copies);
  return layered;
}

LayerSize layer_size(const graph::BitGraph& ruled_out) {
  const auto order = graph::transitive_orientation(ruled_out);
  const std::vector<LayerCopy> copies = order ? ordered_copies(*order) : two_layers(ruled_out);
  return {order.has_value(), copies.size(), layer_count_of(copies)};
}

}  // namespace fogline::path
