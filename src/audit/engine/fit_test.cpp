// SPDX-License-Identifier: Apache-2.0
#include "audit/engine/fit.hpp"

#include <atomic>
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "place/gem.hpp"
#include "random/weight_table.hpp"

namespace fogline::audit::fit_test {
namespace {

using kernel::InputId;
using kernel::Relation;
using kernel::WeightRow;
using random::Stream;
using testing::HasSubstr;

// False alarms: each test below uses fixed seeds, so it passes always or never. Were the seeds changed, a right sampler would fail once
// in 10^7 runs.
constexpr std::uint64_t samples = 100'000;

WeightRow row_of(std::vector<Uint128> weights) {
  WeightRow row{std::move(weights), 0};
  for (const Uint128 weight : row.weights) row.total += weight;
  return row;
}

/// Two inputs with the same table of outputs, and a sampler.
ExactCase make_case(const WeightRow& row, DrawFunction draw) {
  return {.name = "sampler",
          .claim = privacy::Guarantee::pure(privacy::Epsilon{1, 1}, "one answer", privacy::Exactness::exact),
          .relation = Relation::complete(2),
          .row = [row](InputId) { return row; },
          .draw = std::move(draw)};
}

FitVerdict fit(const WeightRow& row, DrawFunction draw, std::uint64_t seed, std::uint64_t draws = samples) {
  return audit_fit(make_case(row, std::move(draw)), std::vector<InputId>{0, 1}, random::SeededKey(seed),
                   {.samples = draws});
}

/// Weights falling by a tenth from output to output: common ones, rare ones, and some that are next to impossible.
WeightRow falling(std::size_t outputs, double rate = 0.1) {
  std::vector<Uint128> weights;
  for (std::size_t o = 0; o < outputs; ++o) {
    weights.push_back(1 + static_cast<Uint128>(0x1p60 * std::exp(-rate * static_cast<double>(o))));
  }
  return row_of(weights);
}

const WeightRow tables[] = {falling(300), row_of({1}), row_of({1, 0, 2, 0}), row_of({1, ~Uint128{0} - 1}),
                            row_of(std::vector<Uint128>(1000, 7))};

TEST(Fit, AcceptsRightSamplersAtManySeeds) {
  for (const WeightRow& row : tables) {
    const random::CumulativeTable cumulative(row.weights);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto verdict = fit(
          row, [&](InputId, Stream& noise) { return cumulative.draw(noise); }, seed, 20'000);
      EXPECT_TRUE(verdict.fits) << verdict.sentence;
      EXPECT_EQ(verdict.samples(), 40'000U);
    }
  }
  const random::AliasTable alias(falling(300).weights);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_TRUE(fit(
                    falling(300), [&](InputId, Stream& noise) { return alias.draw(noise); }, seed, 20'000)
                    .fits);
  }
}

graph::Graph small_lattice() {
  std::vector<graph::Edge> edges;
  for (graph::VertexId v = 0; v < 36; ++v) {
    if (v % 6 < 5) edges.push_back({v, v + 1, 80'000});
    if (v < 30) edges.push_back({v, v + 6, 80'000});
  }
  return graph::Graph::from_edges(36, edges);
}

const place::Gem::Options one_per_hundred_metres{.epsilon = privacy::EpsilonPerMetre{1, 100}};

ExactCase case_of(const graph::Graph& map, const place::Gem& gem) {
  return {.name = "gem",
          .claim = gem.guarantee(),
          .relation = Relation::metric(map),
          .row = [&](InputId v) { return gem.row(v); },
          .draw = [&](InputId v, Stream& noise) { return gem.release(v, noise); }};
}

TEST(Fit, AcceptsGemOnALattice) {
  const auto map = small_lattice();
  const place::Gem gem(map, one_per_hundred_metres);
  const ExactCase subject = case_of(map, gem);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto verdict =
        audit_fit(subject, std::vector<InputId>{0, 14, 35}, random::SeededKey(seed), {.samples = 5'000});
    EXPECT_TRUE(verdict.fits) << verdict.sentence;
    EXPECT_LT(verdict.largest_deviations(), 5);
  }
}

TEST(Fit, CatchesGemAtAnEpsilonThreePerCentTooLarge) {
  // On this small map the distances hardly reach twice 1/epsilon, so it takes 400,000 draws.
  const auto map = small_lattice();
  const place::Gem gem(map, one_per_hundred_metres),
      wrong(map, {.epsilon = privacy::EpsilonPerMetre{103, 10'000}});
  const random::CumulativeTable table(wrong.row(14).weights);
  ExactCase subject = case_of(map, gem);
  subject.draw = [&](InputId, Stream& noise) { return table.draw(noise); };
  const auto verdict =
      audit_fit(subject, std::vector<InputId>{14}, random::SeededKey(1), {.samples = 400'000});
  EXPECT_FALSE(verdict.fits);
  EXPECT_THAT(verdict.sentence, HasSubstr("likeliest outputs together"));
}

TEST(Fit, CatchesAnIndexThatIsOffByOne) {
  const random::CumulativeTable table(falling(300).weights);
  const auto verdict = fit(
      falling(300), [&](InputId, Stream& noise) { return table.draw(noise) + 1; }, 1, 10'000);
  EXPECT_FALSE(verdict.fits);
  EXPECT_THAT(verdict.sentence,
              HasSubstr("The draws of sampler do not fit its table: from input 0, output 0 drawn 0 "
                        "times of 10000, where the table expects 951.626; 2 of 2 inputs fail."));
}

TEST(Fit, CatchesALastOutputThatIsNeverDrawn) {
  // Its chance is 1/1000: expected 100 times in 100,000.
  const WeightRow row = row_of(std::vector<Uint128>(1000, 7));
  EXPECT_FALSE(fit(
                   row, [](InputId, Stream& noise) { return noise.below(999); }, 2)
                   .fits);
  // Seldom enough, it cannot be missed: expected twice.
  const WeightRow seldom = row_of({49'999, 1});
  EXPECT_TRUE(fit(
                  seldom, [](InputId, Stream&) { return 0; }, 2)
                  .fits);
}

TEST(Fit, CatchesTheBiasOfAModulo) {
  // A byte modulo 96: outputs 0 to 63 get 3 of 256 chances, the others 2, instead of 1 in 96 each.
  const WeightRow row = row_of(std::vector<Uint128>(96, 1));
  EXPECT_FALSE(fit(
                   row, [](InputId, Stream& noise) { return (noise.next64() & 255) % 96; }, 3, 20'000)
                   .fits);
  // Sixteen bits modulo 96 are off by at most a thousandth: too little for 100,000 draws to show.
  EXPECT_TRUE(fit(
                  row, [](InputId, Stream& noise) { return (noise.next64() & 65'535) % 96; }, 3)
                  .fits);
}

TEST(Fit, CatchesARateThatIsOffByThreePerCent) {
  const random::CumulativeTable steeper(falling(300, 0.103).weights);
  const auto draw = [&](InputId, Stream& noise) { return steeper.draw(noise); };
  for (std::uint64_t seed = 0; seed < 10; ++seed) EXPECT_FALSE(fit(falling(300), draw, seed, 200'000).fits);
}

TEST(Fit, FailsAtOnceForWhatCannotHappen) {
  const WeightRow row = row_of({1000, 0, 1000});
  std::atomic<int> calls = 0;
  const auto once = [&](InputId input, Stream& noise) -> std::size_t {
    return input == 1 && calls++ == 17 ? 1 : 2 * noise.below(2);
  };
  const auto verdict = fit(row, once, 4, 1000);
  EXPECT_FALSE(verdict.fits);
  EXPECT_EQ(verdict.inputs[0].impossible, 0U);
  EXPECT_EQ(verdict.inputs[1].impossible, 1U);
  EXPECT_THAT(verdict.sentence, HasSubstr("from input 1, outputs of weight 0 drawn 1 times; 1 of 2 inputs"));

  calls = 0;
  const auto beyond = [&](InputId, Stream& noise) -> std::size_t {
    return calls++ == 17 ? 99 : 2 * noise.below(2);
  };
  EXPECT_FALSE(fit(row, beyond, 4, 1000).fits);
}

TEST(Fit, SeesASingleDrawOfWhatIsNextToImpossible) {
  // Chance 2^-60, drawn once in 1,000.
  std::vector<DrawnCounts> drawn{{.input = 0, .row = row_of({1, Uint128{1} << 60}), .counts = {1, 999}}};
  EXPECT_FALSE(judge_fit("sampler", drawn, 1e-7).fits);
  drawn[0].counts = {0, 1000};
  EXPECT_TRUE(judge_fit("sampler", drawn, 1e-7).fits);
}

TEST(Fit, BoundsAreThoseOfTheBinomialDistribution) {
  // A fair coin, one event a side, alpha = 1e-6 / 4: in 1,000 tosses up to 579 heads pass. P(X >= 580) = 2.3e-7.
  for (const std::uint64_t heads : {421U, 500U, 579U}) {
    const std::vector<DrawnCounts> drawn{
        {.input = 0, .row = row_of({1, 1}), .counts = {heads, 1000 - heads}}};
    EXPECT_TRUE(judge_fit("coin", drawn, 1e-6).fits) << heads;
  }
  for (const std::uint64_t heads : {0U, 420U, 580U, 1000U}) {
    const std::vector<DrawnCounts> drawn{
        {.input = 0, .row = row_of({1, 1}), .counts = {heads, 1000 - heads}}};
    EXPECT_FALSE(judge_fit("coin", drawn, 1e-6).fits) << heads;
  }
}

TEST(Fit, BoundsCanBeComputedForAsManySamplesAsAreAllowed) {
  // Six deviations off pass at 1e-12 per run, eight do not; common, rare and next to certain outputs.
  constexpr double n = 1e10;
  for (const double p : {0.5, 1e-3, 1e-8, 1 - 1e-8}) {
    const auto weight = static_cast<Uint128>(p * 1e15);
    const WeightRow row = row_of({weight, static_cast<Uint128>(1e15) - weight});
    for (const double deviations : {-8.0, -6.0, 0.0, 6.0, 8.0}) {
      const auto count = static_cast<std::uint64_t>(n * p + deviations * std::sqrt(n * p * (1 - p)));
      const std::vector<DrawnCounts> drawn{
          {.input = 0, .row = row, .counts = {count, static_cast<std::uint64_t>(n) - count}}};
      const bool skewed = p != 0.5 && p != 1e-3;  // the tails of rare events are not normal
      if (skewed && deviations != 0) {
        EXPECT_NO_THROW(judge_fit("coin", drawn, 1e-12));
      } else {
        EXPECT_EQ(judge_fit("coin", drawn, 1e-12).fits, std::abs(deviations) < 7) << p << " " << deviations;
      }
    }
  }
}

TEST(Fit, IsTheSameWhateverTheThreads) {
  const random::CumulativeTable table(falling(50).weights);
  const ExactCase subject = make_case(falling(50), [&](InputId, Stream& noise) { return table.draw(noise); });
  const auto with = [&](int threads) {
    return audit_fit(subject, std::vector<InputId>{0, 1}, random::SeededKey(6),
                     {.samples = 30'000, .threads = threads})
        .inputs[1]
        .chi_square.statistic;
  };
  EXPECT_EQ(with(1), with(2));
  EXPECT_EQ(with(1), with(5));
}

TEST(Fit, RefusesNonsense) {
  const ExactCase good = make_case(row_of({1, 1}), [](InputId, Stream& noise) { return noise.below(2); });
  const random::SeededKey key(7);
  const std::vector<InputId> inputs{0};
  EXPECT_THROW(audit_fit(good, {}, key), InvalidOption);
  EXPECT_THROW(audit_fit(good, std::vector<InputId>{2}, key), InvalidOption);
  EXPECT_THROW(audit_fit(good, inputs, key, {.samples = 999}), InvalidOption);
  EXPECT_THROW(audit_fit(good, inputs, key, {.false_alarm = 1e-5}), InvalidOption);
  EXPECT_THROW(audit_fit(good, inputs, key, {.false_alarm = 1e-13}), InvalidOption);
  EXPECT_THROW(audit_fit(good, inputs, key, {.false_alarm = std::nan("")}), InvalidOption);
  EXPECT_THROW(audit_fit(make_case(row_of({1, 1}), {}), inputs, key), InvalidOption);
  EXPECT_THROW(audit_fit(make_case({{1, 1}, 3}, good.draw), inputs, key), InvalidOption);
  EXPECT_THROW(judge_fit("x", {}, 1e-7), InvalidOption);
  EXPECT_THROW(judge_fit("x", std::vector<DrawnCounts>{{.row = row_of({1, 1}), .counts = {5}}}, 1e-7),
               InvalidOption);
  EXPECT_THROW(judge_fit("x", std::vector<DrawnCounts>{{.row = row_of({1, 1}), .counts = {0, 0}}}, 1e-7),
               InvalidOption);
  EXPECT_THROW(audit_fit(good, inputs, key, {.progress = [](const ProgressUpdate&) { return false; }}),
               Cancelled);
}

}  // namespace
}  // namespace fogline::audit::fit_test
