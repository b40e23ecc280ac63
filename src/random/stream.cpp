// SPDX-License-Identifier: Apache-2.0
#include "random/stream.hpp"

#include <bit>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include <sodium.h>

#include "base/error.hpp"
#include "random/tape.hpp"

namespace fogline::random {
namespace {

constexpr std::size_t block_bytes = 64;

static_assert(std::endian::native == std::endian::little,
              "the word order of streams is fixed as little-endian");
static_assert(crypto_stream_chacha20_KEYBYTES == sizeof(Secret));
static_assert(crypto_stream_chacha20_NONCEBYTES == sizeof(std::uint64_t));

}  // namespace

void chacha20_key_stream(const Secret& secret, std::uint64_t nonce, std::uint64_t first_block,
                         std::span<std::uint8_t> out) {
  std::array<std::uint8_t, sizeof(nonce)> nonce_bytes;
  std::memcpy(nonce_bytes.data(), &nonce, sizeof(nonce));
  std::memset(out.data(), 0, out.size());
  crypto_stream_chacha20_xor_ic(out.data(), out.data(), out.size(), nonce_bytes.data(), first_block,
                                secret.data());
}

Stream::Stream(const Secret& secret, std::uint64_t nonce, std::uint64_t first_block)
    : next_block_(first_block), nonce_(nonce), secret_(secret) {}

Stream::~Stream() {
  if (tape_ != nullptr) tape_->stream_ended(heard_as_, words_drawn());
  sodium_memzero(buffer_.data(), filled_ * sizeof(buffer_[0]));
  sodium_memzero(secret_.data(), secret_.size());
}

Stream::Stream(Stream&& other) noexcept : next_block_(0), nonce_(0), secret_{} {
  *this = std::move(other);
}

Stream& Stream::operator=(Stream&& other) noexcept {
  if (this == &other) return *this;
  if (tape_ != nullptr) tape_->stream_ended(heard_as_, words_drawn());
  std::memcpy(buffer_.data(), other.buffer_.data(), other.filled_ * sizeof(buffer_[0]));
  position_ = other.position_;
  filled_ = other.filled_;
  bits_ = other.bits_;
  bits_left_ = other.bits_left_;
  next_block_ = other.next_block_;
  nonce_ = other.nonce_;
  refilled_ = other.refilled_;
  tape_ = other.tape_;
  heard_as_ = other.heard_as_;
  other.tape_ = nullptr;
  other.refilled_ = 0;
  secret_ = other.secret_;
  sodium_memzero(other.buffer_.data(), other.filled_ * sizeof(buffer_[0]));
  sodium_memzero(other.secret_.data(), other.secret_.size());
  other.position_ = other.filled_ = 0;
  other.bits_left_ = 0;
  // A stream that was moved from must not hand out the noise of an all-zero secret.
  other.next_block_ = std::numeric_limits<std::uint64_t>::max();
  return *this;
}

void Stream::listen(Tape* tape) {
  tape_ = tape;
  if (tape == nullptr) return;
  // Of the secret only a hash leaves the stream; a tape is for audits, with seeded keys.
  std::array<std::uint8_t, 16> hash;
  crypto_generichash(hash.data(), hash.size(), secret_.data(), secret_.size(), nullptr, 0);
  std::string identity(hash.begin(), hash.end());
  heard_as_ = tape->stream_began(identity + std::to_string(nonce_));
}

void Stream::refill() {
  const std::size_t words = filled_ == 0 ? small_fill : large_fill;
  const std::uint64_t blocks = words * sizeof(std::uint64_t) / block_bytes;
  if (next_block_ > std::numeric_limits<std::uint64_t>::max() - blocks) {
    throw Error("random stream: used up, or used after it was moved from");
  }
  std::array<std::uint8_t, large_fill * sizeof(std::uint64_t)> bytes;
  chacha20_key_stream(secret_, nonce_, next_block_, {bytes.data(), words * sizeof(std::uint64_t)});
  std::memcpy(buffer_.data(), bytes.data(), words * sizeof(std::uint64_t));
  sodium_memzero(bytes.data(), words * sizeof(std::uint64_t));
  next_block_ += blocks;
  position_ = 0;
  filled_ = words;
  refilled_ += words;
}

void Stream::move_to(const Position& position) {
  while (words_drawn() < position.words) next64();
  bits_ = position.bits;
  bits_left_ = position.bits_left;
}

bool Stream::next_bit() {
  if (bits_left_ == 0) {
    bits_ = next64();
    bits_left_ = 64;
  }
  const bool bit = (bits_ & 1) != 0;
  bits_ >>= 1;
  --bits_left_;
  return bit;
}

Uint128 Stream::redraw_if_biased(Uint128 product, std::uint64_t bound) {
  const std::uint64_t biased = (0 - bound) % bound;
  while (low_half(product) < biased) product = static_cast<Uint128>(next64()) * bound;
  return product;
}

Uint128 Stream::below128(Uint128 bound) {
  if (high_half(bound) == 0) return below(low_half(bound));
  // Bits above the bound's own are cut off, so at least every second draw is kept.
  const int width = bit_width(bound);
  const Uint128 mask = width == 128 ? ~Uint128{0} : (Uint128{1} << width) - 1;
  while (true) {
    const Uint128 high = next64();
    const Uint128 candidate = ((high << 64) | next64()) & mask;
    if (candidate < bound) return candidate;
  }
}

}  // namespace fogline::random
