// SPDX-License-Identifier: Apache-2.0
#include "path/published_layers.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace fogline::path {
namespace {

using graph::BitGraph;
using graph::VertexId;
using Row = std::vector<std::uint64_t>;

void set(Row& row, VertexId v) {
  row[v / 64] |= std::uint64_t{1} << (v % 64);
}

void clear(Row& row, VertexId v) {
  row[v / 64] &= ~(std::uint64_t{1} << (v % 64));
}

template <class Some>
bool is_within(const Row& row, const Some& some) {
  for (std::size_t word = 0; word < row.size(); ++word)
    if ((row[word] & ~some[word]) != 0) return false;
  return true;
}

/// The vertices joined to a newcomer, on either side of a place for it.
struct Split {
  Row below, above;
};

class Backtracking {
 public:
  Backtracking(const BitGraph& graph, const LayerSearchOptions& options)
      : graph_(graph), options_(options), below_(graph.size(), Row(graph.words(), 0)), above_(below_) {}

  LayerSearch run() {
    found_.complete = insert({});
    return std::move(found_);
  }

 private:
  /// Puts the next vertex and all after it beside those that have a layer; twice the number of a layer is its place, odd numbers are between layers.
  bool insert(const std::vector<std::int32_t>& layer) {
    if (layer.size() > found_.layer.size()) found_.layer = layer;
    if (layer.size() == graph_.size()) return true;
    std::int32_t count = 0;
    for (const std::int32_t of : layer) count = std::max(count, of + 1);
    Row tried;
    for (std::int32_t place = 2 * count - 1; place >= -1; --place) {
      const bool between = place % 2 != 0;
      if (options_.choice == LayerChoice::paper && between && place != -1 && place != 2 * count - 1) continue;
      if (++found_.steps > options_.most_steps) found_.gave_up = true;
      if (found_.gave_up) return false;
      const Split split = split_at(layer, place);
      if (options_.choice == LayerChoice::between && split.below == tried) continue;
      if (!is_good(static_cast<VertexId>(layer.size()), split)) continue;
      tried = split.below;
      if (insert_at(layer, place, split)) return true;
    }
    return false;
  }

  Split split_at(const std::vector<std::int32_t>& layer, std::int32_t place) const {
    const auto next = static_cast<VertexId>(layer.size());
    Split split{Row(graph_.words(), 0), Row(graph_.words(), 0)};
    for (VertexId v = 0; v < next; ++v) {
      if (!graph_.joined(v, next)) continue;
      if (2 * layer[v] <= place) set(split.below, v);
      if (2 * layer[v] >= place) set(split.above, v);  // both: in the same layer, which is bad
    }
    return split;
  }

  /// Algorithm 5: what is below a vertex below, and above one above, must be joined to the newcomer, and the two sides to each other.
  bool is_good(VertexId next, const Split& split) const {
    bool good = true;
    graph::for_each_bit(split.below, [&](VertexId v) {
      good = good && is_within(below_[v], graph_.row(next)) && is_within(split.above, graph_.row(v));
    });
    graph::for_each_bit(split.above,
                        [&](VertexId v) { good = good && is_within(above_[v], graph_.row(next)); });
    return good;
  }

  bool insert_at(const std::vector<std::int32_t>& layer, std::int32_t place, const Split& split) {
    const auto next = static_cast<VertexId>(layer.size());
    std::vector<std::int32_t> with = layer;
    if (place % 2 != 0) {
      for (std::int32_t& of : with) of += 2 * of > place ? 1 : 0;
    }
    with.push_back((place + 1) / 2);
    graph::for_each_bit(split.below, [&](VertexId v) { set(above_[v], next); });
    graph::for_each_bit(split.above, [&](VertexId v) { set(below_[v], next); });
    below_[next] = split.below;
    above_[next] = split.above;
    if (insert(with)) return true;
    graph::for_each_bit(split.below, [&](VertexId v) { clear(above_[v], next); });
    graph::for_each_bit(split.above, [&](VertexId v) { clear(below_[v], next); });
    return false;
  }

  const BitGraph& graph_;
  const LayerSearchOptions& options_;
  std::vector<Row> below_,
      above_;  // of the vertices in the stack: whom each is joined to in lower and higher layers
  LayerSearch found_;
};

}  // namespace

LayerSearch search_layers(const BitGraph& ruled_out, const LayerSearchOptions& options) {
  if (options.most_steps == 0) throw InvalidOption("most_steps", "must be at least 1");
  return Backtracking(ruled_out, options).run();
}

}  // namespace fogline::path
