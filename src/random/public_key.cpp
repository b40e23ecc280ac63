// SPDX-License-Identifier: Apache-2.0
#include "random/public_key.hpp"

#include <sodium.h>

#include "base/error.hpp"

namespace fogline::random {
namespace {

Secret hash_of(std::string_view published) {
  if (sodium_init() < 0) throw Error("randomness: the cipher library does not start on this machine");
  Secret hash{};
  static_assert(sizeof(Secret) == crypto_hash_sha256_BYTES);
  crypto_hash_sha256(hash.data(), reinterpret_cast<const unsigned char*>(published.data()), published.size());
  return hash;
}

}  // namespace

PublicKey::PublicKey(std::string_view published) : Key(hash_of(published), Source::seeded) {}

}  // namespace fogline::random
