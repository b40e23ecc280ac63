// SPDX-License-Identifier: Apache-2.0
#include "kernel/step_certificate.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "kernel/exponential_rule.hpp"

namespace fogline::kernel::step_certificate_test {
namespace {

StepCertificate certify(const ExponentialRule& rule, const StepOptions& options = {}) {
  return certify_steps([&](std::uint64_t d) { return rule.weight(d); }, rule.cap_mm() + 1, options);
}

TEST(StepCertificate, FindsTheLargestStep) {
  // 12 8 8 2 1: the quotients are 1.5, 1, 4, 2.
  const std::uint64_t weights[] = {12, 8, 8, 2, 1};
  const auto certificate = certify_steps([&](std::uint64_t d) { return Uint128{weights[d]}; }, 4);
  EXPECT_EQ(certificate.at, 2U);
  EXPECT_EQ(certificate.steps, 4U);
  EXPECT_LE(certificate.low, std::log(4.0));
  EXPECT_GE(certificate.high, std::log(4.0));
  EXPECT_NEAR(certificate.high, certificate.low, 1e-15);
}

TEST(StepCertificate, AStepUpCountsAsWell) {
  const std::uint64_t weights[] = {8, 4, 20};
  EXPECT_NEAR(certify_steps([&](std::uint64_t d) { return Uint128{weights[d]}; }, 2).high, std::log(5.0),
              1e-14);
}

TEST(StepCertificate, AWeightOfZeroIsNoWeight) {
  const std::uint64_t weights[] = {8, 4, 0, 0};
  const auto certificate = certify_steps([&](std::uint64_t d) { return Uint128{weights[d]}; }, 3);
  EXPECT_EQ(certificate.high, std::numeric_limits<double>::infinity());
  EXPECT_EQ(certificate.at, 1U);
  EXPECT_FALSE(holds(certificate, Rational(1000)));
}

TEST(StepCertificate, CertifiesTheExponentialRuleAtItsRate) {
  for (const Rational& rate :
       {Rational(1, 200'000), Rational(1, 100'000), Rational(7, 13'000), Rational(1, 100), Rational(1)}) {
    const ExponentialRule rule(rate);
    const auto certificate = certify(rule);
    EXPECT_TRUE(holds(certificate, rate)) << rate.to_string();
    // Not far below it: the whole rate is used.
    EXPECT_GT(certificate.high, rate.to_double() * (1 - 1e-7) - 1e-15) << rate.to_string();
    EXPECT_EQ(certificate.steps, rule.cap_mm() + 1);
  }
}

TEST(StepCertificate, SeesARateThatIsTooLargeByOnePartInAMillion) {
  const ExponentialRule rule(Rational(1'000'001, 200'000'000'000));
  EXPECT_FALSE(holds(certify(rule), Rational(1, 200'000)));
}

TEST(StepCertificate, SeesOneWrongWeightAmongMillions) {
  const ExponentialRule rule(Rational(1, 200'000));
  const auto broken = [&](std::uint64_t d) {
    const Uint128 weight = rule.weight(d);
    return d == 1'234'567 ? weight + (weight >> 40) : weight;
  };
  const auto certificate = certify_steps(broken, rule.cap_mm() + 1);
  EXPECT_EQ(certificate.at, 1'234'567U);
  EXPECT_FALSE(holds(certificate, Rational(1, 200'000)));
}

TEST(StepCertificate, SeesAStepWhereverItIs) {
  // Weights are compared 2^16 at a time: the steps into a piece and out of it are steps as well.
  constexpr std::uint64_t piece = 1 << 16, last = 2 * piece + 5;
  for (const std::uint64_t at : {std::uint64_t{0}, std::uint64_t{1}, piece - 2, piece - 1, piece, piece + 1,
                                 2 * piece - 1, 2 * piece, last - 1}) {
    for (const int threads : {1, 2}) {
      const auto one_step = [&](std::uint64_t d) { return Uint128{d <= at ? 2U : 1U}; };
      const auto certificate = certify_steps(one_step, last, {.threads = threads});
      EXPECT_NEAR(certificate.high, std::log(2.0), 1e-14) << at;
      EXPECT_EQ(certificate.at, at);
    }
  }
}

TEST(StepCertificate, SeesATailThatIsCutOff) {
  const ExponentialRule rule(Rational(1, 200'000));
  const auto cut = [&](std::uint64_t d) {
    return d < rule.cap_mm() ? rule.weight(d) : ExponentialRule::tail_weight / 2;
  };
  EXPECT_EQ(certify_steps(cut, rule.cap_mm() + 1).at, rule.cap_mm() - 1);
}

TEST(StepCertificate, DoesNotDependOnThreads) {
  const ExponentialRule rule(Rational(1, 20'000));
  const auto one = certify(rule, {.threads = 1}), two = certify(rule, {.threads = 2});
  EXPECT_EQ(one.at, two.at);
  EXPECT_EQ(one.high, two.high);
  EXPECT_THROW(certify(rule, {.progress = [](const ProgressUpdate&) { return false; }}), Cancelled);
}

}  // namespace
}  // namespace fogline::kernel::step_certificate_test
