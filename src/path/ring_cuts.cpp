// SPDX-License-Identifier: Apache-2.0
#include "path/ring_cuts.hpp"

#include <algorithm>
#include <numeric>

namespace fogline::path {
namespace {

using graph::VertexId;

constexpr double nothing = 1e-9;    // an edge taken less than this is not there
constexpr double tolerance = 1e-6;  // by which a rule must be broken

/// Disjoint groups of vertices.
class Groups {
 public:
  explicit Groups(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), VertexId{0});
  }
  VertexId of(VertexId v) {
    while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
    return v;
  }
  void join(VertexId u, VertexId v) { parent_[std::max(of(u), of(v))] = std::min(of(u), of(v)); }

 private:
  std::vector<VertexId> parent_;
};

/// Largest flows from one vertex in a small undirected graph.
class FlowGraph {
 public:
  explicit FlowGraph(std::size_t vertices) : arcs_at_(vertices), from_(vertices) {}

  void join(VertexId u, VertexId v, double capacity) {
    arcs_at_[u].push_back(static_cast<std::uint32_t>(arcs_.size()));
    arcs_.push_back({v, capacity, capacity});
    arcs_at_[v].push_back(static_cast<std::uint32_t>(arcs_.size()));
    arcs_.push_back({u, capacity, capacity});
  }

  /// Whether at least `wanted` flows from source to sink. If not, reached() tells the source's side of a least cut.
  bool carries(VertexId source, VertexId sink, double wanted) {
    for (Arc& arc : arcs_) arc.left = arc.capacity;
    while (wanted > 0) {
      if (!search(source, sink)) return false;
      wanted -= push(source, sink);
    }
    return true;
  }
  bool reached(VertexId v) const { return from_[v] != none; }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct Arc {
    VertexId to = 0;
    double capacity = 0, left = 0;
  };

  bool search(VertexId source, VertexId sink) {
    std::fill(from_.begin(), from_.end(), none);
    queue_.assign(1, source);
    from_[source] = none - 1;
    for (std::size_t i = 0; i < queue_.size() && from_[sink] == none; ++i)
      for (const std::uint32_t arc : arcs_at_[queue_[i]]) {
        const VertexId next = arcs_[arc].to;
        if (arcs_[arc].left <= nothing || from_[next] != none) continue;
        from_[next] = arc;
        queue_.push_back(next);
      }
    return from_[sink] != none;
  }

  double push(VertexId source, VertexId sink) {
    double amount = 2;
    for (VertexId v = sink; v != source; v = arcs_[from_[v] ^ 1].to)
      amount = std::min(amount, arcs_[from_[v]].left);
    for (VertexId v = sink; v != source; v = arcs_[from_[v] ^ 1].to) {
      arcs_[from_[v]].left -= amount;
      arcs_[from_[v] ^ 1].left += amount;
    }
    return amount;
  }

  std::vector<Arc> arcs_;  // the two directions of an edge stand side by side
  std::vector<std::vector<std::uint32_t>> arcs_at_;
  std::vector<std::uint32_t> from_;
  std::vector<VertexId> queue_;
};

class Separation {
 public:
  Separation(const RingGraph& graph, std::span<const double> use)
      : graph_(graph), use_(use), sum_(graph.size(), 0) {
    for (std::size_t e = 0; e < use.size(); ++e) {
      sum_[graph.edges[e].first] += use[e];
      sum_[graph.edges[e].second] += use[e];
    }
  }

  Cuts find(const std::function<void()>& watch) {
    Cuts cuts;
    cuts.ends = open_ends();
    cuts.rings = loose_parts();
    if (cuts.empty()) cuts.rings = weak_links(watch);
    return cuts;
  }

 private:
  std::vector<EndCut> open_ends() const {
    std::vector<EndCut> found;
    for (std::uint32_t e = 0; e < use_.size(); ++e)
      for (const VertexId end : {graph_.edges[e].first, graph_.edges[e].second})
        if (2 * use_[e] > sum_[end] + tolerance) found.push_back({e, end});
    return found;
  }

  std::vector<RingCut> loose_parts() const {
    Groups parts(graph_.size());
    for (std::size_t e = 0; e < use_.size(); ++e)
      if (use_[e] > nothing) parts.join(graph_.edges[e].first, graph_.edges[e].second);
    std::vector<std::vector<VertexId>> members(graph_.size());
    for (VertexId v = 0; v < graph_.size(); ++v) members[parts.of(v)].push_back(v);
    std::vector<RingCut> found;
    for (auto& inside : members) {
      if (inside.empty() || inside.back() == graph_.hub()) continue;
      const VertexId root = most_visited(inside);
      if (sum_[root] > tolerance) found.push_back({std::move(inside), root});
    }
    return found;
  }

  /// Stops joined by whole edges lie on one side of some least cut: moving one over to the other's side gains that edge and loses at most as much.
  std::vector<RingCut> weak_links(const std::function<void()>& watch) const {
    Groups group(graph_.size());
    for (std::size_t e = 0; e < use_.size(); ++e)
      if (use_[e] > 1 - nothing && graph_.edges[e].second != graph_.hub())
        group.join(graph_.edges[e].first, graph_.edges[e].second);
    FlowGraph flow(graph_.size());
    for (std::size_t e = 0; e < use_.size(); ++e) {
      const VertexId u = group.of(graph_.edges[e].first), v = group.of(graph_.edges[e].second);
      if (use_[e] > nothing && u != v) flow.join(u, v, use_[e]);
    }
    std::vector<VertexId> root(graph_.size());
    std::iota(root.begin(), root.end(), VertexId{0});
    for (VertexId v = 0; v < graph_.stops; ++v)
      if (sum_[v] > sum_[root[group.of(v)]]) root[group.of(v)] = v;

    std::vector<RingCut> found;
    std::vector<bool> cut_off(graph_.size(), false);
    for (VertexId v = 0; v < graph_.stops; ++v) {
      if (group.of(v) != v || cut_off[v]) continue;
      watch();
      if (flow.carries(v, graph_.hub(), sum_[root[v]] - tolerance)) continue;
      RingCut cut{{}, root[v]};
      for (VertexId w = 0; w < graph_.stops; ++w)
        if (flow.reached(group.of(w))) {
          cut.inside.push_back(w);
          cut_off[group.of(w)] = true;
        }
      found.push_back(std::move(cut));
    }
    return found;
  }

  VertexId most_visited(const std::vector<VertexId>& stops) const {
    return *std::max_element(stops.begin(), stops.end(),
                             [&](VertexId a, VertexId b) { return sum_[a] < sum_[b]; });
  }

  const RingGraph& graph_;
  std::span<const double> use_;
  std::vector<double> sum_;  // per vertex, of the edges there
};

}  // namespace

void RingGraph::add(VertexId u, VertexId v) {
  at_vertex.resize(size());
  at_vertex[u].push_back(static_cast<std::uint32_t>(edges.size()));
  at_vertex[v].push_back(static_cast<std::uint32_t>(edges.size()));
  edges.emplace_back(std::min(u, v), std::max(u, v));
}

Cuts broken_rules(const RingGraph& graph, std::span<const double> use, const std::function<void()>& watch) {
  return Separation(graph, use).find(watch);
}

}  // namespace fogline::path
