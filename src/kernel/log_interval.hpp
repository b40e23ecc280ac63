// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/int128.hpp"

namespace fogline::kernel {

/// Numbers with 64-bit mantissas: an operation rounds by a factor within 1 +- 2^-64.
using Real = long double;
static_assert(std::numeric_limits<Real>::digits >= 64, "the error bounds need 64-bit mantissas");
static_assert(std::numeric_limits<Real>::max_exponent > 512, "and room for quotients of 128-bit integers");

/// An integer as a Real, rounded once. Two exact parts, so that only their sum is rounded. The lower one is signed: converting an
/// unsigned number takes a branch on its top bit, which in a low half is as good as random.
inline Real to_real(Uint128 value) {
  if (high_half(value) >> 62 != 0) [[unlikely]]
    return static_cast<Real>(value);
  const auto low = static_cast<std::int64_t>(low_half(value));
  const auto high = static_cast<std::int64_t>(high_half(value + (Uint128{1} << 63)));
  return static_cast<Real>(high) * 0x1p64L + static_cast<Real>(low);
}

/// More than three times the error of the logarithm of a quotient that is off by at most ten rounded operations (less than 2^-60), the
/// logarithm itself computed to two units in the last place (2^-62 of its value).
inline Real log_margin(Real logarithm) {
  return 0x1p-58L * (1 + std::abs(logarithm));
}

/// An interval that surely holds a number.
struct LogInterval {
  Real low = 0;
  Real high = 0;
};

/// |ln(a / b)| for positive integers, enclosed.
///
///     LogInterval change = log_ratio(total_here, total_there);     // change.high is no smaller than the truth
inline LogInterval log_ratio(Uint128 a, Uint128 b) {
  const Real logarithm = std::abs(std::log(to_real(a) / to_real(b)));
  const Real margin = log_margin(logarithm);
  return {std::max(Real{0}, logarithm - margin), logarithm + margin};
}

}  // namespace fogline::kernel
