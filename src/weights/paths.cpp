// SPDX-License-Identifier: Apache-2.0
#include "weights/paths.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "base/error.hpp"

namespace fogline::weights {
namespace {

constexpr int finest_bits = 20;  // steps of 2^-20

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

}  // namespace

ArcIndex::ArcIndex(const GraphShape& shape) : first(std::size_t{shape.vertices} + 1) {
  if (shape.edges() > std::size_t{1} << 31) throw InvalidOption("graph", "has more than 2^31 edges");
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
  const int left = 62 - hop_bits - (heaviest < 1 ? 0 : std::ilogb(heaviest) + 1);
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

PathSearch::PathSearch(std::uint32_t vertices) : slot_(vertices) {
  heap_.reserve(vertices);
}

void PathSearch::raise(std::size_t slot, Entry entry) {
  while (slot > 0) {
    const std::size_t parent = (slot - 1) / 4;
    if (heap_[parent].key <= entry.key) break;
    heap_[slot] = heap_[parent];
    slot_[heap_[slot].vertex] = static_cast<std::uint32_t>(slot);
    slot = parent;
  }
  heap_[slot] = entry;
  slot_[entry.vertex] = static_cast<std::uint32_t>(slot);
}

void PathSearch::sink(Entry entry) {
  std::size_t slot = 0;
  const std::size_t size = heap_.size();
  for (;;) {
    const std::size_t child = 4 * slot + 1;
    if (child >= size) break;
    std::size_t least = child;
    for (std::size_t c = child + 1; c < std::min(child + 4, size); ++c)
      if (heap_[c].key < heap_[least].key) least = c;
    if (heap_[least].key >= entry.key) break;
    heap_[slot] = heap_[least];
    slot_[heap_[slot].vertex] = static_cast<std::uint32_t>(slot);
    slot = least;
  }
  heap_[slot] = entry;
  slot_[entry.vertex] = static_cast<std::uint32_t>(slot);
}

std::uint32_t PathSearch::pop() {
  const std::uint32_t nearest = heap_.front().vertex;
  const Entry last = heap_.back();
  heap_.pop_back();
  if (!heap_.empty()) sink(last);
  return nearest;
}

void PathSearch::run(const ArcIndex& index, std::span<const std::uint64_t> keys, std::uint32_t source,
                     PathTree& tree) {
  tree.key.assign(index.vertices(), PathTree::unreachable);
  tree.predecessor.assign(index.vertices(), PathTree::none);
  tree.arc.assign(index.vertices(), PathTree::none);
  tree.order.clear();
  tree.key[source] = 0;
  heap_.assign(1, {0, source});
  while (!heap_.empty()) {
    const std::uint32_t from = pop();
    tree.order.push_back(from);
    for (std::uint32_t arc = index.first[from]; arc < index.first[from + 1]; ++arc) {
      const std::uint32_t to = index.head[arc];
      const std::uint64_t key = tree.key[from] + keys[arc];
      std::uint64_t& best = tree.key[to];
      if (key > best || (key == best && from > tree.predecessor[to])) continue;
      if (best == PathTree::unreachable) {
        heap_.push_back({});
        slot_[to] = static_cast<std::uint32_t>(heap_.size() - 1);
      }
      // An equal key leaves the vertex where it is: keys of arcs are above 0, so it is still in the heap.
      if (key < best) raise(slot_[to], {key, to});
      best = key;
      tree.predecessor[to] = from;
      tree.arc[to] = arc;
    }
  }
}

}  // namespace fogline::weights
