// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <string>

namespace fogline {

// The compilers we support have 128-bit integers as an extension; __extension__ says that we mean it.
__extension__ typedef unsigned __int128 Uint128;
__extension__ typedef __int128 Int128;

constexpr std::uint64_t high_half(Uint128 value) {
  return static_cast<std::uint64_t>(value >> 64);
}
constexpr std::uint64_t low_half(Uint128 value) {
  return static_cast<std::uint64_t>(value);
}

/// The upper 64 bits of a product: floor(a * b / 2^64).
constexpr std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
  return high_half(static_cast<Uint128>(a) * b);
}

/// Bits needed to write `value`; 0 for 0.
constexpr int bit_width(Uint128 value) {
  return high_half(value) != 0 ? 128 - std::countl_zero(high_half(value))
                               : 64 - std::countl_zero(low_half(value));
}

std::string to_string(Uint128 value);

}  // namespace fogline
