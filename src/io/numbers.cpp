// SPDX-License-Identifier: Apache-2.0
#include "io/numbers.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

namespace fogline::io {
namespace {

template <class Number>
std::optional<Number> parse(std::string_view text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number);
  if (result.ec != std::errc{} || result.ptr != end) return std::nullopt;
  return number;
}

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

}  // namespace

namespace {

constexpr std::array<std::int64_t, 16> powers_of_ten = [] {
  std::array<std::int64_t, 16> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = 10 * powers[i - 1];
  return powers;
}();

/// Digits, or digits, a point and digits, with or without a minus: most numbers in files, read several times faster than by the general way. Up to fifteen digits are exact in
/// a double and so is the power of ten, hence their quotient is the nearest double.
std::optional<double> parse_short(std::string_view text) {
  constexpr std::size_t exact_digits = 15;
  const bool minus = !text.empty() && text.front() == '-';
  if (minus) text.remove_prefix(1);
  if (text.empty() || text.size() > exact_digits) return std::nullopt;
  std::int64_t whole = 0;
  std::size_t point = text.size();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '.' && point == text.size()) {
      point = i;
    } else if (text[i] >= '0' && text[i] <= '9') {
      whole = whole * 10 + (text[i] - '0');
    } else {
      return std::nullopt;
    }
  }
  if (point == 0 || point + 1 == text.size()) return std::nullopt;
  const std::size_t decimals = point == text.size() ? 0 : text.size() - 1 - point;
  const double value = static_cast<double>(whole) / static_cast<double>(powers_of_ten[decimals]);
  return minus ? -value : value;
}

}  // namespace

std::optional<double> parse_double(std::string_view text) {
  if (const auto number = parse_short(text)) return number;
  const auto number = parse<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<std::int64_t> parse_int64(std::string_view text) {
  return parse<std::int64_t>(text);
}

std::optional<std::uint64_t> parse_uint64(std::string_view text) {
  return parse<std::uint64_t>(text);
}

void append_integer(std::string& text, std::int64_t value) {
  std::array<char, 24> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  text.append(digits.data(), end);
}

void append_fixed(std::string& text, double value, unsigned decimals) {
  const std::int64_t power = powers_of_ten[decimals];
  const double scaled = value * static_cast<double>(power);
  constexpr double exact =
      0x1p51;  // up to here a product is at most half a unit off, and its rounding right but for ties
  if (!(std::abs(scaled) < exact)) {
    fmt::format_to(std::back_inserter(text), "{:.{}f}", value, decimals);
    return;
  }
  std::int64_t whole = std::llround(scaled);
  if (whole < 0) text.push_back('-'), whole = -whole;
  append_integer(text, whole / power);
  if (decimals == 0) return;
  text.push_back('.');
  for (std::int64_t digit = power / 10; digit > 0; digit /= 10)
    text.push_back(static_cast<char>('0' + whole / digit % 10));
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace fogline::io
