// SPDX-License-Identifier: Apache-2.0
#include "traces/beliefs/humps.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "random/key.hpp"
#include "traces/beliefs/histograms.hpp"
#include "traces/invention/quick_random.hpp"

namespace fogline::traces::humps_test {
namespace {

void add_hump_noise(NoisyTable& table, QuickRandom& random) {
  for (double& x : table.value) {
    const double size = -table.scale * std::log(1 - random.uniform());
    x += random.uniform() < 0.5 ? size : -size;
  }
}

double sum_from(const std::vector<double>& bins, std::size_t first) {
  return std::accumulate(bins.begin() + static_cast<std::ptrdiff_t>(first), bins.end(), 0.0);
}

TEST(BelievedBump, IsWhatIsUsualInNoiseAndWhatIsThereOutOfIt) {
  QuickRandom random(random::SeededKey(1).stream("bump"));
  for (int round = 0; round < 20; ++round) {
    NoisyTable hidden{std::vector<double>(22), 1'000};
    add_hump_noise(hidden, random);
    EXPECT_NEAR(believed_bump(hidden, 5, {.bin = 12}).bin, 12, 0.5);
    NoisyTable shown{Bump{.bin = 4, .width = 1.5}.bins(22, 2'000), 40};
    add_hump_noise(shown, random);
    const Bump found = believed_bump(shown, 2'000, {.bin = 12});
    EXPECT_NEAR(found.bin, 4, 0.5);
    EXPECT_NEAR(found.width, 1.5, 0.6);
  }
}

TEST(BelievedLengths, HaveNoTailThatNoiseMadeUp) {
  QuickRandom random(random::SeededKey(2).stream("tail"));
  // Trips of 8 bins of 48, in noise that leaves the other 40 some hundreds of trips.
  const std::vector<double> truth = Bump{.bin = 4, .width = 2}.bins(48, 1'500);
  double tail = 0;
  for (int round = 0; round < 40; ++round) {
    NoisyTable noisy{truth, 20};
    add_hump_noise(noisy, random);
    const std::vector<double> believed =
        believed_lengths(noisy, 1'500, {.mean_m = 2'000, .strays = 0.7, .most_m = 100'000});
    EXPECT_NEAR(sum_from(believed, 0), 1'500, 1e-6);
    EXPECT_LT(sum_from(believed, 16), 15) << "one trip in a hundred is twice as long as any";
    tail += sum_from(believed, 12);
  }
  EXPECT_LT(tail / 40, 15);
}

TEST(BelievedLengths, KeepASecondHumpThatShows) {
  QuickRandom random(random::SeededKey(3).stream("second"));
  NoisyTable noisy{Bump{.bin = 6, .width = 2}.bins(48, 2'000), 20};
  const std::vector<double> second = Bump{.bin = 35, .width = 2}.bins(48, 600);
  for (std::size_t i = 0; i < second.size(); ++i) noisy.value[i] += second[i];
  add_hump_noise(noisy, random);
  const std::vector<double> believed =
      believed_lengths(noisy, 2'600, {.mean_m = 3'000, .strays = 0.7, .most_m = 100'000});
  EXPECT_NEAR(sum_from(believed, 28), 600, 200);
}

}  // namespace
}  // namespace fogline::traces::humps_test
