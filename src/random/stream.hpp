// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/int128.hpp"

namespace fogline::random {

class Tape;

using Secret = std::array<std::uint8_t, 32>;

/// A stream of random bits: the ChaCha20 key stream of one secret and one 64-bit nonce. Streams come from a
/// Key (random/key.hpp); tests may build them from the cipher's published vectors.
///
///     Stream noise = key.stream("place", record);
///     std::uint64_t die = noise.below(6) + 1;
///
/// Movable, not copyable: two copies would give the same noise twice. Cost: about 5 ns a word, refilled in
/// blocks. Limits: 2^64 blocks of 64 bytes; the buffer is wiped when the stream ends.
class Stream {
 public:
  Stream(const Secret& secret, std::uint64_t nonce, std::uint64_t first_block = 0);
  ~Stream();
  Stream(Stream&& other) noexcept;
  Stream& operator=(Stream&& other) noexcept;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  std::uint64_t next64() {
    if (position_ == filled_) [[unlikely]]
      refill();
    return buffer_[position_++];
  }
  bool next_bit();

  /// Uniform in 0..bound-1, without bias. bound must be at least 1.
  std::uint64_t below(std::uint64_t bound) {
    // Multiply-and-reject: the low half is uniform, and the few low values that would favour some results are
    // redrawn.
    Uint128 product = static_cast<Uint128>(next64()) * bound;
    if (low_half(product) < bound) [[unlikely]]
      product = redraw_if_biased(product, bound);
    return high_half(product);
  }
  Uint128 below128(Uint128 bound);

  /// For audits: a tape hears where private data meets this stream (random/tape.hpp). Mechanisms never call these.
  void listen(Tape* tape);
  Tape* tape() const { return tape_; }
  std::uint64_t words_drawn() const { return refilled_ - (filled_ - position_); }
  struct Position {
    std::uint64_t words = 0, bits = 0;
    int bits_left = 0;
  };
  Position position() const { return {words_drawn(), bits_, bits_left_}; }
  void move_to(
      const Position& position);  ///< gives away words up to a later position of a stream of the same secret

 private:
  static constexpr std::size_t small_fill = 8;    // words of the first refill: most releases need few
  static constexpr std::size_t large_fill = 128;  // words of later ones

  void refill();
  Uint128 redraw_if_biased(Uint128 product, std::uint64_t bound);

  std::array<std::uint64_t, large_fill> buffer_;
  std::size_t position_ = 0;
  std::size_t filled_ = 0;
  std::uint64_t bits_ = 0;
  int bits_left_ = 0;
  std::uint64_t refilled_ = 0;  // words ever put into the buffer
  Tape* tape_ = nullptr;
  std::size_t heard_as_ = 0;  // what the tape calls this stream
  std::uint64_t next_block_;
  std::uint64_t nonce_;
  Secret secret_;
};

/// The raw key stream, for known-answer tests: ChaCha20 with 64-bit nonce and 64-bit block counter.
void chacha20_key_stream(const Secret& secret, std::uint64_t nonce, std::uint64_t first_block,
                         std::span<std::uint8_t> out);

}  // namespace fogline::random
