// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace fogline::io {

/// How many bytes a packed file may hold for each of its own, beyond the first `unpacked_for_free`.
///
/// Tables of people, places and roads shrink four- to thirtyfold; a taxi that stands still all day, the same row but for
/// the time, a hundredfold at most. gzip ends at 1,032, where every row is the same as the one before, or nothing but
/// line ends, and bzip2 near a million: files that say nothing, and keep a reader busy for minutes.
inline constexpr std::uint64_t most_unpacked_per_byte = 200;
inline constexpr std::uint64_t unpacked_for_free = std::uint64_t{1} << 26;  ///< 64 MiB, read in a moment

/// DataError: `unpacked` bytes came out of the first `packed` ones of a file, and that is more than these allow.
/// Asked while a file is unpacked, so that it stops early.
void require_plausible_unpacking(const std::string& file, std::uint64_t packed, std::uint64_t unpacked);

}  // namespace fogline::io
