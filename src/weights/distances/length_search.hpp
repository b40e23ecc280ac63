// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <numeric>
#include <queue>
#include <span>
#include <vector>

namespace fogline::weights {

/// A small directed graph with lengths of any kind, for shortest paths: whole numbers where they are private and must be exact, doubles
/// after the noise.
///
///     LengthGraph<std::int64_t> graph(3, {{0, 1, 5}, {1, 2, 7}});
///     std::vector<std::int64_t> far = graph.from({{0, 0}});          // 0, 5, 12
///
/// Lengths must be 0 or more. Cost: O(m log n) a search.
template <class Length>
class LengthGraph {
 public:
  static constexpr Length unreachable = std::numeric_limits<Length>::max();
  struct Arc {
    std::uint32_t tail = 0, head = 0;
    Length length = 0;
  };
  struct Start {
    std::uint32_t vertex = 0;
    Length length = 0;
  };

  LengthGraph() : first_(1, 0) {}
  LengthGraph(std::size_t vertices, std::span<const Arc> arcs) : first_(vertices + 1, 0), arcs_(arcs.size()) {
    for (const Arc& arc : arcs) ++first_[arc.tail + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    auto next = first_;
    for (const Arc& arc : arcs) arcs_[next[arc.tail]++] = arc;
  }

  std::size_t vertex_count() const { return first_.size() - 1; }

  /// Shortest lengths to every vertex from several starts, each with what was walked before; unreachable starts are passed over.
  std::vector<Length> from(std::span<const Start> starts) const {
    std::vector<Length> best(vertex_count(), unreachable);
    using Entry = std::pair<Length, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    const auto reach = [&](std::uint32_t vertex, Length length) {
      if (length >= best[vertex]) return;
      best[vertex] = length;
      queue.emplace(length, vertex);
    };
    for (const Start& start : starts) reach(start.vertex, start.length);
    while (!queue.empty()) {
      const auto [length, vertex] = queue.top();
      queue.pop();
      if (length > best[vertex]) continue;
      for (std::uint32_t a = first_[vertex]; a < first_[vertex + 1]; ++a)
        reach(arcs_[a].head, length + arcs_[a].length);
    }
    return best;
  }

 private:
  std::vector<std::uint32_t> first_;
  std::vector<Arc> arcs_;
};

}  // namespace fogline::weights
