// SPDX-License-Identifier: Apache-2.0
#include "geometry/span_lattice.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "base/error.hpp"
#include "geometry/minors.hpp"
#include "geometry/modular_lattice.hpp"

namespace fogline::geometry {
namespace {

Int128 size_of(Int128 value) {
  return value < 0 ? -value : value;
}

/// The columns of the largest minor of as many columns as there are rows; 0 if all vanish.
std::uint32_t largest_minor(const Minors& minors, std::size_t columns) {
  std::uint32_t best = 0;
  Int128 largest = 0;
  for (std::uint32_t chosen = 0; chosen < (std::uint32_t{1} << columns); ++chosen) {
    if (std::popcount(chosen) != static_cast<int>(minors.rows())) continue;
    if (const Int128 value = size_of(minors.of(chosen)); value > largest) {
      largest = value;
      best = chosen;
    }
  }
  return best;
}

struct Independent {
  Minors minors;
  std::uint32_t pivots = 0;
};

/// Minors of as many of the points as do not depend on those before.
Independent independent_points(const LatticePoints& points) {
  Independent found{.minors = Minors(points.dimension)};
  for (std::size_t i = 0; i < points.size() && found.minors.rows() < points.dimension; ++i) {
    Minors more = found.minors;
    more.add_row(points[i]);
    if (const std::uint32_t pivots = largest_minor(more, points.dimension); pivots != 0)
      found = {.minors = more, .pivots = pivots};
  }
  return found;
}

/// The minor with pivot `row` replaced by column `other`, with the sign that it has in that place.
Int128 replaced(const Independent& found, std::size_t pivot, std::size_t other) {
  const std::uint32_t chosen = (found.pivots & ~(std::uint32_t{1} << pivot)) | (std::uint32_t{1} << other);
  const auto low = std::min(pivot, other), high = std::max(pivot, other);
  const std::uint32_t between = ((std::uint32_t{1} << high) - 1) & ~((std::uint32_t{2} << low) - 1);
  const bool odd = std::popcount(found.pivots & between) % 2 == 1;
  return odd ? -found.minors.of(chosen) : found.minors.of(chosen);
}

Uint128 remainder(Int128 value, Int128 modulus) {
  const Int128 rest = value % modulus;
  return static_cast<Uint128>(rest < 0 ? rest + modulus : rest);
}

Int128 checked_sum(Int128 sum, Int128 a, Int128 b) {
  Int128 product = 0;
  if (__builtin_mul_overflow(a, b, &product) || __builtin_add_overflow(sum, product, &sum))
    throw InvalidOption("point", "lies too far from the body to be compared with it");
  return sum;
}

}  // namespace

SpanLattice::SpanLattice(const LatticePoints& points) : dimension_(points.dimension) {
  const Independent found = independent_points(points);
  for (std::size_t i = 0; i < dimension_; ++i)
    ((found.pivots >> i & 1) != 0 ? pivots_ : others_).push_back(i);
  if (is_full() || rank() == 0) return;
  // Cramer's rule gives the other coordinates as sums over the pivots; that they be integers is a congruence on the pivots each.
  const bool flip = found.minors.of(found.pivots) < 0;
  scale_ = size_of(found.minors.of(found.pivots));
  ModularLattice lattice(rank(), static_cast<Uint128>(scale_));
  for (std::size_t i = 0; i < rank(); ++i) {
    std::vector<Uint128> unit(rank());
    unit[i] = scale_ == 1 ? 0 : 1;
    lattice.add(std::move(unit));
    dependence_.emplace_back();
    for (const std::size_t other : others_) {
      const Int128 value = replaced(found, pivots_[i], other);
      dependence_[i].push_back(flip ? -value : value);
    }
  }
  for (std::size_t j = 0; j < others_.size(); ++j) {
    std::vector<Uint128> weight;
    for (const auto& row : dependence_) weight.push_back(remainder(row[j], scale_));
    lattice.keep_multiples(weight);
  }
  for (const auto& row : lattice.triangular()) basis_.emplace_back(row.begin(), row.end());
}

bool SpanLattice::contains(std::span<const std::int64_t> point) const {
  for (std::size_t j = 0; j < others_.size(); ++j) {
    Int128 sum = checked_sum(0, -static_cast<Int128>(point[others_[j]]), scale_);
    for (std::size_t i = 0; i < rank(); ++i) sum = checked_sum(sum, point[pivots_[i]], dependence_[i][j]);
    if (sum != 0) return false;
  }
  return true;
}

bool SpanLattice::coordinates(std::span<const std::int64_t> point, std::span<std::int64_t> own) const {
  if (is_full()) {
    std::copy(point.begin(), point.end(), own.begin());
    return true;
  }
  if (!contains(point)) return false;
  std::array<Int128, Minors::most_columns> rest;
  for (std::size_t i = 0; i < rank(); ++i) rest[i] = point[pivots_[i]];
  for (std::size_t i = 0; i < rank(); ++i) {
    const Int128 times = rest[i] / basis_[i][i];  // exact: the point is an integer point of the space
    own[i] = static_cast<std::int64_t>(times);
    for (std::size_t j = i; j < rank(); ++j) rest[j] = checked_sum(rest[j], -times, basis_[i][j]);
  }
  return true;
}

}  // namespace fogline::geometry
