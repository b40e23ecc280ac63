// SPDX-License-Identifier: Apache-2.0
#include "privacy/composition.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace fogline::privacy::composition_test {
namespace {

const Guarantee report = Guarantee::metric(EpsilonPerMetre{1, 100}, "one report", Exactness::exact);
const Guarantee nothing = Guarantee::none("one report", "the prior is private");

TEST(Composition, SumAddsAll) {
  const std::vector<Guarantee> three(3, report);
  EXPECT_EQ(sum(three).epsilon(), Rational(3, 100));
  EXPECT_EQ(sum(std::vector{report}), report);
  EXPECT_EQ(sum(std::vector{report, nothing, report}), nothing);
}

TEST(Composition, TimesIsTheSameAsAddingOneByOne) {
  EXPECT_EQ(times(report, 7), sum(std::vector<Guarantee>(7, report)));
  EXPECT_EQ(times(report, 1), report);
  EXPECT_EQ(times(nothing, 5), nothing);
  EXPECT_EQ(times(report, 1'000'000).epsilon(), Rational(10'000));
}

TEST(Composition, NothingToAddIsAnErrorAndNotAFreeRelease) {
  EXPECT_THROW(sum({}), InvalidOption);
  EXPECT_THROW(times(report, 0), InvalidOption);
}

TEST(Composition, DifferentUnitsDoNotAddUp) {
  const Guarantee other = Guarantee::metric(EpsilonPerMetre{1, 100}, "one user", Exactness::exact);
  EXPECT_THROW(sum(std::vector{report, other}), IncompatibleGuarantees);
}

TEST(Composition, TotalsAreExactOrRefused) {
  const Guarantee most = Guarantee::pure(Epsilon{97, 100}, "one trip", Exactness::exact);
  EXPECT_THROW(times(most, ~std::uint64_t{0}), Rational::Overflow);
}

TEST(Composition, ASeededRunPromisesNothingAndSaysWhatItWouldPromise) {
  const Guarantee left = seeded(report);
  EXPECT_EQ(left.notion(), Notion::none);
  EXPECT_EQ(left.unit(), "one report");
  EXPECT_EQ(left.reason(),
            "the randomness came from a fixed seed; drawn from the operating system it would be: metric DP, "
            "epsilon 0.01 per metre, protecting one report, exact");
  EXPECT_EQ(seeded(nothing), nothing);
}

}  // namespace
}  // namespace fogline::privacy::composition_test
