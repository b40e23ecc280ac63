// SPDX-License-Identifier: Apache-2.0
#include "path/published_split.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "base/error.hpp"
#include "graph/transitive_orientation.hpp"

namespace fogline::path {
namespace {

using graph::BitGraph;
using Decision = PublishedLayersOptions::Decision;

/// The pieces that have a layer so far.
struct Stack {
  std::vector<LayerPiece> pieces;
  std::vector<std::set<std::uint32_t>> joined;      // per piece
  std::vector<std::optional<std::uint32_t>> first;  // per stop: the piece that later stops are joined to

  std::uint32_t add(LayerPiece piece, const std::set<std::uint32_t>& to) {
    const auto added = static_cast<std::uint32_t>(pieces.size());
    pieces.push_back(piece);
    joined.push_back(to);
    for (const std::uint32_t other : to) joined[other].insert(added);
    if (!first[piece.stop]) first[piece.stop] = added;
    return added;
  }

  /// Numbers the layers from 0 without gaps.
  void tidy() {
    std::set<std::int32_t> used;
    for (const LayerPiece& piece : pieces) used.insert(piece.layer);
    for (LayerPiece& piece : pieces)
      piece.layer = static_cast<std::int32_t>(std::distance(used.begin(), used.find(piece.layer)));
  }
};

/// A place for a piece of the newcomer, and the pieces it would be joined to there.
struct Place {
  std::int32_t at = 0;
  std::set<std::uint32_t> joined;
};

class Splitter {
 public:
  Splitter(Stack& stack, StopId newcomer, std::set<StopId> wanted)
      : stack_(stack), newcomer_(newcomer), wanted_(std::move(wanted)), open_(wanted_) {}

  void run() {
    // Twice the number of a layer, so that there is room between two of them.
    for (LayerPiece& piece : stack_.pieces) piece.layer *= 2;
    while (!open_.empty()) {
      const Place best = best_place();
      if (gain(best) == 0) break;
      stack_.add({newcomer_, best.at}, best.joined);
      for (const std::uint32_t piece : best.joined) open_.erase(stack_.pieces[piece].stop);
      stack_.tidy();
      for (LayerPiece& piece : stack_.pieces) piece.layer *= 2;
    }
    if (!open_.empty()) split_the_others();
    stack_.tidy();
  }

 private:
  std::size_t gain(const Place& place) const {
    std::set<StopId> covered;
    for (const std::uint32_t piece : place.joined)
      if (open_.contains(stack_.pieces[piece].stop)) covered.insert(stack_.pieces[piece].stop);
    return covered.size();
  }

  Place best_place() const {
    std::int32_t highest = 0;
    for (const LayerPiece& piece : stack_.pieces) highest = std::max(highest, piece.layer);
    Place best;
    for (std::int32_t at = highest + 1; at >= -1; --at) {
      for (const bool below_first : {true, false}) {
        Place place = suitable(at, below_first);
        if (gain(place) > gain(best)) best = std::move(place);
      }
    }
    return best;
  }

  /// What a piece at this place may be joined to: all that suits on one side of it, and on the other what is joined to all of those.
  Place suitable(std::int32_t at, bool below_first) const {
    Place place{at, side(at, below_first)};
    const std::set<std::uint32_t> one_side = place.joined;
    for (const std::uint32_t other : side(at, !below_first))
      if (std::ranges::includes(stack_.joined[other], one_side)) place.joined.insert(other);
    return place;
  }

  /// The pieces below or above the place that may be joined to the newcomer with all that lies beyond them.
  std::set<std::uint32_t> side(std::int32_t at, bool below) const {
    const auto beyond = [&](std::int32_t layer, std::int32_t than) {
      return below ? layer < than : layer > than;
    };
    std::set<std::uint32_t> found;
    for (std::uint32_t i = 0; i < stack_.pieces.size(); ++i) {
      const LayerPiece& piece = stack_.pieces[i];
      if (!beyond(piece.layer, at) || !wanted_.contains(piece.stop)) continue;
      if (std::ranges::all_of(stack_.joined[i], [&](std::uint32_t other) {
            return !beyond(stack_.pieces[other].layer, piece.layer) ||
                   wanted_.contains(stack_.pieces[other].stop);
          }))
        found.insert(i);
    }
    return found;
  }

  void split_the_others() {
    const std::uint32_t root = stack_.add({newcomer_, -1}, {});
    for (const StopId other : open_) stack_.add({other, 0}, {root});
  }

