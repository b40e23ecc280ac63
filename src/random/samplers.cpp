// SPDX-License-Identifier: Apache-2.0
#include "random/samplers.hpp"

#include "base/error.hpp"

namespace fogline::random {
namespace {

constexpr std::uint64_t largest_part = std::uint64_t{1} << 40;
constexpr std::uint64_t largest_draw = std::uint64_t{1} << 62;

/// exp(-numerator/denominator) for a fraction of at most 1, by von Neumann's alternating series: the chance
/// that a run of coins with probabilities x/1, x/2, x/3, ... first fails at an odd place is exactly exp(-x).
bool bernoulli_exp_fraction(std::uint64_t numerator, std::uint64_t denominator, Stream& noise) {
  // A run of 2^20 has probability below 1/(2^20)!, so denominator * k stays below 2^64 for denominators to
  // 2^43.
  std::uint64_t k = 1;
  while (noise.below(denominator * k) < numerator) ++k;
  return k % 2 == 1;
}

/// The same for the product of fractions that a coin stands for: `coin()` is true with that probability.
template <class Coin>
bool bernoulli_exp_of(const Coin& coin, Stream& noise) {
  std::uint64_t k = 1;
  while (coin() && (k == 1 || noise.below(k) == 0)) ++k;
  return k % 2 == 1;
}

void check_part(const Rational& value, const char* name) {
  if (value.is_zero() || value.numerator() > largest_part || value.denominator() > largest_part) {
    throw InvalidOption(name, "must be above 0, with numerator and denominator at most 2^40");
  }
}

/// Successes of exp(-1) in a row.
std::uint64_t whole_units(Stream& noise) {
  std::uint64_t count = 0;
  while (bernoulli_exp_fraction(1, 1, noise)) ++count;
  return count;
}

}  // namespace

bool bernoulli_exp(const Rational& rate, Stream& noise) {
  if (rate.denominator() > largest_part) throw InvalidOption("rate", "the denominator must be at most 2^40");
  for (std::uint64_t whole = rate.numerator() / rate.denominator(); whole > 0; --whole) {
    if (!bernoulli_exp_fraction(1, 1, noise)) return false;
  }
  return bernoulli_exp_fraction(rate.numerator() % rate.denominator(), rate.denominator(), noise);
}

bool bernoulli_exp(const Rational& rate, Uint128 numerator, Uint128 denominator, Stream& noise) {
  if (denominator == 0 || bit_width(denominator) > 126 || numerator > denominator)
    throw InvalidOption("share", "must be a fraction of at most 1, its denominator below 2^126");
  const auto share = [&] { return noise.below128(denominator) < numerator; };
  if (bit_width(rate.numerator()) + bit_width(numerator) <= 126 &&
      bit_width(rate.denominator()) + bit_width(denominator) <= 126) {
    const Uint128 above = rate.numerator() * numerator, below = rate.denominator() * denominator;
    for (Uint128 whole = above / below; whole > 0; --whole) {
      if (!bernoulli_exp_fraction(1, 1, noise)) return false;
    }
    return bernoulli_exp_of([&] { return noise.below128(below) < above % below; }, noise);
  }
  // The product does not fit: whole multiples of the share one by one, and the rest as two coins that must both fall well.
  for (std::uint64_t whole = rate.numerator() / rate.denominator(); whole > 0; --whole) {
    if (!bernoulli_exp_of(share, noise)) return false;
  }
  const std::uint64_t rest = rate.numerator() % rate.denominator();
  return bernoulli_exp_of([&] { return share() && noise.below(rate.denominator()) < rest; }, noise);
}

Geometric::Geometric(const Rational& rate) : numerator_(rate.numerator()), denominator_(rate.denominator()) {
  check_part(rate, "rate");
}

std::uint64_t Geometric::operator()(Stream& noise) const {
  // X = remainder + denominator * units is geometric with rate 1/denominator: the remainder has weight
  // exp(-remainder/denominator), the units exp(-units). Then floor(X / numerator) has rate
  // numerator/denominator.
  std::uint64_t remainder = 0;
  do {
    remainder = noise.below(denominator_);
  } while (!bernoulli_exp_fraction(remainder, denominator_, noise));
  const std::uint64_t units = whole_units(noise);
  if (units > (largest_draw - remainder) / denominator_) throw Error("geometric draw beyond 2^62");
  const std::uint64_t total = remainder + denominator_ * units;
  return numerator_ == 1 ? total : total / numerator_;
}

DiscreteLaplace::DiscreteLaplace(const Rational& rate) : magnitude_(rate) {}

std::int64_t DiscreteLaplace::operator()(Stream& noise) const {
  while (true) {
    const bool negative = noise.next_bit();
    const auto magnitude = static_cast<std::int64_t>(magnitude_(noise));
    if (!negative) return magnitude;
    if (magnitude != 0) return -magnitude;  // "minus zero" is drawn again, or 0 would count twice
  }
}

DiscreteStaircase::DiscreteStaircase(const Options& options)
    : epsilon_(options.epsilon),
      sensitivity_(options.sensitivity),
      step_(options.step),
      stairs_((check_part(options.epsilon, "epsilon"), options.epsilon)) {
  if (sensitivity_ < 1 || sensitivity_ > largest_part) {
    throw InvalidOption("sensitivity", "must lie between 1 and 2^40");
  }
  if (step_ < 1 || step_ > sensitivity_)
    throw InvalidOption("step", "must lie between 1 and the sensitivity");
}

std::int64_t DiscreteStaircase::operator()(Stream& noise) const {
  while (true) {
    const bool negative = noise.next_bit();
    const std::uint64_t stair = stairs_(noise);
    // Within a stair of width `sensitivity`, the part beyond `step` lies one riser lower.
    std::uint64_t offset = 0;
    do {
      offset = noise.below(sensitivity_);
    } while (offset >= step_ && !bernoulli_exp(epsilon_, noise));
    if (stair > (largest_draw - offset) / sensitivity_) throw Error("staircase draw beyond 2^62");
    const auto magnitude = static_cast<std::int64_t>(stair * sensitivity_ + offset);
    if (!negative) return magnitude;
    if (magnitude != 0) return -magnitude;
  }
}

}  // namespace fogline::random
