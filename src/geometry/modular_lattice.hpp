// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/int128.hpp"

namespace fogline::geometry {

Uint128 greatest_common_divisor(Uint128 a, Uint128 b);

/// a * b modulo `modulus`, all below 2^126.
Uint128 multiply_modulo(Uint128 a, Uint128 b, Uint128 modulus);

/// A lattice of integer points that contains every point whose coordinates are multiples of a modulus: kept by generators, of which only
/// the remainders matter, so that no number grows.
///
///     ModularLattice lattice(2, 6);             // 6 Z^2, ...
///     lattice.add({2, 3});                      // ... and the multiples of (2, 3)
///     lattice.triangular();                     // {2, 0}, {0, 3}: its Hermite normal form
///
/// Limits: modulus at least 1, below 2^126. Cost: a Euclidean algorithm per coordinate.
class ModularLattice {
 public:
  ModularLattice(std::size_t dimension, Uint128 modulus) : dimension_(dimension), modulus_(modulus) {}

  void add(std::vector<Uint128> generator);  ///< its coordinates below the modulus

  /// Keeps the points whose sum of coordinate times weight is a multiple of the modulus; weights below the modulus.
  void keep_multiples(std::span<const Uint128> weight);

  /// One generator per coordinate: row i begins with i zeros, its entry i divides the modulus, and the entries above it are less.
  std::vector<std::vector<Uint128>> triangular() const;

 private:
  std::size_t dimension_;
  Uint128 modulus_;
  std::vector<std::vector<Uint128>> generators_ = {};
};

}  // namespace fogline::geometry
