// SPDX-License-Identifier: Apache-2.0
#include "weights/graph/paths.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "base/error.hpp"

namespace fogline::weights {
namespace {

constexpr int finest_bits = 20;  // steps of 2^-20: a millionth, as finely as most programs print weights

/// The most that a path can weigh: it has at most vertices - 1 edges.
double heaviest_path(std::uint32_t vertices, std::span<const double> weights) {
  std::vector<double> heaviest(weights.begin(), weights.end());
  for (const double weight : heaviest)
    if (!(weight >= 0 && std::isfinite(weight)))
      throw InvalidOption("weights", "must be finite and not negative");
  const auto edges = std::min<std::size_t>(heaviest.size(), vertices - 1);
  const auto middle = heaviest.begin() + static_cast<std::ptrdiff_t>(edges);
  std::nth_element(heaviest.begin(), middle, heaviest.end(), std::greater<>());
  double sum = 0;
  for (auto it = heaviest.begin(); it != middle; ++it) sum += *it;
  return sum;
}

/// The front of a search in a social network holds a good part of all vertices, spread over the longest arc; a few of them a bucket.
graph::BucketQueue::Options queue_options(std::uint32_t vertices, std::span<const std::uint64_t> keys) {
  constexpr std::uint64_t entries_per_bucket = 4;  // chosen, not derived: time alone depends on it
  const std::uint64_t longest = keys.empty() ? 1 : *std::max_element(keys.begin(), keys.end());
  return {.longest_mm = longest, .width_mm = longest / std::max(1U, vertices) * entries_per_bucket};
}

}  // namespace

// A one-to-one function of 32 bits in which all bits depend on all others (Wellons 2018, "lowbias32"): no two vertices
// have one lot. Shifts and factors were found by search, and cannot be changed without changing which of equally short
// paths is taken.
std::uint32_t tie_lot(std::uint32_t vertex) {
  constexpr std::uint32_t first_factor = 0x7feb352dU, second_factor = 0x846ca68bU;
  std::uint32_t mixed = (vertex ^ (vertex >> 16)) * first_factor;
  mixed = (mixed ^ (mixed >> 15)) * second_factor;
  return mixed ^ (mixed >> 16);
}

ArcIndex::ArcIndex(const GraphShape& shape) : first(std::size_t{shape.vertices} + 1) {
  constexpr std::size_t too_many_edges = std::size_t{1} << 31;  // two arcs each have numbers of 32 bits
  if (shape.edges() >= too_many_edges) throw InvalidOption("graph", "has 2^31 edges or more");
  const auto for_each_arc = [&](const auto& use) {
    for (std::uint32_t e = 0; e < shape.edges(); ++e) {
      use(shape.source[e], shape.target[e], e);
      if (!shape.directed) use(shape.target[e], shape.source[e], e);
    }
  };
  for_each_arc([&](std::uint32_t from, std::uint32_t to, std::uint32_t) {
    if (from >= shape.vertices || to >= shape.vertices)
      throw InvalidOption("graph", "has an edge to a vertex that it does not have");
    ++first[from + 1];
  });
  for (std::size_t v = 1; v < first.size(); ++v) first[v] += first[v - 1];
  head.resize(first.back());
  edge.resize(first.back());
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  for_each_arc([&](std::uint32_t from, std::uint32_t to, std::uint32_t e) {
    head[next[from]] = to;
    edge[next[from]++] = e;
  });
}

std::uint64_t PathScale::key_of(double weight) const {
  return (static_cast<std::uint64_t>(std::nearbyint(weight / step)) << hop_bits) + 1;
}

PathScale path_scale(std::uint32_t vertices, std::span<const std::span<const double>> columns) {
  double heaviest = 0;
  for (const auto column : columns) heaviest = std::max(heaviest, heaviest_path(vertices, column));
  const int hop_bits = static_cast<int>(std::bit_width(vertices));
  // Rounding adds at most half a step to each edge, which the last of 63 bits has room for.
  constexpr int key_bits = 62;
  const int left = key_bits - hop_bits - (heaviest < 1 ? 0 : std::ilogb(heaviest) + 1);
  if (left < 0)
    throw InvalidOption("weights", "are too large to add up in whole numbers; divide them all by a constant");
  return {.step = std::ldexp(1.0, -std::min(left, finest_bits)), .hop_bits = hop_bits};
}

std::vector<std::uint64_t> arc_keys(const ArcIndex& index, const PathScale& scale,
                                    std::span<const double> weights) {
  std::vector<std::uint64_t> keys;
  keys.reserve(index.edge.size());
  for (const std::uint32_t e : index.edge) keys.push_back(scale.key_of(weights[e]));
  return keys;
}

PathSearch::PathSearch(const ArcIndex& index, std::span<const std::uint64_t> keys)
    : index_(index), keys_(keys), queue_(queue_options(index.vertices(), keys)) {}

void PathSearch::run(std::uint32_t source, PathTree& tree) {
  tree.key.assign(index_.vertices(), PathTree::unreachable);
  tree.predecessor.assign(index_.vertices(), PathTree::none);
  tree.arc.assign(index_.vertices(), PathTree::none);
  tree.order.clear();
  tree.key[source] = 0;
  queue_.restart();
  queue_.push({0, source});
  while (!queue_.empty()) {
    const graph::BucketQueue::Entry nearest = queue_.pop();
    if (nearest.key_mm != tree.key[nearest.vertex]) continue;
    tree.order.push_back(nearest.vertex);
    relax(nearest.vertex, tree);
  }
}

void PathSearch::relax(std::uint32_t from, PathTree& tree) {
  const std::uint64_t reached = tree.key[from];
  for (std::uint32_t arc = index_.first[from]; arc < index_.first[from + 1]; ++arc) {
    const std::uint32_t to = index_.head[arc];
    const std::uint64_t key = reached + keys_[arc];
    if (key > tree.key[to] || (key == tree.key[to] && tie_lot(from) > tie_lot(tree.predecessor[to])))
      continue;
    if (key < tree.key[to]) {
      tree.key[to] = key;
      queue_.push({key, to});
    }
    tree.predecessor[to] = from;
    tree.arc[to] = arc;
  }
}

}  // namespace fogline::weights
