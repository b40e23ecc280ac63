// SPDX-License-Identifier: Apache-2.0
#include "kernel/exponential_rule.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"

namespace fogline::kernel {
namespace {

constexpr int octaves = ExponentialRule::head_bits - 64;         // halvings between distance 0 and the cap
constexpr std::uint64_t slack_per_mm = std::uint64_t{1} << 14;   // 2^-50 per millimetre, times 2^64
constexpr std::uint64_t smallest_rate = std::uint64_t{1} << 34;  // 2^-30 per millimetre: far above the slack

// ln 2, times 2^128.
constexpr Uint128 ln2 = (static_cast<Uint128>(0xb17217f7d1cf79abU) << 64) | 0xc9e3b39803f2f6afU;

// A fraction of 2^64 falls into a 64th of it, and so many bits within.
constexpr int bits_in_64th = 58;

// exp(-i/64), times 2^64, rounded to nearest (the first is 2^64 - 1 instead of 2^64). Up to a little over ln 2, which
// is 44.4 64ths.
constexpr std::array<std::uint64_t, 46> exp_of_64ths = {
    0xffffffffffffffffU, 0xfc07f55ff77d2494U, 0xf81fab5445aebc8aU, 0xf446e357f67dfd8eU, 0xf07d5fde38151e73U,
    0xecc2e44e820d18c4U, 0xe9173500cbe0159bU, 0xe57a1739d263ec95U, 0xe1eb51276c110c3cU, 0xde6aa9dcebdb100bU,
    0xdaf7e94f9261313dU, 0xd792d8530d3da531U, 0xd43b4096043bde03U, 0xd0f0ec9eb43e8079U, 0xcdb3a7c7979ebd5dU,
    0xca833e3c1bcf93e9U, 0xc75f7cf564105743U, 0xc44831b718faa1daU, 0xc13d2b0c44b8af4aU, 0xbe3e38443bb1dfefU,
    0xbb4b296f917bf09aU, 0xb863cf5d19e0354fU, 0xb587fb96f5c4e713U, 0xb2b7805fabcb5328U, 0xaff230af4c747554U,
    0xad37e030a19e3f45U, 0xaa88633e692c84acU, 0xa7e38ee09ab13659U, 0xa54938c9b7e846b1U, 0xa2b9375427dc3ef6U,
    0xa033617f9c893773U, 0x9db78eee82d48c8cU, 0x9b4597e37cb04ff4U, 0x98dd553ee54217fdU, 0x967ea07c5ee56f55U,
    0x942953b06ae2c504U, 0x91dd49860ab457feU, 0x8f9a5d3c6ab3325eU, 0x8d606aa49606deddU, 0x8b2f4e1f33b31766U,
    0x8906e49a4c9f3d59U, 0x86e70b8f1a73fbd8U, 0x84cfa0ffdf2c01bfU, 0x82c08375c5354c27U, 0x80b991fec8010361U,
    0x7ebaac2ba4e0732dU,
};

/// ln 2 * k, times 2^64, rounded down.
constexpr Uint128 halvings(int k) {
  const auto times = static_cast<std::uint64_t>(k);
  return static_cast<Uint128>(high_half(ln2)) * times + multiply_high(low_half(ln2), times);
}

/// 1 - exp(-s), times 2^64, for s (times 2^64) below 1/64: the alternating series, innermost term first. Nine
/// terms leave less than 2^-72; each step rounds by less than 2^-63.
std::uint64_t one_minus_exp(std::uint64_t s) {
  std::uint64_t inner = 0;
  constexpr std::uint64_t terms = 9;
  for (std::uint64_t n = terms; n >= 1; --n) inner = multiply_high(s, ~inner) / n;
  return inner;
}

/// exp(-r), times 2^64, for r (times 2^64) from 0 to a little over ln 2.
std::uint64_t exp_of_fraction(std::uint64_t r) {
  const std::uint64_t step = exp_of_64ths[r >> bits_in_64th];
  return step - multiply_high(step, one_minus_exp(r & ((std::uint64_t{1} << bits_in_64th) - 1)));
}

std::uint64_t fixed_rate(const Rational& rate_per_mm) {
  if (rate_per_mm > Rational(1)) throw InvalidOption("rate", "must be at most 1 per millimetre");
  const Uint128 scaled = (static_cast<Uint128>(rate_per_mm.numerator()) << 64) / rate_per_mm.denominator();
  const std::uint64_t whole = high_half(scaled) != 0 ? ~std::uint64_t{0} : low_half(scaled);
  if (whole < smallest_rate) throw InvalidOption("rate", "must be at least 2^-30 per millimetre");
  return whole - slack_per_mm;
}

}  // namespace

ExponentialRule::ExponentialRule(const Rational& rate_per_mm)
    : rate_(fixed_rate(rate_per_mm)), cap_mm_(static_cast<std::uint64_t>(halvings(octaves) / rate_) + 1) {}

Uint128 ExponentialRule::weight(std::uint64_t distance_mm) const {
  if (distance_mm >= cap_mm_) return tail_weight;
  const Uint128 exponent = static_cast<Uint128>(distance_mm) * rate_;
  auto halved = static_cast<int>(exponent / high_half(ln2));
  if (halvings(halved) > exponent)
    --halved;  // the divisor is ln 2 rounded down, so the quotient may be one too large
  const std::uint64_t fraction = exp_of_fraction(static_cast<std::uint64_t>(exponent - halvings(halved)));
  if (halved >= octaves) return tail_weight;
  return std::max(static_cast<Uint128>(fraction) << (octaves - halved), tail_weight);
}

}  // namespace fogline::kernel
