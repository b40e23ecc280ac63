// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/int128.hpp"
#include "base/rational.hpp"

namespace fogline::kernel {

/// The integer weight of a distance: exp(-rate * distance) in fixed point, constant beyond a cap.
///
///     ExponentialRule rule(Rational(1, 200'000));      // e-folding every 200,000 mm
///     Uint128 here = rule.weight(0), far = rule.weight(5'000'000);
///
/// The local rule on which every capped exponential kernel stands: for all distances d and e,
///
///     |ln weight(d) - ln weight(e)| <= rate * |d - e|,
///
/// exactly, rounding included (docs/mechanisms/gem.md has the proof). It holds because the rule runs at a
/// rate smaller than asked by 2^-50 per millimetre, which covers the relative rounding error of two weights
/// (at most 2^-59 each) as soon as the distances differ by one millimetre, with room for an auditor who
/// computes in 80-bit floating point.
///
/// Weights run from 2^100 (distance 0) down to 2^64 (the cap, where exp(-rate * distance) reaches 2^-36), so
/// 2^27 of them add up in 128 bits. No floating point is used. Cost: about 25 ns a weight.
class ExponentialRule {
 public:
  static constexpr int head_bits = 100;                       ///< weight(0) is 2^100, less rounding
  static constexpr Uint128 tail_weight = Uint128{1} << 64;    ///< weight of everything at or beyond the cap
  static constexpr std::uint64_t largest_count = 1ULL << 27;  ///< weights that may be added without overflow

  /// `rate` is per millimetre, from 2^-30 to 1. Throws InvalidOption outside.
  explicit ExponentialRule(const Rational& rate_per_mm);

  Uint128 weight(std::uint64_t distance_mm) const;

  /// The least distance from which on the weight is tail_weight.
  std::uint64_t cap_mm() const { return cap_mm_; }

 private:
  std::uint64_t rate_;  // per millimetre, times 2^64
  std::uint64_t cap_mm_;
};

}  // namespace fogline::kernel
