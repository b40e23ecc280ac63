// SPDX-License-Identifier: Apache-2.0
#include "privacy/file_hash.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sodium/utils.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.hpp"
#include "io/held_files.hpp"

namespace fogline::privacy {
namespace {

constexpr std::size_t piece_size = std::size_t{1} << 18;

/// Pipes and devices are refused: whoever writes a statement chooses the names in it, and reading them may never end.
class RegularFile {
 public:
  // Without O_NONBLOCK, opening a pipe waits for somebody to write to it.
  explicit RegularFile(const std::string& path)
      : path_(path), handle_(::open(io::place_of_file(path).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (handle_ < 0)
      throw FileError(path, std::string("cannot be opened (") + std::generic_category().message(errno) + ")");
    struct stat status {};
    const bool is_known = ::fstat(handle_, &status) == 0;
    if (is_known && S_ISREG(status.st_mode)) return;
    ::close(handle_);
    if (is_known && S_ISDIR(status.st_mode)) throw FileError(path, "is a folder", "name a file in it");
    throw FileError(path, "is not a regular file", "copy what it gives to a file");
  }
  ~RegularFile() { ::close(handle_); }
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;

  /// How many bytes came; 0 at the end.
  std::size_t read(std::vector<char>& piece) const {
    for (;;) {
      const auto size = ::read(handle_, piece.data(), piece.size());
      if (size >= 0) return static_cast<std::size_t>(size);
      if (errno != EINTR) throw FileError(path_, "cannot be read to its end");
    }
  }

 private:
  const std::string& path_;
  int handle_;
};

}  // namespace

Sha256::Sha256() {
  crypto_hash_sha256_init(&state_);
}

void Sha256::add(std::string_view bytes) {
  crypto_hash_sha256_update(&state_, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
}

std::string Sha256::hex() {
  std::array<unsigned char, crypto_hash_sha256_BYTES> digest;
  crypto_hash_sha256_final(&state_, digest.data());
  std::string text(2 * digest.size() + 1, '\0');
  sodium_bin2hex(text.data(), text.size(), digest.data(), digest.size());
  text.pop_back();
  return text;
}

std::string sha256_of_text(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.hex();
}

std::string sha256_of_file(const std::string& path) {
  const RegularFile file(path);
  Sha256 hash;
  std::vector<char> piece(piece_size);
  while (const std::size_t size = file.read(piece)) hash.add({piece.data(), size});
  return hash.hex();
}

bool is_sha256_hex(std::string_view text) {
  return text.size() == 2 * crypto_hash_sha256_BYTES && std::ranges::all_of(text, [](char digit) {
           return (digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f');
         });
}

}  // namespace fogline::privacy
