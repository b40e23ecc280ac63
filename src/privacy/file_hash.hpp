// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <sodium/crypto_hash_sha256.h>

namespace fogline::privacy {

/// SHA-256, fed piece by piece; as 64 lower-case hexadecimal digits, the form `sha256sum` prints.
///
///     Sha256 hash;
///     hash.add("vertex,lon,lat\n");
///     std::string text = hash.hex();
///
/// For public inputs and released outputs only. The hash of a private file is a function of private data and
/// is never computed.
class Sha256 {
 public:
  Sha256();
  void add(std::string_view bytes);
  std::string hex();  ///< at most once

 private:
  crypto_hash_sha256_state state_;
};

std::string sha256_of_text(std::string_view bytes);
/// Reads in pieces of 256 KiB. Throws FileError, also for a folder, pipe or device.
std::string sha256_of_file(const std::string& path);

bool is_sha256_hex(std::string_view text);  ///< 64 lower-case hexadecimal digits

}  // namespace fogline::privacy
