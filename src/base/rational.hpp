// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace fogline {

/// A non-negative fraction of two 64-bit integers, always in lowest terms. Budgets are fractions, so that ten
/// charges of 0.1 are exactly 1 and no rounding decides whether a cap holds.
///
///     Rational tenth = *Rational::parse("0.1");     // also "1/10", "1e-1"
///     assert(tenth * 10 == Rational(1));
///
/// Limits: a sum or product that does not fit throws Overflow; it never wraps.
class Rational {
 public:
  class Overflow;

  constexpr Rational() = default;
  constexpr explicit Rational(std::uint64_t whole) : numerator_(whole) {}
  Rational(std::uint64_t numerator, std::uint64_t denominator);  ///< throws InvalidOption if denominator is 0

  /// Reads "3", "0.01", "2.5e-3" or "7/10" exactly. Empty if the text is anything else (signs, spaces, nan,
  /// inf) or does not fit.
  static std::optional<Rational> parse(std::string_view text);

  std::uint64_t numerator() const { return numerator_; }
  std::uint64_t denominator() const { return denominator_; }
  bool is_zero() const { return numerator_ == 0; }
  double to_double() const;       ///< nearest double, for display and estimates only
  std::string to_string() const;  ///< "0.01" where a decimal is exact, "1/3" otherwise; parse() reads both

  friend Rational operator+(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a, const Rational& b);  ///< throws Overflow if a < b
  friend Rational operator*(const Rational& a, std::uint64_t times);
  friend Rational operator/(const Rational& a, std::uint64_t parts);
  friend bool operator==(const Rational&, const Rational&) = default;
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b);

 private:
  std::uint64_t numerator_ = 0;
  std::uint64_t denominator_ = 1;
};

/// Is value <= bound? Compared in integers, without rounding either; false for NaN.
bool at_most(double value, const Rational& bound);

class Rational::Overflow : public Error {
 public:
  Overflow() : Error("a fraction became too fine or too large to be kept exactly in 64 bits") {}
};

}  // namespace fogline
