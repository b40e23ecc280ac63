// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/progress.hpp"
#include "privacy/file_hash.hpp"

namespace fogline::privacy {

/// Standard output of a release. It cannot be taken back, so every byte that goes out is counted and hashed, also when
/// the rest does not: a statement can then tell of what is out.
///
///     StandardOutput out(wanted);
///     out.write("number\n7\n");       // throws FileError: nobody reads; Cancelled: not wanted any more
///     out.hash();                      // of what went out
///
/// Whole lines of up to 4,096 bytes go out together: a pipe takes all of them or none, so that what is cut short ends with a
/// line. `wanted` is asked when a signal interrupts a write that waits for its reader.
class StandardOutput {
 public:
  explicit StandardOutput(Wanted wanted) : wanted_(std::move(wanted)) {}

  void write(std::string_view text);
  std::string hash() const { return Sha256(hash_).hex(); }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t lines() const { return lines_; }

 private:
  void write_piece(std::string_view piece);

  Wanted wanted_;
  Sha256 hash_;
  std::uint64_t bytes_ = 0;
  std::uint64_t lines_ = 0;
};

}  // namespace fogline::privacy
