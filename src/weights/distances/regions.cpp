// SPDX-License-Identifier: Apache-2.0
#include "weights/distances/regions.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"

namespace fogline::weights {
namespace {

using Vertex = Topology::Vertex;
using Region = NestedRegions::Region;

Topology without_directions(const Topology& graph) {
  GraphShape shape{.vertices = static_cast<std::uint32_t>(graph.vertex_count())};
  for (Topology::EdgeId e = 0; e < graph.edge_count(); ++e) {
    shape.source.push_back(graph.source(e));
    shape.target.push_back(graph.target(e));
  }
  return Topology(std::move(shape));
}

/// Halves regions again and again.
class Bisection {
 public:
  explicit Bisection(const Topology& graph)
      : graph_(graph), region_(graph.vertex_count(), 0), hops_(graph.vertex_count(), 0) {
    std::vector<Vertex> all(graph.vertex_count());
    for (Vertex v = 0; v < all.size(); ++v) all[v] = v;
    members_.push_back(std::move(all));
  }

  const std::vector<Region>& region() const { return region_; }
  const std::vector<std::vector<Vertex>>& members() const { return members_; }

  void deepen() {
    const std::size_t before = members_.size();
    for (Region r = 0; r < before; ++r) {
      if (members_[r].size() < 2) continue;
      const std::vector<Vertex> order = ordered(r);
      const auto cut = order.begin() + static_cast<std::ptrdiff_t>(cut_of(order, r));
      const auto born = static_cast<Region>(members_.size());
      members_.emplace_back(cut, order.end());
      for (const Vertex v : members_[born]) region_[v] = born;
      members_[r].assign(order.begin(), cut);
    }
  }

 private:
  /// Appends what a search from `start` within its region meets; sets hops, counted on from `first`.
  void search(Vertex start, std::uint32_t first, std::vector<bool>& met, std::vector<Vertex>& order) {
    std::size_t next = order.size();
    order.push_back(start);
    met[start] = true;
    hops_[start] = first;
    for (; next < order.size(); ++next) {
      for (const Topology::Arc& arc : graph_.arcs(order[next])) {
        if (met[arc.head] || region_[arc.head] != region_[start]) continue;
        met[arc.head] = true;
        hops_[arc.head] = hops_[order[next]] + 1;
        order.push_back(arc.head);
      }
    }
  }

  /// The region's vertices by hops from an end of a longest way; pieces one after the other.
  std::vector<Vertex> ordered(Region region) {
    std::vector<bool> met(graph_.vertex_count(), false), scouted(graph_.vertex_count(), false);
    std::vector<Vertex> order, scout;
    for (const Vertex v : members_[region]) {
      if (met[v]) continue;
      scout.clear();
      search(v, 0, scouted, scout);
      const std::uint32_t first = order.empty() ? 0 : hops_[order.back()] + 1;
      search(scout.back(), first, met, order);
    }
    return order;
  }

  bool leads_on(Vertex v, Region region) const {
    return std::any_of(graph_.arcs(v).begin(), graph_.arcs(v).end(), [&](const Topology::Arc& arc) {
      return region_[arc.head] == region && hops_[arc.head] == hops_[v] + 1;
    });
  }

  /// How many vertices stay on the first side.
  std::size_t cut_of(const std::vector<Vertex>& order, Region region) const {
    // Within these parts of the vertices the cut may lie where it is shortest: sides stay about alike. Chosen, not
    // derived.
    constexpr std::size_t from_per_cent = 35, to_per_cent = 65;
    const std::size_t size = order.size(), from = size * from_per_cent / 100, to = size * to_per_cent / 100;
    const auto off_middle = [&](std::size_t cut) { return cut > size / 2 ? cut - size / 2 : size / 2 - cut; };
    std::size_t best = size / 2, along = 0;
    auto least = std::pair(size + 1, size);  // vertices along the cut, then places off the middle
    for (std::size_t i = 0; i + 1 < size; ++i) {
      if (i == 0 || hops_[order[i]] != hops_[order[i - 1]]) along = 0;
      if (leads_on(order[i], region)) ++along;
      const bool level_ends = hops_[order[i + 1]] != hops_[order[i]];
      if (!level_ends || i + 1 < from || i + 1 > to) continue;
      const auto found = std::pair(along, off_middle(i + 1));
      if (found >= least) continue;
      least = found;
      best = i + 1;
    }
    return best;
  }

  const Topology& graph_;
  std::vector<Region> region_;
  std::vector<std::uint32_t> hops_;
  std::vector<std::vector<Vertex>> members_;
};

std::vector<std::vector<Vertex>> rims_of(const Topology& graph, const std::vector<Region>& region,
                                         std::size_t count) {
  std::vector<std::vector<Vertex>> rims(count);
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    const auto arcs = graph.arcs(v);
    if (std::any_of(arcs.begin(), arcs.end(), [&](const auto& arc) { return region[arc.head] != region[v]; }))
      rims[region[v]].push_back(v);
  }
  return rims;
}

}  // namespace

std::vector<Region> NestedRegions::gates(std::size_t level, Region region) const {
  std::vector<Region> gates;
  for (const Vertex v : rim(level, region)) {
    Region least = std::numeric_limits<Region>::max();
    for (const Topology::Arc& arc : undirected_.arcs(v)) {
      const Region other = region_of(level, arc.head);
      if (other != region) least = std::min(least, other);
    }
    gates.push_back(least);
  }
  return gates;
}

NestedRegions::NestedRegions(const Topology& graph, std::span<const int> depths)
    : undirected_(without_directions(graph)) {
  if (depths.empty()) throw InvalidOption("depths", "must name at least one");
  Bisection bisection(undirected_);
  int depth = 0;
  for (const int wanted : depths) {
    if (wanted <= depth || wanted > deepest) throw InvalidOption("depths", "must increase, from 1 to 20");
    for (; depth < wanted; ++depth) bisection.deepen();
    region_of_.push_back(bisection.region());
    members_.push_back(bisection.members());
    rims_.push_back(rims_of(undirected_, bisection.region(), bisection.members().size()));
  }
}

}  // namespace fogline::weights
