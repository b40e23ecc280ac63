// SPDX-License-Identifier: Apache-2.0
#include "io/numbers.hpp"

#include <charconv>
#include <cmath>

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

std::optional<double> parse_double(std::string_view text) {
  // Most numbers in files are short and whole, and exact in a double: read several times faster than by the general way.
  constexpr std::size_t exact_digits = 15;
  if (!text.empty() && text.size() <= exact_digits) {
    std::uint64_t whole = 0;
    std::size_t i = 0;
    for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i)
      whole = whole * 10 + static_cast<std::uint64_t>(text[i] - '0');
    if (i == text.size()) return static_cast<double>(whole);
  }
  const auto number = parse<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<std::int64_t> parse_int64(std::string_view text) {
  return parse<std::int64_t>(text);
}

std::optional<std::uint64_t> parse_uint64(std::string_view text) {
  return parse<std::uint64_t>(text);
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace fogline::io
