// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "roads/city_blocks.hpp"

namespace fogline::roads::sketch {
namespace {

constexpr double stub_m = 48;  ///< dead ends shorter than this go

std::vector<std::vector<std::uint32_t>> pieces_at(const StreetGraph& graph) {
  std::vector<std::vector<std::uint32_t>> at(graph.nodes.size());
  for (std::uint32_t i = 0; i < graph.pieces.size(); ++i) {
    at[graph.pieces[i].tail].push_back(i);
    at[graph.pieces[i].head].push_back(i);
  }
  return at;
}

bool drop_stubs(StreetGraph& graph) {
  const auto at = pieces_at(graph);
  const auto is_stub = [&](const Piece& piece) {
    const bool loose = at[piece.tail].size() == 1 || at[piece.head].size() == 1;
    const bool leaves_map = !Plan::on_map(piece.line.front(), 40) || !Plan::on_map(piece.line.back(), 40);
    return loose && !leaves_map && length_m(piece.line) < stub_m;
  };
  return std::erase_if(graph.pieces, is_stub) > 0;
}

/// Of streets that join the same two junctions the widest stays, then the shortest; loops go.
bool drop_doubles(StreetGraph& graph) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> best;
  std::vector<bool> drop(graph.pieces.size(), false);
  for (std::size_t i = 0; i < graph.pieces.size(); ++i) {
    const Piece& piece = graph.pieces[i];
    drop[i] = piece.tail == piece.head;
    if (drop[i]) continue;
    const auto [found, is_new] = best.try_emplace(std::minmax(piece.tail, piece.head), i);
    if (is_new) continue;
    const Piece& rival = graph.pieces[found->second];
    const bool wins = piece.road_class != rival.road_class ? piece.road_class < rival.road_class
                                                           : length_m(piece.line) < length_m(rival.line);
    drop[wins ? found->second : i] = true;
    if (wins) found->second = i;
  }
  std::size_t i = 0;
  return std::erase_if(graph.pieces, [&](const Piece&) { return drop[i++]; }) > 0;
}

void turn_round(Piece& piece) {
  std::swap(piece.tail, piece.head);
  std::reverse(piece.line.begin(), piece.line.end());
}

/// Joins the two streets at a node where no others meet. The longer one gives its class to both; where one is
/// one-way, so is the whole. Two one-way streets against each other lead nowhere: the second goes.
bool join_through(StreetGraph& graph) {
  auto at = pieces_at(graph);
  std::vector<bool> gone(graph.pieces.size(), false);
  for (std::uint32_t node = 0; node < graph.nodes.size(); ++node) {
    if (at[node].size() != 2 || at[node][0] == at[node][1]) continue;
    const std::uint32_t kept_index = at[node][0];
    const std::uint32_t lost_index = at[node][1];
    Piece& kept = graph.pieces[kept_index];
    Piece& lost = graph.pieces[lost_index];
    const bool same_end = (kept.head == node) == (lost.head == node);
    if (same_end && kept.one_way && lost.one_way) {
      gone[lost_index] = true;
      std::erase(at[lost.tail == node ? lost.head : lost.tail], lost_index);
      std::erase(at[node], lost_index);
      continue;
    }
    if (same_end) turn_round(kept.one_way ? lost : kept);
    kept.one_way = kept.one_way || lost.one_way;
    Piece& first = kept.head == node ? kept : lost;
    Piece& second = kept.head == node ? lost : kept;
    if (length_m(lost.line) > length_m(kept.line)) {
      kept.road_class = lost.road_class;
      kept.stroke = lost.stroke;
    }
    Line line = first.line;
    line.insert(line.end(), second.line.begin() + 1, second.line.end());
    const std::uint32_t far = kept.head == node ? lost.head : lost.tail;
    const std::uint32_t tail = first.tail;
    const std::uint32_t head = second.head;
    kept.line = std::move(line);
    kept.tail = tail;
    kept.head = head;
    gone[lost_index] = true;
    std::replace(at[far].begin(), at[far].end(), lost_index, kept_index);
    at[node].clear();
  }
  std::size_t i = 0;
  return std::erase_if(graph.pieces, [&](const Piece&) { return gone[i++]; }) > 0;
}

std::uint32_t root(std::vector<std::uint32_t>& parent, std::uint32_t node) {
  while (parent[node] != node) node = parent[node] = parent[parent[node]];
  return node;
}

void keep_largest_part(StreetGraph& graph) {
  std::vector<std::uint32_t> parent(graph.nodes.size());
  std::iota(parent.begin(), parent.end(), 0u);
  for (const Piece& piece : graph.pieces) parent[root(parent, piece.tail)] = root(parent, piece.head);
  std::vector<std::uint32_t> size(graph.nodes.size(), 0);
  for (std::uint32_t node = 0; node < graph.nodes.size(); ++node) ++size[root(parent, node)];
  const auto largest = static_cast<std::uint32_t>(std::max_element(size.begin(), size.end()) - size.begin());
  std::erase_if(graph.pieces, [&](const Piece& piece) { return root(parent, piece.tail) != largest; });
}

void renumber(StreetGraph& graph) {
  constexpr std::uint32_t unused = ~std::uint32_t{0};
  std::vector<std::uint32_t> number(graph.nodes.size(), unused);
  std::vector<Point> nodes;
  const auto renumbered = [&](std::uint32_t node) {
    if (number[node] == unused) {
      number[node] = static_cast<std::uint32_t>(nodes.size());
      nodes.push_back(graph.nodes[node]);
    }
    return number[node];
  };
  for (Piece& piece : graph.pieces) {
    piece.tail = renumbered(piece.tail);
    piece.head = renumbered(piece.head);
  }
  graph.nodes = std::move(nodes);
}

}  // namespace

void tidy(StreetGraph& graph) {
  keep_largest_part(graph);
  bool changed = true;
  while (changed) {
    changed = drop_doubles(graph);
    changed = drop_stubs(graph) || changed;
    changed = join_through(graph) || changed;
  }
  renumber(graph);
}

}  // namespace fogline::roads::sketch
