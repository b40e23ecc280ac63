// SPDX-License-Identifier: Apache-2.0
#include "weights/distances/heavy_paths.hpp"

#include <optional>

#include "base/error.hpp"

namespace fogline::weights {
namespace {

using Vertex = Topology::Vertex;

/// The vertices of a tree, from above to below, with the edge up from each.
struct HungTree {
  std::vector<Vertex> order;
  std::vector<Topology::EdgeId> edge_up;  // of each in order; of the first, none
  std::vector<std::size_t> parent;        // place in order
};

HungTree hang(const Topology& forest, Vertex root) {
  HungTree tree{.order = {root}, .edge_up = {0}, .parent = {0}};
  for (std::size_t next = 0; next < tree.order.size(); ++next) {
    for (const Topology::Arc& arc : forest.arcs(tree.order[next])) {
      if (next > 0 && arc.edge == tree.edge_up[next]) continue;
      tree.order.push_back(arc.head);
      tree.edge_up.push_back(arc.edge);
      tree.parent.push_back(next);
    }
  }
  return tree;
}

/// For each place, the place of its heaviest child.
std::vector<std::optional<std::size_t>> heavy_children(const HungTree& tree) {
  std::vector<std::size_t> below(tree.order.size(), 1);
  std::vector<std::optional<std::size_t>> heavy(tree.order.size());
  for (std::size_t place = tree.order.size(); place-- > 1;) {
    const std::size_t parent = tree.parent[place];
    below[parent] += below[place];
    if (!heavy[parent] || below[place] >= below[*heavy[parent]]) heavy[parent] = place;
  }
  return heavy;
}

void add_paths(const HungTree& tree, std::vector<std::vector<Topology::EdgeId>>& paths) {
  const auto heavy = heavy_children(tree);
  for (std::size_t place = 1; place < tree.order.size(); ++place) {
    const std::size_t parent = tree.parent[place];
    if (parent != 0 && heavy[parent] == place) continue;  // on its parent's path
    auto& path = paths.emplace_back();
    for (std::optional<std::size_t> at = place; at; at = heavy[*at]) path.push_back(tree.edge_up[*at]);
  }
}

}  // namespace

std::vector<std::vector<Topology::EdgeId>> heavy_paths(const Topology& forest) {
  if (!forest.is_forest()) throw InvalidOption("graph", "must be a forest");
  std::vector<bool> done(forest.vertex_count(), false);
  std::vector<std::vector<Topology::EdgeId>> paths;
  for (Vertex v = 0; v < forest.vertex_count(); ++v) {
    if (done[v]) continue;
    // The vertex that a search from anywhere meets last is an end of a longest way.
    const HungTree tree = hang(forest, hang(forest, v).order.back());
    for (const Vertex met : tree.order) done[met] = true;
    add_paths(tree, paths);
  }
  return paths;
}

}  // namespace fogline::weights
