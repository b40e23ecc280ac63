// SPDX-License-Identifier: Apache-2.0
#include "graph/two_sides.hpp"

#include <algorithm>
#include <optional>

#include "base/error.hpp"

namespace fogline::graph {
namespace {

using Mask = std::uint32_t;

std::size_t size_of(Mask mask) {
  return static_cast<std::size_t>(std::popcount(mask));
}

Mask only(std::size_t v) {
  return Mask{1} << v;
}

std::vector<VertexId> listed(Mask mask) {
  std::vector<VertexId> vertices;
  for (; mask != 0; mask &= mask - 1) vertices.push_back(static_cast<VertexId>(std::countr_zero(mask)));
  return vertices;
}

/// The largest two sides of at most 32 vertices. The larger side may be taken as large as it goes: whatever else fits into it may be moved there. So every
/// independent set that nothing fits into is tried as the larger side, and beside it the largest independent set of the rest.
class ExactSides {
 public:
  explicit ExactSides(const BitGraph& graph) : joined_(graph.size()) {
    for (VertexId v = 0; v < graph.size(); ++v) joined_[v] = static_cast<Mask>(graph.row(v)[0]);
    all_ = static_cast<Mask>((std::uint64_t{1} << graph.size()) - 1);
  }

  TwoSides run() {
    extend(0, all_, 0);
    return {listed(lower_), listed(upper_), true};
  }

 private:
  std::size_t best() const { return size_of(lower_ | upper_); }

  /// Bron and Kerbosch's search, with a pivot: `fits` may still come in, `tried` would fit but was dealt with before.
  void extend(Mask side, Mask fits, Mask tried) {
    if (2 * (size_of(side) + size_of(fits)) <= best()) return;
    if ((fits | tried) == 0) return complete(side);
    for (Mask branches = fits & around(pivot(fits, tried)); branches != 0; branches &= branches - 1) {
      const auto v = static_cast<std::size_t>(std::countr_zero(branches));
      const Mask beside = ~(joined_[v] | only(v));
      extend(side | only(v), fits & beside, tried & beside);
      fits &= ~only(v);
      tried |= only(v);
    }
  }

  Mask around(std::size_t v) const { return joined_[v] | only(v); }

  /// One of the fewest branches: a side that nothing fits into holds the pivot or a neighbour of it.
  std::size_t pivot(Mask fits, Mask tried) const {
    std::size_t chosen = 0, fewest = joined_.size() + 1;
    for (Mask left = fits | tried; left != 0; left &= left - 1) {
      const auto v = static_cast<std::size_t>(std::countr_zero(left));
      const std::size_t branches = size_of(fits & around(v));
      if (branches < fewest) chosen = v, fewest = branches;
    }
    return chosen;
  }

  void complete(Mask side) {
    larger_ = side;
    second(0, all_ & ~side);
  }

  /// The largest independent set of `left` beside `larger_`.
  void second(Mask side, Mask left) {
    if (size_of(larger_) + size_of(side) > best()) lower_ = larger_, upper_ = side;
    if (left == 0 || size_of(larger_) + size_of(side) + size_of(left) <= best()) return;
    std::size_t v = 0, fewest = joined_.size() + 1;
    for (Mask rest = left; rest != 0; rest &= rest - 1) {
      const auto u = static_cast<std::size_t>(std::countr_zero(rest));
      const std::size_t degree = size_of(joined_[u] & left);
      if (degree < fewest) v = u, fewest = degree;
    }
    for (Mask branches = left & around(v); branches != 0; branches &= branches - 1) {
      const auto u = static_cast<std::size_t>(std::countr_zero(branches));
      second(side | only(u), left & ~around(u));
      left &= ~only(u);
    }
  }

