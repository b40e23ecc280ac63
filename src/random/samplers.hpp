// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/int128.hpp"
#include "base/rational.hpp"
#include "random/stream.hpp"

namespace fogline::random {

/// True with probability exactly exp(-rate).
/// Source  Canonne, Kamath and Steinke 2020, Algorithm 1. Cost: a few uniform integers, at most rate + 1
/// rounds.
bool bernoulli_exp(const Rational& rate, Stream& noise);

/// True with probability exactly exp(-rate * numerator / denominator), for shares too fine for a Rational.
///
///     bernoulli_exp(epsilon, level, reach, noise);          // exp(-epsilon ||p||) for a point at level / reach
///
/// Limits: numerator at most denominator, denominator above 0 and below 2^126. Cost: as above.
bool bernoulli_exp(const Rational& rate, Uint128 numerator, Uint128 denominator, Stream& noise);

/// How many times in a row something of probability exp(-rate) happens: P(k) = (1 - q) q^k with q =
/// exp(-rate), k >= 0.
///
/// Limits: rate above 0, numerator and denominator at most 2^40. A draw that would pass 2^62 (probability
/// below 2^-64 for every allowed rate) throws.
class Geometric {
 public:
  explicit Geometric(const Rational& rate);  ///< throws InvalidOption outside the limits
  std::uint64_t operator()(Stream& noise) const;

 private:
  std::uint64_t numerator_;
  std::uint64_t denominator_;
};

/// Integer noise with P(k) proportional to exp(-|k| rate): "geometric noise", the discrete Laplace
/// distribution.
///
///     DiscreteLaplace noise({1, 10});            // epsilon 1, sensitivity 10
///     std::int64_t safe = count + noise(stream);
///
/// Guarantee  with rate = epsilon / sensitivity, a count of that sensitivity is epsilon-DP; exact.
/// Source     Canonne, Kamath and Steinke 2020, Algorithm 2, on integers of 64 bits.
/// Cost       about 0.1 microseconds a draw; no memory.
class DiscreteLaplace {
 public:
  explicit DiscreteLaplace(const Rational& rate);  ///< limits as for Geometric
  std::int64_t operator()(Stream& noise) const;

 private:
  Geometric magnitude_;
};

/// Integer staircase noise: P(k) proportional to exp(-epsilon * floor((|k| + sensitivity - step) /
/// sensitivity)), flat on steps, so that a shift by the sensitivity crosses at most one riser.
///
/// Guarantee  a count of the given sensitivity plus this noise is epsilon-DP; exact.
/// Source     Geng and Viswanath 2014, on the integers.
/// Utility    less expected error than DiscreteLaplace for epsilon above about 1 and sensitivity above 1.
class DiscreteStaircase {
 public:
  struct Options {
    Rational epsilon = {};          ///< above 0, numerator and denominator at most 2^40
    std::uint64_t sensitivity = 1;  ///< 1 to 2^40
    std::uint64_t step = 1;         ///< width of the middle step on each side, 1 to sensitivity
  };
  explicit DiscreteStaircase(const Options& options);
  std::int64_t operator()(Stream& noise) const;

 private:
  Rational epsilon_;
  std::uint64_t sensitivity_;
  std::uint64_t step_;
  Geometric stairs_;
};

}  // namespace fogline::random
