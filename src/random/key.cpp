// SPDX-License-Identifier: Apache-2.0
#include "random/key.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include <fmt/format.h>
#include <sodium.h>
#include <sys/random.h>

#include "base/error.hpp"

namespace fogline::random {
namespace {

void start_sodium() {
  // Chooses the fastest implementation for this processor; safe to call from several threads.
  static const int started = sodium_init();
  if (started < 0) throw Error("randomness: the cipher library does not start on this machine");
}

Secret draw_secret() {
  Secret secret{};
  std::size_t filled = 0;
  while (filled < secret.size()) {
    const ssize_t got = getrandom(secret.data() + filled, secret.size() - filled, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      throw Error(std::string("randomness: the operating system gives none (getrandom: ") +
                  std::generic_category().message(errno) + "); nothing was released");
    }
    filled += static_cast<std::size_t>(got);
  }
  return secret;
}

/// BLAKE2b-256 of `message`, keyed with `secret`.
Secret derive(const Secret& secret, std::string_view message) {
  Secret derived{};
  crypto_generichash(derived.data(), derived.size(), reinterpret_cast<const unsigned char*>(message.data()),
                     message.size(), secret.data(), secret.size());
  return derived;
}

Secret secret_of_seed(std::uint64_t seed) {
  Secret secret{};
  std::memcpy(secret.data(), &seed, sizeof(seed));
  return secret;
}

}  // namespace

Key Key::from_operating_system() {
  start_sodium();
  return {draw_secret(), Source::operating_system};
}

std::string Key::to_secret_text() const {
  std::string text(source_ == Source::seeded ? "seeded:" : "secret:");
  for (const std::uint8_t byte : secret_) text += fmt::format("{:02x}", byte);
  return text;
}

Key Key::from_secret_text(std::string_view text) {
  start_sodium();
  const std::size_t colon = text.find(':');
  const std::string_view source = text.substr(0, colon),
                         digits = text.substr(std::min(colon, text.size() - 1) + 1);
  Secret secret{};
  std::size_t bytes = 0;
  const bool is_hex = sodium_hex2bin(secret.data(), secret.size(), digits.data(), digits.size(), nullptr,
                                     &bytes, nullptr) == 0;
  if (!is_hex || bytes != secret.size() || digits.size() != 2 * bytes ||
      (source != "secret" && source != "seeded"))
    throw InvalidOption("key", "is none");
  return {secret, source == "seeded" ? Source::seeded : Source::operating_system};
}

StreamFamily Key::streams(std::string_view name) const {
  return {derive(secret_, name), tape_};
}

Stream Key::stream(std::string_view name, std::uint64_t index) const {
  return streams(name).stream(index);
}

Stream StreamFamily::stream(std::uint64_t index) const {
  Stream result(secret_, index);
  result.listen(tape_);
  return result;
}

StreamFamily::~StreamFamily() {
  sodium_memzero(secret_.data(), secret_.size());
}

Key::~Key() {
  sodium_memzero(secret_.data(), secret_.size());
}

SeededKey::SeededKey(std::uint64_t seed) : Key((start_sodium(), secret_of_seed(seed)), Source::seeded) {}

}  // namespace fogline::random
