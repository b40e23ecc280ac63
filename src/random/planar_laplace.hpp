// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/rational.hpp"
#include "random/samplers.hpp"
#include "random/stream.hpp"

namespace fogline::random {

/// A point of the integer grid.
struct GridPoint {
  std::int64_t x = 0;
  std::int64_t y = 0;
  friend bool operator==(const GridPoint&, const GridPoint&) = default;
};

/// The least whole number not below sqrt(value).
std::uint64_t ceil_sqrt(Uint128 value);

/// The distance of two grid points, rounded up to whole units. Coordinates within 2^61 of 0.
std::uint64_t ceil_distance(const GridPoint& a, const GridPoint& b);

/// Planar Laplace noise on the integer grid: P(x, y) proportional to exp(-rate * ceil(sqrt(x^2 + y^2))).
///
///     PlanarLaplace noise({1, 100'000});                // e-folding every 100,000 units
///     GridPoint shift = noise(stream);
///
/// Guarantee  a grid point plus this noise: the loss between two points is at most rate times their distance rounded up to whole units;
///            exact. For any z, |ceil|z - a| - ceil|z - b|| <= ceil|a - b|, and the sum of all weights is the same round every point.
/// Source     planar Laplace: Andres et al. 2013; this exact sampler on the grid: ours. With q = exp(-rate),
///            q^D = (1 - q) * (sum of q^R over R >= D), so the law is that of a uniform grid point in the disc of radius R, R drawn with probability proportional
///            to q^R times the number of points in that disc. To draw it: R with probability proportional to (2R+1)^2 q^R, a uniform point
///            of the square [-R, R]^2, and all again unless it lies in the disc. And R: three geometric draws add up to R with probability
///            proportional to (R+1)(R+2)/2 q^R; keep R with probability (2R+1)^2 / (4(R+1)(R+2)), a fraction of integers below 1.
/// Cost       about 1.3 rounds of three geometric draws, under a microsecond; no memory.
/// Limits     rate as for Geometric. A draw whose R would pass 2^61 throws; its probability is below exp(-10^6) for every allowed rate.
class PlanarLaplace {
 public:
  explicit PlanarLaplace(const Rational& rate);  ///< throws InvalidOption outside the limits
  GridPoint operator()(Stream& noise) const;

 private:
  std::uint64_t radius(Stream& noise) const;

  Geometric geometric_;
};

}  // namespace fogline::random
