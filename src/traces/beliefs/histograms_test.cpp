// SPDX-License-Identifier: Apache-2.0
#include "traces/beliefs/histograms.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "random/key.hpp"
#include "traces/invention/quick_random.hpp"
#include "traces/measures/divergence.hpp"

namespace fogline::traces::histograms_test {
namespace {

double laplace(double scale, QuickRandom& random) {
  const double size = -scale * std::log(1 - random.uniform());
  return random.uniform() < 0.5 ? size : -size;
}

std::vector<double> hump(std::size_t bins, double middle, double width, double total) {
  std::vector<double> result(bins);
  for (std::size_t i = 0; i < bins; ++i)
    result[i] = std::exp(-std::pow((static_cast<double>(i) - middle) / width, 2) / 2);
  const double sum = std::accumulate(result.begin(), result.end(), 0.0);
  for (double& x : result) x *= total / sum;
  return result;
}

NoisyTable with_noise(const std::vector<double>& truth, double scale, QuickRandom& random) {
  NoisyTable noisy{truth, scale};
  for (double& x : noisy.value) x += laplace(scale, random);
  return noisy;
}

double distance_to(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum;
}

TEST(BelievedHistogram, IsNearerToTheTruthThanItsNoisyBins) {
  QuickRandom random(random::SeededKey(2).stream("histogram"));
  const std::vector<double> truth = hump(40, 9, 4, 2'000);
  for (const double scale : {5.0, 30.0, 100.0, 400.0}) {
    const NoisyTable noisy = with_noise(truth, scale, random);
    const std::vector<double> believed = believed_histogram(noisy, 2'000);
    EXPECT_NEAR(std::accumulate(believed.begin(), believed.end(), 0.0), 2'000, 1e-6);
    EXPECT_LT(distance_to(believed, truth), 0.8 * distance_to(noisy.value, truth)) << "at noise " << scale;
    for (const double x : believed) EXPECT_GE(x, 0);
  }
}

TEST(MixtureOfBumps, FindsABumpInNoiseThatHidesIt) {
  QuickRandom random(random::SeededKey(3).stream("bumps"));
  const std::vector<double> truth = hump(48, 20, 5, 1'000);
  double sum = 0;
  for (int round = 0; round < 10; ++round)
    sum += distance_to(mixture_of_bumps(with_noise(truth, 50, random), 1'000), truth);
  // Noise alone is off by 48 * 50.
  EXPECT_LT(sum / 10, 900);
}

TEST(BelievedRows, TakesWhatIsUsualWhereNoiseHidesEverything) {
  QuickRandom random(random::SeededKey(5).stream("usual"));
  const std::vector<double> sums{10, 5, 2, 1};
  for (int round = 0; round < 20; ++round) {
    const NoisyTable noisy = with_noise(std::vector<double>(4 * 22), 1'000, random);
    const std::vector<double> believed = believed_rows(noisy, sums, {.bin = 12});
    for (std::size_t i = 0; i < believed.size(); ++i)
      if (i % 22 < 6) {
        EXPECT_EQ(believed[i], 0) << "noise was taken for a step of a few metres";
      }
  }
}

TEST(BelievedRows, SpreadsNoTripsThatAreNotThere) {
  QuickRandom random(random::SeededKey(6).stream("half"));
  const std::size_t columns = 22;
  const std::vector<double> sums{600, 300, 60, 10};
  int off = 0;
  for (int round = 0; round < 40; ++round) {
    // The number of trips that the sums come from was twice too high.
    std::vector<double> truth;
    for (const double sum : sums) {
      const std::vector<double> row = hump(columns, 14, 1.5, sum / 2);
      truth.insert(truth.end(), row.begin(), row.end());
    }
    const std::vector<double> believed =
        believed_rows(with_noise(truth, 40, random), sums, {.bin = 12, .strays = 3});
    // Bins of half powers of two: how many steps fit into a way that has one step of bin 14.
    double steps = 0;
    for (std::size_t i = 0; i < believed.size(); ++i)
      steps += believed[i] / 970 * std::exp2((14 - static_cast<double>(i % columns)) / 2);
    if (steps > 4 || steps < 0.25) ++off;
    EXPECT_LT(steps, 8) << "round " << round;
  }
  EXPECT_LE(off, 2);
}

TEST(BelievedRows, GivesRowsWithoutTellingBinsTheShapeOfAll) {
  QuickRandom random(random::SeededKey(4).stream("rows"));
  const std::size_t columns = 22;
  const std::vector<double> sums{5'000, 3'000, 40, 2};
  std::vector<double> truth;
  for (const double sum : sums) {
    const std::vector<double> row = hump(columns, 14, 2, sum);
    truth.insert(truth.end(), row.begin(), row.end());
  }
  const std::vector<double> believed = believed_rows(with_noise(truth, 60, random), sums, {.bin = 3});
  for (std::size_t r = 0; r < sums.size(); ++r) {
    double sum = 0, mean = 0;
    for (std::size_t k = 0; k < columns; ++k) {
      sum += believed[r * columns + k];
      mean += believed[r * columns + k] * static_cast<double>(k);
    }
    EXPECT_NEAR(sum, sums[r], 1e-6);
    // Steps of a few metres that noise made up would be drawn for long trips, thousands of points each.
    EXPECT_NEAR(mean / sum, 14, 1.5) << "row " << r;
  }
}

}  // namespace
}  // namespace fogline::traces::histograms_test
