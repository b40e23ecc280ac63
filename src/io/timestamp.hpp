// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fogline::io {

/// A moment as files write it, in whole unix seconds (rounded down).
struct Timestamp {
  std::int64_t unix_s = 0;
  bool had_fraction = false;  ///< a fraction of a second was cut off
  bool had_no_zone = false;   ///< ISO 8601 without Z or offset, read as UTC
};

/// Years 1 to 9999. Milliseconds since 1970 fall outside it, which is how they are noticed.
constexpr std::int64_t earliest_unix_s = -62'135'596'800;
constexpr std::int64_t latest_unix_s = 253'402'300'799;

/// Reads unix seconds ("1794729600", "1794729600.25") or ISO 8601 ("2026-11-15T08:00:00Z", with a blank for
/// the T, with a fraction, with an offset such as +01:00 or +0100, or without zone). Anything else, dates
/// that do not exist and years outside 1 to 9999 give nothing.
///
///     parse_timestamp("2026-11-15T08:00:00Z")->unix_s;   // 1794729600
std::optional<Timestamp> parse_timestamp(std::string_view text);

}  // namespace fogline::io
