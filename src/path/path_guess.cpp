// SPDX-License-Identifier: Apache-2.0
#include "path/path_guess.hpp"

#include <algorithm>
#include <limits>
#include <queue>

namespace fogline::path {
namespace {

using graph::VertexId;

constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t most_visited_stops = 200;  // of the surroundings of one stop
constexpr int most_improvements = 50;

}  // namespace

/// A path that differs a little, and what that gains.
struct PathGuess::Change {
  std::int64_t gain = std::numeric_limits<std::int64_t>::min();
  Path path;
};

PathGuess::PathGuess(const RingGraph& graph, const std::vector<std::int64_t>& score, const Ends& ends,
                     std::function<void()> watch)
    : graph_(graph), score_(score), ends_(ends), watch_(std::move(watch)) {}

std::uint32_t PathGuess::edge(VertexId u, VertexId v) const {
  const auto& at = graph_.at_vertex[graph_.at_vertex[u].size() < graph_.at_vertex[v].size() ? u : v];
  const auto found = std::ranges::find_if(at, [&](std::uint32_t e) {
    return graph_.edges[e] == std::pair{std::min(u, v), std::max(u, v)};
  });
  return found == at.end() ? nowhere : *found;
}

std::int64_t PathGuess::score(const Path& path) const {
  std::int64_t sum = 0;
  for (std::size_t i = 1; i < path.size(); ++i) sum += score_[edge(path[i - 1], path[i])];
  return sum;
}

std::vector<std::uint32_t> PathGuess::ring(const Path& path) const {
  std::vector<std::uint32_t> edges{edge(path.front(), graph_.hub()), edge(path.back(), graph_.hub())};
  for (std::size_t i = 1; i < path.size(); ++i) edges.push_back(edge(path[i - 1], path[i]));
  std::ranges::sort(edges);
  return edges;
}

std::pair<VertexId, VertexId> PathGuess::likely_ends(std::span<const double> use) const {
  if (ends_) return *ends_;
  const auto& at_hub = graph_.at_vertex[graph_.hub()];
  std::vector<std::uint32_t> order(at_hub);
  std::ranges::partial_sort(order, order.begin() + 2,
                            [&](std::uint32_t a, std::uint32_t b) { return use[a] > use[b]; });
  return {graph_.edges[order[0]].first, graph_.edges[order[1]].first};
}

PathGuess::Path PathGuess::shortest(VertexId from, VertexId to, std::span<const double> use) const {
  std::vector<double> far(graph_.size(), std::numeric_limits<double>::infinity());
  std::vector<VertexId> before(graph_.size(), graph_.hub());
  std::priority_queue<std::pair<double, VertexId>, std::vector<std::pair<double, VertexId>>, std::greater<>>
      queue;
  far[from] = 0;
  queue.emplace(0, from);
  while (!queue.empty()) {
    const auto [length, v] = queue.top();
    queue.pop();
    if (v == to) break;
    if (length > far[v]) continue;
    for (const std::uint32_t e : graph_.at_vertex[v]) {
      const VertexId next = graph_.other_end(e, v);
      const double on = length + 1.001 - std::clamp(use[e], 0.0, 1.0);
      if (next == graph_.hub() || on >= far[next]) continue;
      far[next] = on;
      before[next] = v;
      queue.emplace(on, next);
    }
  }
  if (before[to] == graph_.hub()) return {};
  Path path{to};
  while (path.back() != from) path.push_back(before[path.back()]);
  std::ranges::reverse(path);
  return path;
}

PathGuess::Path PathGuess::along(std::span<const double> use) const {
  if (graph_.at_vertex[graph_.hub()].size() < 2) return {};
  const auto [from, to] = likely_ends(use);
  Path path = shortest(from, to, use);
  if (path.empty()) return path;
  for (int i = 0; i < most_improvements; ++i) {
    Path other = beside(path);
    if (other.empty() || score(other) <= score(path)) break;
    path = std::move(other);
  }
  return path;
}

/// Searches the surroundings of a place of the path, stops of the path left out, for ways back to a later place.
void PathGuess::look_around(const Path& path, std::size_t from, const std::vector<std::int64_t>& until,
                            const std::vector<std::uint32_t>& place, std::vector<std::uint32_t>& seen_from,
                            Change& best) const {
  struct Reached {
    VertexId stop = 0;
    std::size_t before = 0;
    std::int64_t score = 0;
  };
  std::vector<Reached> reached{{path[from], 0, 0}};
  for (std::size_t i = 0; i < reached.size() && reached.size() < most_visited_stops; ++i)
    for (const std::uint32_t e : graph_.at_vertex[reached[i].stop]) {
      const VertexId next = graph_.other_end(e, reached[i].stop);
      if (next == graph_.hub()) continue;
      const std::int64_t score = reached[i].score + score_[e];
      if (place[next] == nowhere) {
        if (seen_from[next] == from) continue;
        seen_from[next] = static_cast<std::uint32_t>(from);
        reached.push_back({next, i, score});
        continue;
      }
      const std::size_t to = place[next];
      if (to <= from || (i == 0 && to == from + 1)) continue;
      const std::int64_t gain = score - (until[to] - until[from]);
      if (gain <= best.gain) continue;
      Path changed(path.begin() + static_cast<std::ptrdiff_t>(to), path.end());
      for (std::size_t at = i; at != 0; at = reached[at].before)
        changed.insert(changed.begin(), reached[at].stop);
      changed.insert(changed.begin(), path.begin(), path.begin() + static_cast<std::ptrdiff_t>(from) + 1);
      best = {gain, std::move(changed)};
    }
}

/// One stop less or more at either end.
void PathGuess::look_beyond_ends(const Path& path, const std::vector<std::uint32_t>& place,
                                 Change& best) const {
  Path turned(path.rbegin(), path.rend());
  for (const Path* way : {&path, &std::as_const(turned)}) {
    const std::int64_t last = score_[edge((*way)[way->size() - 2], way->back())];
    if (way->size() > 2 && -last > best.gain) best = {-last, Path(way->begin(), way->end() - 1)};
    for (const std::uint32_t e : graph_.at_vertex[way->back()]) {
      const VertexId next = graph_.other_end(e, way->back());
      if (next == graph_.hub() || place[next] != nowhere || score_[e] <= best.gain) continue;
      best = {score_[e], *way};
      best.path.push_back(next);
    }
  }
}

PathGuess::Path PathGuess::beside(const Path& path) const {
  std::vector<std::uint32_t> place(graph_.size(), nowhere);
  std::vector<std::int64_t> until{0};
  for (std::uint32_t i = 0; i < path.size(); ++i) {
    place[path[i]] = i;
    if (i > 0) until.push_back(until.back() + score_[edge(path[i - 1], path[i])]);
  }
  Change best;
  std::vector<std::uint32_t> seen_from(graph_.size(), nowhere);
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    watch_();
    look_around(path, i, until, place, seen_from, best);
  }
  if (!ends_) look_beyond_ends(path, place, best);
  return std::move(best.path);
}

}  // namespace fogline::path
