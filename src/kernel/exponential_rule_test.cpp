// SPDX-License-Identifier: Apache-2.0
#include "kernel/exponential_rule.hpp"

#include <cmath>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"

namespace fogline::kernel::exponential_rule_test {
namespace {

using Real = boost::multiprecision::cpp_bin_float_100;

Real real(Uint128 value) {
  return Real(high_half(value)) * pow(Real(2), 64) + Real(low_half(value));
}

Real log_weight(const ExponentialRule& rule, std::uint64_t distance_mm) {
  return log(real(rule.weight(distance_mm)));
}

const Rational rates[] = {Rational(1, 100'000'000), Rational(1, 400'000), Rational(1, 200'000),
                          Rational(1, 100'000),     Rational(7, 13'000),  Rational(1, 100),
                          Rational(1, 2),           Rational(1)};

TEST(ExponentialRule, RunsFromTwoToTheHundredDownToTheTail) {
  const ExponentialRule rule(Rational(1, 200'000));
  EXPECT_NEAR(static_cast<double>(log_weight(rule, 0)), 100 * std::log(2.0), 1e-12);
  EXPECT_EQ(rule.weight(rule.cap_mm()), ExponentialRule::tail_weight);
  EXPECT_EQ(rule.weight(~std::uint64_t{0}), ExponentialRule::tail_weight);
  EXPECT_GT(rule.weight(rule.cap_mm() - 1'000), ExponentialRule::tail_weight);
  // 36 ln 2 * 200 m.
  EXPECT_NEAR(static_cast<double>(rule.cap_mm()), 36 * std::log(2.0) * 200'000, 2);
}

TEST(ExponentialRule, StaysWithinTwoToTheMinus59OfTheExponential) {
  const Real allowed = pow(Real(2), -59);
  for (const Rational& rate : rates) {
    const ExponentialRule rule(rate);
    // The rule's own rate: the one asked for, rounded down at 2^-64, less the slack.
    const Real scaled = Real(rate.numerator()) * pow(Real(2), 64) / Real(rate.denominator());
    const Real own = (rate == Rational(1) ? Real(~std::uint64_t{0}) : Real(floor(scaled))) - 16384;
    EXPECT_TRUE(rc::check("relative error", [&] {
      const auto distance = *rc::gen::inRange<std::uint64_t>(0, rule.cap_mm());
      const Real exact = Real(100) * log(Real(2)) - own * Real(distance) / pow(Real(2), 64);
      const Real error = abs(log_weight(rule, distance) - exact);
      RC_ASSERT(error < allowed || rule.weight(distance) == ExponentialRule::tail_weight);
    })) << rate.to_string();
  }
}

TEST(ExponentialRule, KeepsTheLocalRuleExactly) {
  for (const Rational& rate : rates) {
    const ExponentialRule rule(rate);
    const Real exact_rate = Real(rate.numerator()) / Real(rate.denominator());
    EXPECT_TRUE(rc::check("|ln w(d) - ln w(e)| <= rate |d - e|", [&] {
      const auto near = *rc::gen::inRange<std::uint64_t>(0, rule.cap_mm() + 3);
      const auto gap = *rc::gen::oneOf(rc::gen::inRange<std::uint64_t>(1, 4),
                                       rc::gen::inRange<std::uint64_t>(1, rule.cap_mm() + 2));
      const Real loss = abs(log_weight(rule, near) - log_weight(rule, near + gap));
      RC_ASSERT(loss <= exact_rate * Real(gap));
    })) << rate.to_string();
  }
}

TEST(ExponentialRule, KeepsTheLocalRuleAtTheCapAndAtEveryHalving) {
  const ExponentialRule rule(Rational(1, 200'000));
  const Real rate = Real(1) / Real(200'000);
  for (int k = 1; k <= 36; ++k) {
    const auto centre = static_cast<std::uint64_t>(k * std::log(2.0) * 200'000);
    for (std::uint64_t d = centre - 20; d < centre + 20; ++d) {
      ASSERT_LE(abs(log_weight(rule, d) - log_weight(rule, d + 1)), rate) << "at " << d << " mm";
    }
  }
}

TEST(ExponentialRule, RefusesRatesOutsideItsRange) {
  EXPECT_THROW(ExponentialRule(Rational(2)), InvalidOption);
  EXPECT_THROW(ExponentialRule(Rational(0)), InvalidOption);
  EXPECT_THROW(ExponentialRule(Rational(1, 100'000'000'000)), InvalidOption);
}

}  // namespace
}  // namespace fogline::kernel::exponential_rule_test
