// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "path/ring_cuts.hpp"

namespace fogline::path {

/// Good paths at little cost, for a search that needs one to compare its bounds with. Not every path that there is can be found.
///
///     PathGuess guess(graph, score, ends, [] {});
///     std::vector<graph::VertexId> path = guess.along(program.solution());
///     std::vector<graph::VertexId> other = guess.beside(path);
///
/// Paths have two stops or more, visit none twice, and run between the ends if they are given. They keep to the graph and may leave stops out.
/// Cost: `along` one search; `beside` a few hundred steps for each stop of the path.
class PathGuess {
 public:
  using Path = std::vector<graph::VertexId>;
  using Ends = std::optional<std::pair<graph::VertexId, graph::VertexId>>;

  /// `score` counts per edge of the graph; `watch` is called every few hundred steps, and may throw. The references must outlive this.
  PathGuess(const RingGraph& graph, const std::vector<std::int64_t>& score, const Ends& ends,
            std::function<void()> watch);

  /// A path that keeps to the edges that are taken most, bettered by detours while that helps; empty if none was met.
  Path along(std::span<const double> use) const;
  /// The best path that differs in one detour, or by one stop at an open end; empty if there is none nearby.
  Path beside(const Path& path) const;
  std::int64_t score(const Path& path) const;
  /// The edges of the ring that the path is, rising.
  std::vector<std::uint32_t> ring(const Path& path) const;

 private:
  struct Change;
  std::uint32_t edge(graph::VertexId u, graph::VertexId v) const;
  std::pair<graph::VertexId, graph::VertexId> likely_ends(std::span<const double> use) const;
  Path shortest(graph::VertexId from, graph::VertexId to, std::span<const double> use) const;
  void look_around(const Path& path, std::size_t from, const std::vector<std::int64_t>& until,
                   const std::vector<std::uint32_t>& place, std::vector<std::uint32_t>& seen_from,
                   Change& best) const;
  void look_beyond_ends(const Path& path, const std::vector<std::uint32_t>& place, Change& best) const;

  const RingGraph& graph_;
  const std::vector<std::int64_t>& score_;
  const Ends& ends_;
  std::function<void()> watch_;
};

}  // namespace fogline::path
