// SPDX-License-Identifier: Apache-2.0
#include "privacy/rounded_sums.hpp"

#include <cstdint>
#include <limits>

#include "base/int128.hpp"

namespace fogline::privacy {
namespace {

/// Of an epsilon: the unit of sums that 64-bit fractions cannot keep. Whatever has up to nine decimals adds to it exactly again.
constexpr std::uint64_t billionths = 1'000'000'000;
constexpr std::uint64_t largest_sum = std::numeric_limits<std::uint64_t>::max();

Uint128 parts_below(const Rational& value, std::uint64_t parts) {
  return static_cast<Uint128>(value.numerator()) * parts / value.denominator();
}
Uint128 parts_above(const Rational& value, std::uint64_t parts) {
  const Uint128 scaled = static_cast<Uint128>(value.numerator()) * parts;
  return scaled / value.denominator() + (scaled % value.denominator() == 0 ? 0 : 1);
}

}  // namespace

Rational sum_rounded_up(const Rational& a, const Rational& b) try {
  return a + b;
} catch (const Rational::Overflow&) {
  for (const std::uint64_t parts : {billionths, std::uint64_t{1}}) {
    const Uint128 count = parts_above(a, parts) + parts_above(b, parts);
    if (count <= largest_sum) return {static_cast<std::uint64_t>(count), parts};
  }
  return Rational(largest_sum);  // of epsilon: no more is promised by anything
}

Rational difference_rounded_down(const Rational& a, const Rational& b) try {
  return a - b;
} catch (const Rational::Overflow&) {
  const std::uint64_t parts = parts_below(a, billionths) <= largest_sum ? billionths : 1;
  const Uint128 whole = parts_below(a, parts), less = parts_above(b, parts);
  return whole <= less ? Rational() : Rational(static_cast<std::uint64_t>(whole - less), parts);
}

}  // namespace fogline::privacy
