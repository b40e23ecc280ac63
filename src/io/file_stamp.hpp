// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace fogline::io {

/// What tells whether a file is the one that was looked at before, and nobody wrote to it since: device, inode, size,
/// and the time of its last change, which no program can choose.
using FileStamp = std::array<std::int64_t, 5>;

/// Of an open file. All 0 if the system does not tell.
FileStamp stamp_of(int handle);

/// Do two names lead to one file, whatever it is, a pipe as well? Nothing is opened.
bool is_same_file(const std::string& a, const std::string& b);

}  // namespace fogline::io
