// SPDX-License-Identifier: Apache-2.0
#include "base/rational.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/int128.hpp"

namespace fogline {
namespace {

constexpr std::uint64_t max64 = std::numeric_limits<std::uint64_t>::max();

std::uint64_t narrow(Uint128 value) {
  if (value > max64) throw Rational::Overflow();
  return static_cast<std::uint64_t>(value);
}

Uint128 gcd(Uint128 a, Uint128 b) {
  while (b != 0) {
    const Uint128 rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

Rational reduced(Uint128 numerator, Uint128 denominator) {
  const Uint128 common = gcd(numerator, denominator);
  return Rational(narrow(numerator / common), narrow(denominator / common));
}

std::optional<std::uint64_t> parse_digits(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Digits before and after the point as one integer, and how many stood after it.
struct Decimal {
  std::uint64_t digits;
  int scale;
};

std::optional<Decimal> parse_decimal(std::string_view text) {
  const auto point = text.find('.');
  if (point == std::string_view::npos) {
    const auto digits = parse_digits(text);
    return digits ? std::optional(Decimal{*digits, 0}) : std::nullopt;
  }
  std::string joined(text.substr(0, point));
  std::string_view fraction = text.substr(point + 1);
  while (!fraction.empty() && fraction.back() == '0') fraction.remove_suffix(1);
  joined += fraction;
  if (joined.empty() && text.size() > 1) joined = "0";
  const auto digits = parse_digits(joined);
  if (!digits) return std::nullopt;
  return Decimal{*digits, static_cast<int>(fraction.size())};
}

}  // namespace

Rational::Rational(std::uint64_t numerator, std::uint64_t denominator) {
  if (denominator == 0) throw InvalidOption("fraction", "the denominator is 0; it must be at least 1");
  const std::uint64_t common = std::gcd(numerator, denominator);
  numerator_ = numerator / common;
  denominator_ = denominator / common;
}

std::optional<Rational> Rational::parse(std::string_view text) {
  if (const auto slash = text.find('/'); slash != std::string_view::npos) {
    const auto numerator = parse_digits(text.substr(0, slash));
    const auto denominator = parse_digits(text.substr(slash + 1));
    if (!numerator || !denominator || *denominator == 0) return std::nullopt;
    return Rational(*numerator, *denominator);
  }
  int exponent = 0;
  if (const auto e = text.find_first_of("eE"); e != std::string_view::npos) {
    std::string_view power = text.substr(e + 1);
    if (power.starts_with('+')) {
      power.remove_prefix(1);
      if (power.starts_with('-')) return std::nullopt;
    }
    const auto [end, error] = std::from_chars(power.data(), power.data() + power.size(), exponent);
    if (power.empty() || error != std::errc() || end != power.data() + power.size()) return std::nullopt;
    if (exponent < -40 || exponent > 40) return std::nullopt;
    text = text.substr(0, e);
  }
  const auto decimal = parse_decimal(text);
  if (!decimal) return std::nullopt;
  if (decimal->digits == 0) return Rational();
  exponent -= decimal->scale;
  try {
    Rational value(decimal->digits);
    for (; exponent > 0; --exponent) value = value * 10;
    for (; exponent < 0; ++exponent) value = value / 10;
    return value;
  } catch (const Overflow&) {
    return std::nullopt;
  }
}

double Rational::to_double() const {
  return static_cast<double>(numerator_) / static_cast<double>(denominator_);
}

std::string Rational::to_string() const {
  std::uint64_t twos_and_fives = denominator_;
  int twos = 0, fives = 0;
  for (; twos_and_fives % 2 == 0; twos_and_fives /= 2) ++twos;
  for (; twos_and_fives % 5 == 0; twos_and_fives /= 5) ++fives;
  const int places = std::max(twos, fives);
  const std::string fraction = std::to_string(numerator_) + "/" + std::to_string(denominator_);
  if (twos_and_fives != 1 || places > 18) return fraction;
  Uint128 scaled = numerator_;
  for (int i = 0; i < places; ++i) scaled *= 10;
  // parse() reads at most 64 bits of digits, and what is written must be read back.
  if (scaled / denominator_ > max64) return fraction;
  std::string digits = fogline::to_string(scaled / denominator_);
  if (places == 0) return digits;
  const auto width = static_cast<std::size_t>(places) + 1;
  if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
  digits.insert(digits.size() - static_cast<std::size_t>(places), ".");
  return digits;
}

Rational operator+(const Rational& a, const Rational& b) {
  const Uint128 left = static_cast<Uint128>(a.numerator_) * b.denominator_;
  const Uint128 right = static_cast<Uint128>(b.numerator_) * a.denominator_;
  if (left + right < left) throw Rational::Overflow();
  return reduced(left + right, static_cast<Uint128>(a.denominator_) * b.denominator_);
}

Rational operator-(const Rational& a, const Rational& b) {
  const Uint128 left = static_cast<Uint128>(a.numerator_) * b.denominator_;
  const Uint128 right = static_cast<Uint128>(b.numerator_) * a.denominator_;
  if (left < right) throw Rational::Overflow();
  return reduced(left - right, static_cast<Uint128>(a.denominator_) * b.denominator_);
}

Rational operator*(const Rational& a, std::uint64_t times) {
  return reduced(static_cast<Uint128>(a.numerator_) * times, a.denominator_);
}

Rational operator/(const Rational& a, std::uint64_t parts) {
  if (parts == 0) throw InvalidOption("fraction", "the denominator is 0; it must be at least 1");
  return reduced(a.numerator_, static_cast<Uint128>(a.denominator_) * parts);
}

std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
  return static_cast<Uint128>(a.numerator_) * b.denominator_ <=>
         static_cast<Uint128>(b.numerator_) * a.denominator_;
}

bool at_most(double value, const Rational& bound) {
  if (!(value > 0)) return value <= 0;
  if (std::isinf(value) || bound.is_zero()) return false;
  // value = mantissa * 2^exponent, so the question is mantissa * denominator * 2^exponent <= numerator.
  int exponent = 0;
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  exponent -= 53;
  const Uint128 left = static_cast<Uint128>(mantissa) * bound.denominator();
  const Uint128 right = bound.numerator();
  // A side too long for 128 bits is the larger one: the other has at most 117.
  if (exponent >= 0) return bit_width(left) + exponent <= 128 && left << exponent <= right;
  return bit_width(right) - exponent > 128 || left <= right << -exponent;
}

}  // namespace fogline
