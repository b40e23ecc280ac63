// SPDX-License-Identifier: Apache-2.0
#include "graph/bit_graph.hpp"

#include "base/error.hpp"

namespace fogline::graph {
namespace {

std::uint32_t count(std::uint64_t word) {
  return static_cast<std::uint32_t>(std::popcount(word));
}

/// Adds two words to a third, bit by bit: what stays there, and what is carried.
std::uint64_t carry(std::uint64_t& sum, std::uint64_t a, std::uint64_t b) {
  const std::uint64_t either = sum ^ a;
  const std::uint64_t carried = (sum & a) | (either & b);
  sum = either ^ b;
  return carried;
}

}  // namespace

std::uint32_t bits_in_common(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  std::uint64_t ones = 0, twos = 0, fours = 0;
  std::uint32_t eights = 0;
  std::size_t i = 0;
  const auto both = [&](std::size_t at) { return a[at] & b[at]; };
  for (; i + 8 <= a.size(); i += 8) {
    const std::uint64_t two_a = carry(ones, both(i), both(i + 1));
    const std::uint64_t two_b = carry(ones, both(i + 2), both(i + 3));
    const std::uint64_t four_a = carry(twos, two_a, two_b);
    const std::uint64_t two_c = carry(ones, both(i + 4), both(i + 5));
    const std::uint64_t two_d = carry(ones, both(i + 6), both(i + 7));
    const std::uint64_t four_b = carry(twos, two_c, two_d);
    eights += count(carry(fours, four_a, four_b));
  }
  std::uint32_t common = 8 * eights + 4 * count(fours) + 2 * count(twos) + count(ones);
  for (; i < a.size(); ++i) common += count(both(i));
  return common;
}

BitGraph::BitGraph(std::size_t vertices) : vertices_(vertices), words_((vertices + 63) / 64) {
  if (vertices == 0 || vertices > most_vertices)
    throw InvalidOption("vertices", "must be 1 to 20,000 in a graph of bits");
  bits_.assign(vertices_ * words_, 0);
}

void BitGraph::join(VertexId u, VertexId v) {
  if (u == v) return;
  bits_[u * words_ + v / 64] |= std::uint64_t{1} << (v % 64);
  bits_[v * words_ + u / 64] |= std::uint64_t{1} << (u % 64);
}

void BitGraph::part(VertexId u, VertexId v) {
  bits_[u * words_ + v / 64] &= ~(std::uint64_t{1} << (v % 64));
  bits_[v * words_ + u / 64] &= ~(std::uint64_t{1} << (u % 64));
}

std::size_t BitGraph::degree(VertexId u) const {
  std::size_t count = 0;
  for (const std::uint64_t word : row(u)) count += static_cast<std::size_t>(std::popcount(word));
  return count;
}

std::size_t BitGraph::edge_count() const {
  std::size_t count = 0;
  for (VertexId u = 0; u < vertices_; ++u) count += degree(u);
  return count / 2;
}

std::vector<VertexId> BitGraph::neighbours(VertexId u) const {
  std::vector<VertexId> found;
  for_each_bit(row(u), [&](VertexId v) { found.push_back(v); });
  return found;
}

BitGraph BitGraph::complement() const {
  BitGraph other(vertices_);
  const std::uint64_t last =
      vertices_ % 64 == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << (vertices_ % 64)) - 1;
  for (VertexId u = 0; u < vertices_; ++u) {
    for (std::size_t word = 0; word < words_; ++word)
      other.bits_[u * words_ + word] =
          ~bits_[u * words_ + word] & (word + 1 == words_ ? last : ~std::uint64_t{0});
    other.bits_[u * words_ + u / 64] &= ~(std::uint64_t{1} << (u % 64));
  }
  return other;
}

}  // namespace fogline::graph
