// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "random/stream.hpp"

namespace fogline::random::published {

/// Continuous noise for published mechanisms, by inverse distribution functions in floating point, as their papers mean it.
///
///     const double noisy = on_grid(weight) + on_grid(laplace(range / epsilon, stream));
///
/// Guarantee  none: 53 random bits a draw, so tails end near 37 scales and gaps between draws depend on the machine. A release
///            uses the exact samplers of random/samplers.hpp.
/// What it avoids is the coarsest leak of floating point: a sum of a private number and fine-grained noise carries the number's size in its lowest bits
/// (Mironov 2012). Private numbers and noise are rounded to multiples of 2^-20, and sums of such numbers below 2^32 are exact: rounding then
/// comes after the noise, and cannot tell the inputs apart. So what an audit finds in a published form is the paper's, not the sampler's.
inline constexpr double noise_grid = 1.0 / (1 << 20);

double on_grid(double value);  ///< the nearest multiple of noise_grid

double uniform(Stream& stream);                         ///< strictly between 0 and 1
double exponential(Stream& stream);                     ///< mean 1
double laplace(double scale, Stream& stream);           ///< density exp(-|x| / scale) / (2 scale)
double gamma(int shape, double scale, Stream& stream);  ///< a sum of `shape` exponentials

}  // namespace fogline::random::published
