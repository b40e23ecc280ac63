// SPDX-License-Identifier: Apache-2.0
#include "audit/kinds/weights_audit.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "random/samplers.hpp"
#include "weights/mechanisms/blocks.hpp"
#include "weights/mechanisms/noise.hpp"

namespace fogline::audit::weights_audit_test {
namespace {

using testing::HasSubstr;
using weights::Blocks;
using weights::ProtectedUnit;
using weights::Protection;
using weights::WeightGrid;

const WeightsAuditOptions quick{.samples = 20'000};

/// Blocks with a table that a test may spoil.
class SpoiltBlocks : public Blocks {
 public:
  using Blocks::Blocks;
  void draw(std::span<const std::int64_t> points, random::Stream& noise,
            std::span<std::int64_t> drawn) const override {
    Blocks::draw(points, noise, drawn);
    if (always_truthful) {
      for (std::size_t i = 0; i < drawn.size(); ++i)
        if (drawn[i] + 1 == static_cast<std::int64_t>(outputs())) drawn[i] = 0;
    }
  }
  kernel::WeightRow row(std::int64_t point) const override {
    kernel::WeightRow spoilt = Blocks::row(point);
    auto& highest = *std::max_element(spoilt.weights.begin(), spoilt.weights.end());
    spoilt.total -= highest;
    highest = static_cast<Uint128>(static_cast<long double>(highest) *
                                   std::exp(static_cast<long double>(too_much)));
    spoilt.total += highest;
    return spoilt;
  }

  double too_much = 0;
  bool always_truthful = false;
};

const Blocks::Options ten{.grid = WeightGrid::parse("100:600", "1"), .epsilon = privacy::Epsilon{10, 1}};

TEST(WeightsAudit, CertifiesBlocks) {
  const WeightsAudit audit = audit_weights(Blocks(ten), quick);
  EXPECT_TRUE(audit.passed);
  EXPECT_TRUE(audit.certified);
  EXPECT_LE(audit.loss_high, 10);
  EXPECT_GT(audit.share_of_epsilon, 0.999);
  EXPECT_EQ(audit.edges_that_differ, 1U);
  EXPECT_EQ(audit.table->certificate.pairs, 501U * 500 / 2);
  EXPECT_GE(audit.draws.draws, 100'000U);
  EXPECT_THAT(audit.sentence, HasSubstr("Certified: blocks keeps its promise"));
  EXPECT_THAT(audit.sentence, HasSubstr("That was not contradicted by 39"));
}

TEST(WeightsAudit, CatchesATableOfOnePerCentTooMuch) {
  SpoiltBlocks spoilt(ten);
  spoilt.too_much = 0.1;  // e^(1.01 epsilon)
  const WeightsAudit audit = audit_weights(spoilt, quick);
  EXPECT_FALSE(audit.passed);
  EXPECT_FALSE(audit.certified);
  EXPECT_TRUE(audit.table->broken);
  EXPECT_NEAR(audit.loss_low, 10.1, 1e-3);
  EXPECT_THAT(audit.sentence, HasSubstr("blocks breaks its promise"));
}

TEST(WeightsAudit, CatchesASamplerThatLeavesItsTable) {
  SpoiltBlocks spoilt({.grid = WeightGrid::parse("0:9", "1"), .epsilon = privacy::Epsilon{1, 1}});
  EXPECT_TRUE(audit_weights(spoilt, quick).passed);
  spoilt.always_truthful = true;
  const WeightsAudit audit = audit_weights(spoilt, quick);
  EXPECT_TRUE(audit.table->holds);
  EXPECT_FALSE(audit.passed);
  EXPECT_FALSE(audit.draws.fit.fits);
}

/// Geometric noise, with a slip for each place where one is made.
class SpoiltNoise : public weights::EdgeMechanism {
 public:
  SpoiltNoise(Protection protection, std::uint64_t steps, double law_times = 1, std::uint64_t drawn_times = 1)
      : EdgeMechanism(WeightGrid::parse("0:100", "1"), protection, false),
        steps_(steps),
        law_rate_(law_times / static_cast<double>(steps)),
        laplace_(Rational(drawn_times, steps)) {}

  std::string_view name() const override { return "noise"; }
  privacy::Guarantee guarantee() const override {
    return privacy::Guarantee::pure(privacy::Epsilon{1, 1}, protection().text(grid()),
                                    privacy::Exactness::exact);
  }
  nlohmann::ordered_json parameters() const override { return {{"sensitivity_steps", steps_}}; }
  void draw(std::span<const std::int64_t> points, random::Stream& noise,
            std::span<std::int64_t> drawn) const override {
    for (std::size_t i = 0; i < points.size(); ++i) drawn[i] = points[i] + laplace_(noise);
  }
  double log_weight(std::int64_t drawn, std::int64_t point) const override {
    const double rate = law_rate_;
    return std::log(std::tanh(rate / 2)) - rate * std::abs(static_cast<double>(drawn - point));
  }
  double weight(std::int64_t drawn) const override { return grid().value(drawn); }
  weights::Prediction predict(std::span<const double>) const override { return {}; }

 private:
  std::uint64_t steps_;
  double law_rate_;
  random::DiscreteLaplace laplace_;
};

const Protection change{.unit = ProtectedUnit::change, .most = Rational(3)};
const Protection trip{.unit = ProtectedUnit::trip, .most = Rational(5)};

TEST(WeightsAudit, CertifiesNoiseByItsRule) {
  const WeightsAudit audit = audit_weights(SpoiltNoise(change, 3), quick);
  EXPECT_TRUE(audit.certified) << audit.sentence;
  EXPECT_EQ(audit.loss_high, 1);
  EXPECT_NEAR(audit.loss_low, 1, 1e-9);
  EXPECT_EQ(audit.rule->steps, 3U);
  EXPECT_TRUE(audit_weights(SpoiltNoise({}, 100), quick).certified);
}

TEST(WeightsAudit, AddsUpTheEdgesOfATrip) {
  const WeightsAudit audit = audit_weights(SpoiltNoise(trip, 5), quick);
  EXPECT_TRUE(audit.certified) << audit.sentence;
  EXPECT_EQ(audit.edges_that_differ, 5U);
  EXPECT_NEAR(audit.loss_low, 1, 1e-9);
  EXPECT_THAT(audit.sentence, HasSubstr("at most 5 edges, whose losses are added up"));
  EXPECT_NEAR(audit_weights(SpoiltNoise(trip, 1), quick).loss_high, 5, 1e-9);
}

TEST(WeightsAudit, CatchesNoiseMadeForTooSmallAChange) {
  const WeightsAudit audit = audit_weights(SpoiltNoise(change, 2), quick);
  EXPECT_FALSE(audit.passed);
  EXPECT_NEAR(audit.loss_high, 1.5, 1e-9);
  EXPECT_THAT(audit.sentence, HasSubstr("made for 2 steps of the grid, and two neighbours are 3 apart"));
}

TEST(WeightsAudit, CountsRounding) {
  WeightsAuditOptions rounded = quick;
  rounded.rounding = weights::Rounding::nearest;
  EXPECT_FALSE(audit_weights(SpoiltNoise(change, 3), rounded).passed);
  EXPECT_TRUE(audit_weights(SpoiltNoise(change, 4), rounded).passed);
}

TEST(WeightsAudit, CatchesNoiseOfHalfTheScale) {
  const WeightsAudit sampler = audit_weights(SpoiltNoise(change, 3, 1, 2), quick);
  EXPECT_TRUE(sampler.rule->holds);
  EXPECT_FALSE(sampler.passed);
  const WeightsAudit both = audit_weights(SpoiltNoise(change, 3, 2, 2), quick);
  EXPECT_TRUE(both.draws.fit.fits) << both.draws.fit.sentence;
  EXPECT_FALSE(both.rule->holds);
  EXPECT_NEAR(both.loss_high, 2, 1e-9);
}

/// A law that is too steep between near points only: what the largest shift alone does not show.
class SteepNearby : public SpoiltNoise {
 public:
  using SpoiltNoise::SpoiltNoise;
  double log_weight(std::int64_t drawn, std::int64_t point) const override {
    const std::int64_t noise = drawn - point;
    return SpoiltNoise::log_weight(drawn, point) + (noise % 3 == 1 ? 1.5 : 0);
  }
};

/// Noise that is wider from higher points, where no shift from point 0 sees it.
class WideUpwards : public SpoiltNoise {
 public:
  using SpoiltNoise::SpoiltNoise;
  double log_weight(std::int64_t drawn, std::int64_t point) const override {
    return SpoiltNoise::log_weight(drawn, point) * (point > 50 ? 0.5 : 1);
  }
};

TEST(WeightsAudit, LooksAtEveryShiftAndAtOtherPoints) {
  const WeightsAudit steep = audit_weights(SteepNearby(change, 3), quick);
  EXPECT_FALSE(steep.rule->holds);
  EXPECT_EQ(steep.rule->shifts, 3U);
  EXPECT_NEAR(steep.loss_high, 1.5 + 2.0 / 3, 1e-9) << "at a shift of 2; at 3 it is 1";
  EXPECT_THAT(steep.sentence, HasSubstr("between points 1 to 3 steps apart, where 1 is claimed"));
  EXPECT_FALSE(audit_weights(WideUpwards(change, 3), quick).rule->holds);
}

/// No noise, but at the points that an audit of a few fixed points would look at.
class Leaky : public weights::Noise {
 public:
  using Noise::Noise;
  void draw(std::span<const std::int64_t> points, random::Stream& noise,
            std::span<std::int64_t> drawn) const override {
    Noise::draw(points, noise, drawn);
    for (std::size_t i = 0; i < points.size(); ++i)
      if (points[i] != 0 && points[i] != 1000) drawn[i] = points[i];
  }
};

TEST(WeightsAudit, DoesNotCertifyNoiseAtAFewPointsOnly) {
  const Leaky leaky({.grid = WeightGrid::parse("0:", "1"),
                     .epsilon = privacy::Epsilon{1, 2},
                     .protection = {.unit = ProtectedUnit::change}});
  const WeightsAudit audit = audit_weights(leaky, quick);
  EXPECT_TRUE(audit.rule->holds);
  EXPECT_FALSE(audit.passed || audit.certified);
  EXPECT_THAT(audit.sentence, HasSubstr("The draws of geometric do not follow its law: of weights 0:127, "));
}

TEST(WeightsAudit, RefusesWhatItCannotAudit) {
  EXPECT_THROW(audit_weights(Blocks(ten), {.samples = 999}), InvalidOption);
  EXPECT_THROW(audit_weights(SpoiltNoise(change, 200'000), quick), InvalidOption);
}

TEST(WeightsAudit, ShowsWhatPublishedClaimsAreWorth) {
  const PublishedWeightsAuditOptions options{.most_samples = 30'000};
  for (const auto name : {"mb", "lap-ci", "mb-ci"}) {
    const PublishedWeightsAudit audit = audit_published_weights(name, {}, options);
    EXPECT_TRUE(audit.broken && audit.finding.broken) << name << ": " << audit.finding.loss_at_least;
    EXPECT_GT(audit.finding.loss_at_least, 1.5) << name;
    EXPECT_THAT(audit.sentence, HasSubstr("does not keep its paper's claim: its loss is at least"));
  }
  const PublishedWeightsAudit lap = audit_published_weights("lap", {}, options);
  EXPECT_FALSE(lap.broken) << lap.sentence;
  EXPECT_GT(lap.finding.loss_at_least, 0.7);
}

TEST(WeightsAudit, ShowsThemAtAnyEpsilonAndK) {
  const PublishedWeightsAuditOptions few{.most_samples = 2'000};
  for (const auto name : {"mb", "lap-ci", "mb-ci"}) {
    const PublishedWeightsAudit audit =
        audit_published_weights(name, {.epsilon = 50, .range = {0, 1}, .k = 3}, few);
    EXPECT_TRUE(audit.broken) << name;
    EXPECT_FALSE(audit.finding.broken) << "2,000 samples cannot show a loss of 50";
    EXPECT_THAT(audit.sentence, HasSubstr("but a replay shows that"));
  }
  EXPECT_FALSE(audit_published_weights("lap", {.epsilon = 50}, few).broken);
}

TEST(WeightsAudit, RefusesBadSettings) {
  EXPECT_THROW(audit_published_weights("blocks", {}), InvalidOption);
  EXPECT_THROW(audit_published_weights("mb", {.epsilon = 0}), InvalidOption);
  EXPECT_THROW(audit_published_weights("mb", {.k = 0}), InvalidOption);
  EXPECT_THROW(audit_published_weights("mb", {.range = {3, 3}}), InvalidOption);
}

}  // namespace
}  // namespace fogline::audit::weights_audit_test
