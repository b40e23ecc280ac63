// SPDX-License-Identifier: Apache-2.0
#include "audit/engine/exact.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::audit::exact_test {
namespace {

using kernel::InputId;
using kernel::RelatedPair;
using kernel::Relation;
using kernel::WeightRow;
using privacy::Epsilon;
using privacy::EpsilonPerMetre;
using privacy::Exactness;
using privacy::Guarantee;
using testing::HasSubstr;

const std::vector<RelatedPair> one_pair{{0, 1}};

/// Randomised response over two answers, three to one: a loss of ln 3 = 1.0986.
WeightRow three_to_one(InputId input) {
  return input == 0 ? WeightRow{{3, 1}, 4} : WeightRow{{1, 3}, 4};
}

ExactVerdict audit(const Guarantee& claim, const Relation& relation,
                   const kernel::RowFunction& row = three_to_one) {
  return audit_exactly({.name = "coin", .claim = claim, .relation = relation, .row = row});
}

Guarantee pure(std::uint64_t numerator, std::uint64_t denominator) {
  return Guarantee::pure(Epsilon{numerator, denominator}, "one answer", Exactness::exact);
}

TEST(Exact, ProvesAClaimThatHolds) {
  const auto verdict = audit(pure(11, 10), Relation::complete(2));
  EXPECT_TRUE(verdict.holds);
  EXPECT_FALSE(verdict.broken);
  EXPECT_LE(verdict.loss_low, std::log(3.0));
  EXPECT_GE(verdict.loss_high, std::log(3.0));
  EXPECT_NEAR(verdict.share_of_claim.value(), std::log(3.0) / 1.1, 1e-12);
  EXPECT_EQ(verdict.sentence,
            "coin keeps its promise: over 1 pair of inputs and all outputs its largest loss is 1.09861, "
            "99.87 % of the epsilon 1.1 "
            "claimed, at output 0 from input 0 against input 1.");
}

TEST(Exact, DisprovesAClaimThatDoesNot) {
  const auto verdict = audit(pure(109, 100), Relation::complete(2));
  EXPECT_FALSE(verdict.holds);
  EXPECT_TRUE(verdict.broken);
  EXPECT_GT(verdict.share_of_claim.value(), 1);
  EXPECT_THAT(verdict.sentence, HasSubstr("coin breaks its promise"));
}

TEST(Exact, SaysSoWhenRoundingLeavesItOpen) {
  // The fraction is within 2^-62 of ln 3.
  const auto verdict = audit(pure(997'020'788, 907'527'431), Relation::complete(2));
  EXPECT_FALSE(verdict.holds);
  EXPECT_FALSE(verdict.broken);
  EXPECT_THAT(verdict.sentence, HasSubstr("coin is too close to its claim to tell"));
}

TEST(Exact, CountsAMetricPerMetreThoughLengthsAreMillimetres) {
  // ln 3 on 100 m of road: 0.010986 per metre.
  const auto road = Relation::metric(2, {{0, 1, 100'000}});
  const auto claim = [](std::uint64_t per_million) {
    return Guarantee::metric(EpsilonPerMetre{per_million, 1'000'000}, "one report", Exactness::exact);
  };
  const auto kept = audit(claim(10'987), road);
  EXPECT_TRUE(kept.holds);
  EXPECT_NEAR(kept.loss_high, std::log(3.0) / 100, 1e-15);
  EXPECT_THAT(kept.sentence, HasSubstr("0.0109861 per metre"));
  EXPECT_TRUE(audit(claim(10'986), road).broken);
}

TEST(Exact, PolicyAndOneSidedClaims) {
  EXPECT_TRUE(
      audit(Guarantee::policy(Epsilon{11, 10}, "one state", Exactness::exact), Relation::policy(2, one_pair))
          .holds);
  EXPECT_TRUE(
      audit(Guarantee::policy(Epsilon{1, 1}, "one state", Exactness::exact), Relation::policy(2, one_pair))
          .broken);

  // On the path: always in H. Off it: in H with probability 378/1000.
  const auto label = [](InputId input) {
    return input == 0 ? WeightRow{{1000, 0}, 1000} : WeightRow{{378, 622}, 1000};
  };
  const auto claim = Guarantee::one_sided(Epsilon{1, 1}, "one label", Exactness::exact);
  const auto verdict = audit(claim, Relation::one_sided(2, one_pair), label);
  EXPECT_TRUE(verdict.holds);
  EXPECT_THAT(verdict.sentence, HasSubstr("The other way, of which nothing is promised, it is unbounded."));
  const auto reversed = audit(claim, Relation::one_sided(2, {{1, 0}}), label);
  EXPECT_TRUE(reversed.broken);
  EXPECT_TRUE(std::isinf(reversed.share_of_claim.value()));
  EXPECT_THAT(reversed.sentence, HasSubstr("its largest loss is unbounded, at output 1 from input 1"));
}

TEST(Exact, ReportsTheLossOfWhatPromisesNothing) {
  const auto verdict = audit(Guarantee::none("one answer", "as published"), Relation::complete(2));
  EXPECT_FALSE(verdict.holds);
  EXPECT_FALSE(verdict.broken);
  EXPECT_FALSE(verdict.share_of_claim);
  EXPECT_NEAR(verdict.loss_high, std::log(3.0), 1e-14);
  EXPECT_THAT(verdict.sentence, HasSubstr("coin promises nothing: over 1 pair of inputs"));
}

TEST(Exact, HoldsWhereNothingHasToLookAlike) {
  const auto verdict = audit(pure(1, 1), Relation::complete(1));
  EXPECT_TRUE(verdict.holds);
  EXPECT_EQ(verdict.sentence, "coin keeps its promise: no two inputs have to look alike.");
}

TEST(Exact, RefusesClaimsThatDoNotFitTheRelation) {
  const auto per_metre = Guarantee::metric(EpsilonPerMetre{1, 1}, "one report", Exactness::exact);
  EXPECT_THROW(audit(per_metre, Relation::complete(2)), InvalidOption);
  EXPECT_THROW(audit(pure(2, 1), Relation::metric(2, one_pair)), InvalidOption);
  EXPECT_THROW(audit(pure(2, 1), Relation::policy(2, one_pair)), InvalidOption);
  EXPECT_THROW(audit(Guarantee::policy(Epsilon{2, 1}, "one state", Exactness::exact),
                     Relation::one_sided(2, one_pair)),
               InvalidOption);
  EXPECT_THROW(audit(Guarantee::one_sided(Epsilon{2, 1}, "one label", Exactness::exact),
                     Relation::policy(2, one_pair)),
               InvalidOption);
  EXPECT_THROW(
      audit(Guarantee::pure(Epsilon{2, 1}, "one answer", Exactness::grid_rounded), Relation::complete(2)),
      InvalidOption);
  EXPECT_THROW(audit(pure(2, 1), Relation::complete(2), {}), InvalidOption);
}

TEST(Exact, SaysThatAnImpossibleOutputIsUnboundedPerMetreToo) {
  const auto verdict =
      audit_exactly({.name = "cut",
                     .claim = privacy::Guarantee::metric(privacy::EpsilonPerMetre{1, 100}, "one report",
                                                         privacy::Exactness::exact),
                     .relation = kernel::Relation::metric(2, {{0, 1, 100'000}}),
                     .row = [](kernel::InputId input) {
                       return input == 0 ? kernel::WeightRow{{1, 1}, 2} : kernel::WeightRow{{2, 0}, 2};
                     }});
  EXPECT_TRUE(verdict.broken);
  EXPECT_TRUE(std::isinf(verdict.loss_low));
  EXPECT_TRUE(std::isinf(verdict.loss_high));
}

}  // namespace
}  // namespace fogline::audit::exact_test
