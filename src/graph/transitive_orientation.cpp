// SPDX-License-Identifier: Apache-2.0
#include "graph/transitive_orientation.hpp"

#include <algorithm>
#include <numeric>

namespace fogline::graph {
namespace {

constexpr std::uint64_t bit_of(VertexId v) {
  return std::uint64_t{1} << (v % 64);
}

/// Rows of bits between all pairs of vertices, either way.
class BitRows {
 public:
  BitRows(std::size_t vertices, std::size_t words) : words_(words), bits_(vertices * words, 0) {}

  std::uint64_t* row(VertexId u) { return bits_.data() + u * words_; }
  void set(VertexId u, VertexId v) { row(u)[v / 64] |= bit_of(v); }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

/// Visits the bits of one word of a row.
template <class Visit>
void each_bit(std::uint64_t bits, std::size_t word, const Visit& visit) {
  for (; bits != 0; bits &= bits - 1)
    visit(static_cast<VertexId>(word * 64 + static_cast<std::size_t>(std::countr_zero(bits))));
}

/// Orients class after class. `free_` keeps the edges of the class at work until it is complete, because they decide what forces what; edges of earlier
/// classes are no longer in it, so they never meet those of a later one.
class Orienter {
 public:
  explicit Orienter(const BitGraph& graph)
      : words_(graph.words()),
        order_(graph.size()),
        free_(graph.size(), words_),
        below_(graph.size(), words_),
        waiting_(graph.size(), words_),
        touched_(graph.size(), 0),
        queued_(graph.size(), 0) {
    for (VertexId u = 0; u < graph.size(); ++u) std::ranges::copy(graph.row(u), free_.row(u));
  }

  std::optional<PartialOrder> run() {
    for (VertexId u = 0; u < order_.size(); ++u) {
      for (std::size_t word = 0; word < words_; ++word) {
        while (const std::uint64_t left = free_.row(u)[word]) {
          const auto bit = static_cast<std::size_t>(std::countr_zero(left));
          if (!orient_class(u, static_cast<VertexId>(word * 64 + bit))) return std::nullopt;
        }
      }
    }
    return std::move(order_);
  }

 private:
  /// Everything that u below v forces; false if some edge is forced both ways.
  bool orient_class(VertexId u, VertexId v) {
    orient(u, v);
    while (!queue_.empty()) {
      const VertexId tail = queue_.back();
      queue_.pop_back();
      queued_[tail] = 0;
      if (!force_from(tail)) return false;
    }
    for (const VertexId end : class_ends_) {
      for (std::size_t word = 0; word < words_; ++word)
        free_.row(end)[word] &= ~(order_.above(end)[word] | below_.row(end)[word]);
      touched_[end] = 0;
    }
    class_ends_.clear();
    return true;
  }

  bool force_from(VertexId tail) {
    std::uint64_t* waiting = waiting_.row(tail);
    for (std::size_t word = 0; word < words_; ++word) {
      while (waiting[word] != 0) {
        const auto bit = static_cast<std::size_t>(std::countr_zero(waiting[word]));
        waiting[word] &= waiting[word] - 1;
        if (!force_from(tail, static_cast<VertexId>(word * 64 + bit))) return false;
      }
    }
    return true;
  }

  bool force_from(VertexId tail, VertexId head) {
    const std::uint64_t *of_tail = free_.row(tail), *of_head = free_.row(head);
    for (std::size_t word = 0; word < words_; ++word) {
      if (of_tail[word] == of_head[word]) continue;
      const std::uint64_t up = of_tail[word] & ~of_head[word] & ~part_of(head, word);
      const std::uint64_t down = of_head[word] & ~of_tail[word] & ~part_of(tail, word);
      if ((up & below_.row(tail)[word]) != 0 || (down & order_.above(head)[word]) != 0) return false;
      each_bit(up & ~order_.above(tail)[word], word, [&](VertexId k) { orient(tail, k); });
      each_bit(down & ~below_.row(head)[word], word, [&](VertexId k) { orient(k, head); });
    }
    return true;
  }

  static std::uint64_t part_of(VertexId v, std::size_t word) { return v / 64 == word ? bit_of(v) : 0; }

  void orient(VertexId tail, VertexId head) {
    order_.put_below(tail, head);
    below_.set(head, tail);
    waiting_.set(tail, head);
    if (queued_[tail] == 0) queue_.push_back(tail);
    queued_[tail] = 1;
    for (const VertexId end : {tail, head}) {
      if (touched_[end] == 0) class_ends_.push_back(end);
      touched_[end] = 1;
    }
  }

  std::size_t words_;
  PartialOrder order_;
  BitRows free_;                        // edges without a direction, and those of the class at work
  BitRows below_;                       // the order, read downwards
  BitRows waiting_;                     // edges that have not forced theirs yet, by their lower end
  std::vector<char> touched_, queued_;  // is an end of the class at work; has something waiting
  std::vector<VertexId> class_ends_, queue_;
};

}  // namespace

std::vector<std::uint32_t> PartialOrder::layers() const {
  std::vector<std::size_t> above_count(size(), 0);
  for (VertexId u = 0; u < size(); ++u) {
    for (const std::uint64_t word : above(u)) above_count[u] += static_cast<std::size_t>(std::popcount(word));
  }
  // Whoever is below has more above it: sorted so, everything below a vertex comes before it.
  std::vector<VertexId> upwards(size());
  std::iota(upwards.begin(), upwards.end(), VertexId{0});
  std::ranges::stable_sort(upwards, std::greater<>{}, [&](VertexId u) { return above_count[u]; });
  std::vector<std::uint32_t> layer(size(), 0);
  for (const VertexId u : upwards)
    for_each_bit(above(u), [&](VertexId v) { layer[v] = std::max(layer[v], layer[u] + 1); });
  return layer;
}

std::optional<PartialOrder> transitive_orientation(const BitGraph& graph) {
  return Orienter(graph).run();
}

}  // namespace fogline::graph
