// SPDX-License-Identifier: Apache-2.0
#include "weights/distances/overlay.hpp"

#include <limits>

namespace fogline::weights {

OverlaidDistances::OverlaidDistances(std::shared_ptr<const RegionCrossings> cut,
                                     std::span<const double> edges,
                                     const std::vector<std::vector<std::vector<double>>>& crossings)
    : cut_(std::move(cut)), last_(cut_->regions().levels()), grounds_(last_ + 1) {
  Arcs arcs(last_ + 1);
  for (std::size_t level = 0; level <= last_; ++level) {
    grounds_[level].resize(level == 0 ? 1 : cut_->regions().count(level - 1));
    arcs[level].resize(grounds_[level].size());
  }
  add_regions(crossings, arcs);
  const Topology& graph = cut_->graph();
  for (Topology::EdgeId e = 0; e < graph.edge_count(); ++e) {
    const std::size_t level = cut_->levels_around(e);
    add(arcs[level][ground_of(level, graph.source(e))], graph.source(e), graph.target(e), edges[e]);
  }
  number(arcs);
}

/// Regions of level i of the cut lie in grounds of level i, and are grounds of level i + 1.
OverlaidDistances::Region OverlaidDistances::ground_of(std::size_t level, Vertex vertex) const {
  return level == 0 ? 0 : cut_->regions().region_of(level - 1, vertex);
}

void OverlaidDistances::add(std::vector<Search::Arc>& arcs, Vertex from, Vertex to, double length) const {
  arcs.push_back({from, to, length});
  if (!cut_->graph().directed()) arcs.push_back({to, from, length});
}

void OverlaidDistances::add_regions(const std::vector<std::vector<std::vector<double>>>& crossings,
                                    Arcs& arcs) {
  const NestedRegions& regions = cut_->regions();
  for (std::size_t level = 0; level < last_; ++level) {
    for (Region r = 0; r < regions.count(level); ++r) {
      const Region around = ground_of(level, regions.members(level, r)[0]);
      Ground& ground = grounds_[level][around];
      ground.inside.push_back(r);
      const auto rim = regions.rim(level, r);
      ground.vertices.insert(ground.vertices.end(), rim.begin(), rim.end());
      const auto& across = cut_->across(level, r).crossings;
      for (std::size_t c = 0; c < across.size(); ++c)
        add(arcs[level][around], across[c].from, across[c].to, crossings[level][r][c]);
    }
  }
  for (Region r = 0; r < grounds_[last_].size(); ++r) {
    const auto members = regions.members(last_ - 1, r);
    grounds_[last_][r].vertices.assign(members.begin(), members.end());
  }
}

void OverlaidDistances::number(Arcs& arcs) {
  number_.assign(last_ + 1, std::vector<std::uint32_t>(cut_->graph().vertex_count(), 0));
  for (std::size_t level = 0; level <= last_; ++level) {
    for (Region r = 0; r < grounds_[level].size(); ++r) {
      Ground& ground = grounds_[level][r];
      for (std::uint32_t i = 0; i < ground.vertices.size(); ++i) number_[level][ground.vertices[i]] = i;
      for (Search::Arc& arc : arcs[level][r]) {
        arc.tail = number_[level][arc.tail];
        arc.head = number_[level][arc.head];
      }
      ground.graph = Search(ground.vertices.size(), arcs[level][r]);
    }
  }
}

std::vector<double> OverlaidDistances::from(Vertex source) const {
  std::vector<double> result(cut_->graph().vertex_count(), Search::unreachable);
  descend(0, 0, source, upwards(source), {}, result);
  for (double& length : result)
    if (length == Search::unreachable) length = std::numeric_limits<double>::infinity();
  return result;
}

/// Where searches in the grounds around the source begin: at the source, and then where it can leave the ground below.
OverlaidDistances::Starts OverlaidDistances::upwards(Vertex source) const {
  Starts starts(last_ + 1);
  starts[last_] = {{number_[last_][source], 0}};
  for (std::size_t level = last_; level > 0; --level) {
    const Region around = ground_of(level, source);
    const auto found = grounds_[level][around].graph.from(starts[level]);
    for (const Vertex v : cut_->regions().rim(level - 1, around)) {
      const double length = found[number_[level][v]];
      if (length != Search::unreachable) starts[level - 1].push_back({number_[level - 1][v], length});
    }
  }
  return starts;
}

void OverlaidDistances::descend(std::size_t level, Region region, Vertex source, const Starts& starts,
                                std::span<const Entered> entered, std::vector<double>& result) const {
  const Ground& ground = grounds_[level][region];
  std::vector<Search::Start> begin;
  for (const Entered& at : entered) begin.push_back({number_[level][at.vertex], at.length});
  if (ground_of(level, source) == region)
    begin.insert(begin.end(), starts[level].begin(), starts[level].end());
  const auto found = ground.graph.from(begin);
  if (level == last_) {
    for (std::size_t i = 0; i < ground.vertices.size(); ++i) result[ground.vertices[i]] = found[i];
    return;
  }
  for (const Region inner : ground.inside) {
    std::vector<Entered> rim;
    for (const Vertex v : cut_->regions().rim(level, inner)) {
      const double length = found[number_[level][v]];
      if (length != Search::unreachable) rim.push_back({v, length});
    }
    descend(level + 1, inner, source, starts, rim, result);
  }
}

}  // namespace fogline::weights
