// SPDX-License-Identifier: Apache-2.0
#include "privacy/file_hash.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include <sodium/utils.h>

#include "base/error.hpp"

namespace fogline::privacy {
namespace {

constexpr std::size_t piece_size = std::size_t{1} << 18;

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
  if (std::filesystem::is_directory(path)) throw FileError(path, "is a folder", "name a file in it");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw FileError(path, std::string("cannot be opened (") + std::strerror(errno) + ")");
  Sha256 hash;
  std::vector<char> piece(piece_size);
  while (file) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    hash.add({piece.data(), static_cast<std::size_t>(file.gcount())});
  }
  if (file.bad()) throw FileError(path, "cannot be read to its end");
  return hash.hex();
}

bool is_sha256_hex(std::string_view text) {
  return text.size() == 2 * crypto_hash_sha256_BYTES && std::ranges::all_of(text, [](char digit) {
           return (digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f');
         });
}

}  // namespace fogline::privacy