  Stack& stack_;
  StopId newcomer_;
  std::set<StopId> wanted_;  // stops that the newcomer is ruled out beside
  std::set<StopId> open_;    // of these, those on no branch with it yet
};

class Builder {
 public:
  Builder(const BitGraph& ruled_out, const std::vector<StopId>& order, const PublishedLayersOptions& options)
      : ruled_out_(ruled_out), order_(order), options_(options) {
    stack_.first.resize(ruled_out.size());
  }

  BuiltLayers run() {
    while (next_ < order_.size()) {
      insert_while_possible();
      if (next_ == order_.size()) break;
      const StopId newcomer = order_[next_++];
      Splitter(stack_, newcomer, wanted_by(newcomer)).run();
      ++built_.splits;
    }
    built_.layers.pieces = stack_.pieces;
    for (std::uint32_t i = 0; i < stack_.pieces.size(); ++i)
      for (const std::uint32_t other : stack_.joined[i])
        if (i < other) built_.layers.edges.emplace_back(i, other);
    return std::move(built_);
  }

 private:
  std::set<StopId> wanted_by(StopId newcomer) const {
    std::set<StopId> wanted;
    graph::for_each_bit(ruled_out_.row(newcomer), [&](StopId other) {
      if (stack_.first[other]) wanted.insert(other);
    });
    return wanted;
  }

  /// The pieces, and after them the first `more` of the stops that are still to come.
  BitGraph with_stops(std::size_t more) const {
    const std::size_t old = stack_.pieces.size();
    BitGraph graph(old + more);
    for (std::uint32_t i = 0; i < old; ++i)
      for (const std::uint32_t other : stack_.joined[i]) graph.join(i, other);
    for (std::size_t a = 0; a < more; ++a) {
      const auto item = static_cast<StopId>(old + a);
      for (const StopId stop : wanted_by(order_[next_ + a])) graph.join(item, *stack_.first[stop]);
      for (std::size_t b = 0; b < a; ++b)
        if (ruled_out_.joined(order_[next_ + a], order_[next_ + b]))
          graph.join(item, static_cast<StopId>(old + b));
    }
    return graph;
  }

  void insert_while_possible() {
    std::size_t more = order_.size() - next_;
    if (options_.decision == Decision::orientation) more = most_that_fit(more);
    const BitGraph graph = with_stops(more);
    if (graph.size() == stack_.pieces.size()) return;
    LayerSearch found = search_layers(graph, {.most_steps = options_.most_steps});
    built_.steps += found.steps;
    built_.gave_ups += found.gave_up ? 1 : 0;
    if (found.gave_up && options_.decision == Decision::orientation) {
      const std::vector<std::uint32_t> layers = graph::transitive_orientation(graph)->layers();
      found.layer.assign(layers.begin(), layers.end());
    }
    if (found.layer.size() > stack_.pieces.size()) keep(graph, found.layer);
  }

  /// If some stops can be oriented together, so can fewer of them.
  std::size_t most_that_fit(std::size_t most) const {
    std::size_t fit = 0, beyond = most + 1;
    while (beyond - fit > 1) {
      const std::size_t middle = (fit + beyond) / 2;
      (graph::transitive_orientation(with_stops(middle)) ? fit : beyond) = middle;
    }
    return fit;
  }

  void keep(const BitGraph& graph, const std::vector<std::int32_t>& layer) {
    for (std::uint32_t i = 0; i < layer.size(); ++i) {
      if (i < stack_.pieces.size()) {
        stack_.pieces[i].layer = layer[i];
        continue;
      }
      std::set<std::uint32_t> joined;
      for (std::uint32_t other = 0; other < i; ++other)
        if (graph.joined(i, other)) joined.insert(other);
      stack_.add({order_[next_++], layer[i]}, joined);
    }
  }

  const BitGraph& ruled_out_;
  const std::vector<StopId>& order_;
  const PublishedLayersOptions& options_;
  std::size_t next_ = 0;  // in order_
  Stack stack_;
  BuiltLayers built_;
};

}  // namespace

BuiltLayers build_layers(const BitGraph& ruled_out, const std::vector<StopId>& order,
                         const PublishedLayersOptions& options) {
  std::vector<StopId> sorted = order, all(ruled_out.size());
  std::iota(all.begin(), all.end(), StopId{0});
  std::ranges::sort(sorted);
  if (sorted != all) throw InvalidOption("order", "must hold every stop once");
  return Builder(ruled_out, order, options).run();
}

}  // namespace fogline::path
