// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "random/stream.hpp"

namespace fogline::traces {

/// Fast random numbers for what comes after the noise, where no promise rests on them: seeded from a keyed stream, xorshift from there.
class QuickRandom {
 public:
  explicit QuickRandom(random::Stream seed) : state_(seed.next64() | 1) {}

  std::uint64_t next() {
    // Shifts of full period by Marsaglia (2003); the odd factor by Vigna (2016) hides that they are linear.
    constexpr std::uint64_t scrambler = 0x2545F4914F6CDD1D;
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ * scrambler;
  }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }  ///< 0 to 1, 1 left out
  float uniform_f() { return static_cast<float>(next() >> 40) * 0x1p-24F; }
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
  }
  double normal() {  ///< mean 0, deviation 1
    return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  std::uint64_t state_;
};

}  // namespace fogline::traces
