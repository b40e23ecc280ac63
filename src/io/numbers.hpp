// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fogline::io {

/// Strict numbers: the whole text must be one decimal number. Empty text, spaces, a leading plus,
/// hexadecimal, NaN, infinity, trailing characters and numbers beyond the type's range give nothing.
///
///     parse_double("13.377");   // 13.377
///     parse_double("1e999");    // nothing
///     parse_int64("12 ");       // nothing: trim first
std::optional<double> parse_double(std::string_view text);
std::optional<std::int64_t> parse_int64(std::string_view text);
std::optional<std::uint64_t> parse_uint64(std::string_view text);

/// Appends a number with so many decimals, 0 to 9, as "{:.Nf}" would but for ties; the one spelling that reads back as itself, never "-0.0".
void append_fixed(std::string& text, double value, unsigned decimals);
void append_integer(std::string& text, std::int64_t value);

/// The text without spaces and tabs at either end.
std::string_view trim(std::string_view text);

}  // namespace fogline::io