  std::vector<Mask> joined_;
  Mask all_ = 0, larger_ = 0, lower_ = 0, upper_ = 0;
};

using Row = std::vector<std::uint64_t>;

std::size_t size_of(const Row& row) {
  std::size_t count = 0;
  for (const std::uint64_t word : row) count += static_cast<std::size_t>(std::popcount(word));
  return count;
}

void drop(Row& row, VertexId v) {
  row[v / 64] &= ~(std::uint64_t{1} << (v % 64));
}

/// A large independent set among the vertices of `allowed`: the best of those that grow from one vertex each, letting in at every turn what shuts out least.
class SideSearch {
 public:
  SideSearch(const BitGraph& graph, const Row& allowed)
      : graph_(graph), allowed_(allowed), degree_(graph.size()) {}

  std::vector<VertexId> run() {
    std::vector<VertexId> best;
    for_each_bit(allowed_, [&](VertexId start) {
      if (work_ > most_work) return;
      std::vector<VertexId> side = grow(start);
      if (side.size() > best.size()) best = std::move(side);
    });
    std::ranges::sort(best);
    return best;
  }

 private:
  // Words of rows looked at before no further start is tried: every vertex is one up to about 1,500 vertices.
  static constexpr std::uint64_t most_work = 40'000'000;

  std::vector<VertexId> grow(VertexId start) {
    fits_ = allowed_;
    std::vector<VertexId> side{start};
    shut_out(start);
    count_anew(size_of(fits_));
    while (const std::optional<VertexId> next = least_joined()) {
      side.push_back(*next);
      const Row gone = shut_out(*next);
      const std::size_t gone_count = size_of(gone), left = size_of(fits_);
      // Either costs about a row for each vertex, but counting down also walks through the bits.
      8 * gone_count > left ? count_anew(left) : count_down(gone, gone_count);
    }
    return side;
  }

  /// Those that no longer fit beside v.
  Row shut_out(VertexId v) {
    Row gone(fits_.size());
    for (std::size_t word = 0; word < fits_.size(); ++word) {
      gone[word] = fits_[word] & graph_.row(v)[word];
      fits_[word] &= ~gone[word];
    }
    drop(fits_, v);
    work_ += fits_.size();
    return gone;
  }

  void count_anew(std::size_t left) {
    work_ += left * fits_.size();
    for_each_bit(fits_, [&](VertexId u) { degree_[u] = bits_in_common(fits_, graph_.row(u)); });
  }

  void count_down(const Row& gone, std::size_t gone_count) {
    work_ += gone_count * fits_.size();
    for_each_bit(gone, [&](VertexId out) {
      for (std::size_t word = 0; word < fits_.size(); ++word) {
        for (std::uint64_t bits = fits_[word] & graph_.row(out)[word]; bits != 0; bits &= bits - 1)
          --degree_[word * 64 + static_cast<std::size_t>(std::countr_zero(bits))];
      }
    });
  }

  std::optional<VertexId> least_joined() {
    std::optional<VertexId> chosen;
    for_each_bit(fits_, [&](VertexId v) {
      if (!chosen || degree_[v] < degree_[*chosen]) chosen = v;
    });
    work_ += fits_.size();
    return chosen;
  }

  const BitGraph& graph_;
  const Row& allowed_;
  Row fits_;                           // what may still come in
  std::vector<std::uint32_t> degree_;  // of those, how many others of them each is joined to
  std::uint64_t work_ = 0;
};

}  // namespace

TwoSides two_sides(const BitGraph& graph, const TwoSidesOptions& options) {
  if (options.exact_up_to > 32) throw InvalidOption("exact_up_to", "must be 0 to 32");
  if (graph.size() <= options.exact_up_to) return ExactSides(graph).run();
  Row allowed(graph.words(), 0);
  for (VertexId v = 0; v < graph.size(); ++v) allowed[v / 64] |= std::uint64_t{1} << (v % 64);
  TwoSides sides;
  sides.lower = SideSearch(graph, allowed).run();
  for (const VertexId v : sides.lower) drop(allowed, v);
  sides.upper = SideSearch(graph, allowed).run();
  return sides;
}

}  // namespace fogline::graph
