// SPDX-License-Identifier: Apache-2.0
#include "weights/mechanisms/noise.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include "base/error.hpp"
#include "random/chi_square.hpp"
#include "random/key.hpp"
#include "random/tape.hpp"
#include "weights/mechanisms/remap_floor.hpp"

namespace fogline::weights::noise_test {
namespace {

Noise whole_edge(NoiseLaw law, const privacy::Epsilon& epsilon, std::string_view range = "100:600") {
  return Noise({.law = law, .grid = WeightGrid::parse(range, "1"), .epsilon = epsilon});
}

Noise change(NoiseLaw law, const privacy::Epsilon& epsilon, std::uint64_t most,
             std::string_view range = "0:") {
  return Noise({.law = law,
                .grid = WeightGrid::parse(range, "1"),
                .epsilon = epsilon,
                .protection = {.unit = ProtectedUnit::change, .most = Rational(most)}});
}

TEST(Noise, PredictsTheKnownErrorsOnFiveHundredWeights) {
  struct Row {
    std::uint64_t epsilon;
    double staircase, geometric;
  };
  for (const Row row : {Row{1, 175.9, 183.9}, Row{2, 119.7, 141.8}, Row{5, 31.6, 80.1}, Row{10, 2.70, 45.0},
                        Row{20, 0.00034, 23.7}}) {
    const privacy::Epsilon epsilon{row.epsilon, 1};
    const Prediction staircase = whole_edge(NoiseLaw::staircase, epsilon).predict({});
    // The figures to meet come from a coarser search of the step: ours may be a little better.
    EXPECT_LE(staircase.expected_error, row.staircase * 1.02);
    EXPECT_GT(staircase.expected_error, row.staircase * 0.98);
    EXPECT_FALSE(staircase.floor);
    EXPECT_NEAR(staircase.best_constant, 250.0 * 251 / 501, 1e-9);
    EXPECT_NEAR(whole_edge(NoiseLaw::geometric, epsilon).predict({}).expected_error, row.geometric, 0.06);
  }
}

TEST(Noise, PredictionIsTheSumOverAllDraws) {
  const std::vector<double> prior = {3, 1, 0, 2, 1, 5, 1};
  for (const std::string_view range : {"0:6", "1:7"}) {
    for (const NoiseLaw law : {NoiseLaw::geometric, NoiseLaw::staircase}) {
      const Noise noise = change(law, privacy::Epsilon{7, 10}, 3, range);
      double error = 0;
      for (std::int64_t point = 0; point < 7; ++point) {
        for (std::int64_t drawn = -400; drawn <= 400; ++drawn)
          error += prior[static_cast<std::size_t>(point)] / 13 * std::exp(noise.log_weight(drawn, point)) *
                   std::abs(noise.weight(drawn) - noise.grid().value(point));
      }
      EXPECT_NEAR(noise.predict(prior).expected_error, error, 1e-12) << range << noise.name();
    }
  }
}

TEST(Noise, PredictsWithoutWalkingAlongAHugeRange) {
  const Noise noise = change(NoiseLaw::geometric, privacy::Epsilon{1, 1}, 1, "0:1000000");
  EXPECT_NEAR(noise.predict({}).expected_error, noise.expected_noise(), 1e-5);
}

TEST(Noise, ProbabilitiesSumToOne) {
  for (const NoiseLaw law : {NoiseLaw::geometric, NoiseLaw::staircase}) {
    const Noise noise = change(law, privacy::Epsilon{1, 3}, 4);
    double sum = 0, expected = 0;
    for (std::int64_t drawn = -1000; drawn <= 1000; ++drawn) {
      sum += std::exp(noise.log_weight(drawn, 0));
      expected += std::exp(noise.log_weight(drawn, 0)) * static_cast<double>(std::abs(drawn));
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_NEAR(noise.expected_noise(), expected, 1e-10);
  }
}

TEST(Noise, NeighboursStayWithinEpsilonAndUseItUp) {
  for (const NoiseLaw law : {NoiseLaw::geometric, NoiseLaw::staircase}) {
    for (const std::uint64_t most : {1U, 2U, 5U}) {
      const Noise noise = change(law, privacy::Epsilon{3, 2}, most);
      double largest = 0;
      for (std::int64_t point = 0; point <= 20; ++point)
        for (std::int64_t other = point; other <= point + static_cast<std::int64_t>(most); ++other)
          for (std::int64_t drawn = -30; drawn <= 60; ++drawn)
            largest =
                std::max(largest, std::abs(noise.log_weight(drawn, point) - noise.log_weight(drawn, other)));
      EXPECT_NEAR(largest, 1.5, 1e-12);
    }
  }
}

TEST(Noise, ATripCostsEpsilonOverAllItsLinks) {
  const Noise trip({.grid = WeightGrid::parse("0:", "1"),
                    .epsilon = privacy::Epsilon{1, 1},
                    .protection = {.unit = ProtectedUnit::trip, .most = Rational(30)}});
  EXPECT_EQ(trip.sensitivity_steps(), 30U);
  EXPECT_NEAR(30 * (trip.log_weight(7, 7) - trip.log_weight(7, 8)), 1, 1e-12);
  EXPECT_EQ(trip.guarantee().unit(), "one trip, which adds at most 1 to each of at most 30 edges");
}

/// Chi-square deviations of draws at one point from exp(log_weight). 200,000 draws with a fixed seed; 5 deviations are passed by chance less than
/// once in three million.
double misfit(const Noise& sampled, const Noise& claimed) {
  constexpr std::size_t draws = 200'000;
  constexpr std::int64_t point = 50, reach = 300;
  std::vector<std::int64_t> points(draws, point), drawn(draws);
  draw_all(sampled, points, random::SeededKey(5), {.threads = 2}, drawn);
  std::vector<std::uint64_t> counts(2 * reach + 1);
  std::vector<double> probability(counts.size());
  for (const std::int64_t number : drawn)
    if (std::abs(number - point) <= reach) ++counts[static_cast<std::size_t>(number - point + reach)];
  for (std::int64_t k = -reach; k <= reach; ++k)
    probability[static_cast<std::size_t>(k + reach)] = std::exp(claimed.log_weight(point + k, point));
  return random::chi_square(counts, probability, draws).deviations;
}

TEST(Noise, DrawsFollowTheirFormula) {
  for (const NoiseLaw law : {NoiseLaw::geometric, NoiseLaw::staircase}) {
    for (const std::uint64_t most : {1U, 6U}) {
      const Noise noise = change(law, privacy::Epsilon{4, 5}, most);
      EXPECT_LT(misfit(noise, noise), 5) << noise.name() << most;
    }
  }
}

TEST(Noise, HalvedNoiseIsNoticed) {
  for (const NoiseLaw law : {NoiseLaw::geometric, NoiseLaw::staircase})
    EXPECT_GT(misfit(change(law, privacy::Epsilon{8, 5}, 6), change(law, privacy::Epsilon{4, 5}, 6)), 100);
}

TEST(Noise, IsHeardByATape) {
  for (const NoiseLaw law : {NoiseLaw::geometric, NoiseLaw::staircase}) {
    const Noise noise = change(law, privacy::Epsilon{1, 2}, 3);
    random::Tape tape;
    random::Stream stream = random::SeededKey(1).stream("weights");
    stream.listen(&tape);
    std::vector<std::int64_t> drawn(2);
    noise.draw(std::vector<std::int64_t>{4, 9}, stream, drawn);
    ASSERT_EQ(tape.recorded().size(), 1U);
    EXPECT_EQ(tape.recorded()[0].values, (std::vector<long double>{4, 9}));
    EXPECT_EQ(tape.recorded()[0].epsilon, 0.5);
    EXPECT_EQ(tape.recorded()[0].sensitivity, 3);
    EXPECT_EQ(tape.recorded()[0].law,
              law == NoiseLaw::staircase ? random::Meeting::Law::staircase : random::Meeting::Law::laplace);
  }
}

TEST(Noise, ReleasesWeightsOfTheGrid) {
  const Noise endless = change(NoiseLaw::geometric, privacy::Epsilon{1, 1}, 1, "0:");
  EXPECT_EQ(endless.weight(-5), 0);
  EXPECT_EQ(endless.weight(0), 0);
  EXPECT_EQ(endless.weight(7), 7);
  EXPECT_EQ(endless.weight(5'000'000'000), 5'000'000'000.0);
  const Noise finite = whole_edge(NoiseLaw::staircase, privacy::Epsilon{1, 1});
  EXPECT_EQ(finite.weight(-1), 100);
  EXPECT_EQ(finite.weight(0), 100);
  EXPECT_EQ(finite.weight(9999), 600);
  const Noise positive(
      {.grid = WeightGrid::parse("0:4", "0.5"), .epsilon = privacy::Epsilon{1, 1}, .positive = true});
  EXPECT_EQ(positive.weight(-3), 0.5);
  EXPECT_EQ(positive.weight(0), 0.5);
}

TEST(Noise, FloorIsThatOfTheBestRemap) {
  const std::vector<double> prior = {1, 4, 2, 1};
  const Prediction one = change(NoiseLaw::geometric, privacy::Epsilon{1, 1}, 1, "1:4").predict(prior);
  ASSERT_TRUE(one.floor);
  EXPECT_NEAR(*one.floor, remap_floor(std::vector<double>{0.125, 0.5, 0.25, 0.125}, 4, 1), 1e-15);
  EXPECT_LE(*one.floor, one.expected_error);
  EXPECT_LE(*one.floor, one.best_constant);
  EXPECT_FALSE(change(NoiseLaw::geometric, privacy::Epsilon{1, 1}, 2, "1:4").predict(prior).floor);
}

TEST(Noise, ChoosesTheBestStaircase) {
  for (const double epsilon : {0.1, 1.0, 3.0, 10.0}) {
    for (const std::uint64_t sensitivity : {1U, 2U, 7U, 100U}) {
      std::uint64_t best = 1;
      for (std::uint64_t step = 2; step <= sensitivity; ++step)
        if (expected_staircase(epsilon, sensitivity, step) < expected_staircase(epsilon, sensitivity, best))
          best = step;
      EXPECT_EQ(best_staircase_step(epsilon, sensitivity), best) << epsilon << " " << sensitivity;
    }
  }
  EXPECT_EQ(whole_edge(NoiseLaw::staircase, privacy::Epsilon{5, 1}).parameters().dump(),
            R"({"sensitivity_steps":500,"staircase_step":32})");
}

TEST(Noise, ChoosesTheStaircaseThatIsBestAfterClamping) {
  // The search takes the error for a function that falls, then rises: a scan of all steps finds nothing better.
  for (const privacy::Epsilon epsilon :
       {privacy::Epsilon{1, 2}, privacy::Epsilon{2, 1}, privacy::Epsilon{6, 1}}) {
    for (const std::string_view range : {"0:9", "1:30"}) {
      const Noise chosen = whole_edge(NoiseLaw::staircase, epsilon, range);
      for (std::uint64_t step = 1; step <= chosen.sensitivity_steps(); ++step) {
        const double e = epsilon.value().to_double();
        const auto last = static_cast<std::int64_t>(chosen.grid().points()) - 1;
        const auto s = static_cast<std::int64_t>(chosen.sensitivity_steps());
        double error = 0, total = 0;
        for (std::int64_t k = -100 * s; k <= 100 * s; ++k) {
          const double weight =
              std::exp(-e * static_cast<double>((std::abs(k) + s - static_cast<std::int64_t>(step)) / s));
          total += weight;
          for (std::int64_t p = 0; p <= last; ++p)
            error += weight * std::abs(chosen.weight(p + k) - chosen.grid().value(p));
        }
        EXPECT_GE(error / total / static_cast<double>(last + 1), chosen.predict({}).expected_error - 1e-9);
      }
    }
  }
}

TEST(Noise, RefusesWhatItCannotProtect) {
  EXPECT_THROW(whole_edge(NoiseLaw::geometric, privacy::Epsilon{1, 1}, "0:"), InvalidOption);
  EXPECT_THROW(Noise({.law = NoiseLaw::staircase,
                      .grid = WeightGrid::parse("0:", "1"),
                      .epsilon = privacy::Epsilon{1, 1},
                      .protection = {.unit = ProtectedUnit::trip}}),
               InvalidOption);
  EXPECT_THROW(change(NoiseLaw::geometric, privacy::Epsilon{1, 999'999'937}, 1'000'000), InvalidOption);
}

TEST(Noise, PredictsItsSizeWhereTheGridHasNoEnd) {
  const Prediction endless = change(NoiseLaw::geometric, privacy::Epsilon{1, 1}, 1).predict({});
  EXPECT_NEAR(endless.expected_error, 1 / std::sinh(1.0), 1e-12);
  EXPECT_FALSE(endless.floor.has_value());
}

TEST(Noise, RefusesPointsOutsideTheGridBeforeItDraws) {
  const Noise noise = whole_edge(NoiseLaw::geometric, privacy::Epsilon{1, 1});
  random::Stream stream = random::SeededKey(1).stream("weights");
  std::vector<std::int64_t> drawn(2);
  for (const std::int64_t wrong : {std::int64_t{-1}, std::int64_t{501}}) {
    EXPECT_THROW(noise.draw(std::vector<std::int64_t>{0, wrong}, stream, drawn), InvalidOption);
    EXPECT_EQ(stream.words_drawn(), 0U);
  }
}

}  // namespace
}  // namespace fogline::weights::noise_test
