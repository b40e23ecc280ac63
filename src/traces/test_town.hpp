// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "random/key.hpp"
#include "traces/beliefs/beliefs.hpp"
#include "traces/invention/quick_random.hpp"

namespace fogline::traces {

/// For tests: 400 trips of 12 points with times, from the west of a square of 12 km to its middle, and their
/// statistics at a given epsilon. The larger it is, the less noise.
inline NoisyStatistics town_of_commuters(std::uint64_t epsilon) {
  QuickRandom random(random::SeededKey(8).stream("commuters"));
  TripSet set;
  for (int i = 0; i < 400; ++i) {
    double x = 500 + 2'500 * random.uniform(), y = 2'000 + 8'000 * random.uniform();
    const auto leaves = static_cast<std::int64_t>(25'200 + 3'600 * random.uniform());
    for (int p = 0; p < 12; ++p) {
      set.point.push_back({static_cast<float>(x), static_cast<float>(y)});
      set.t.push_back(leaves + 40 * p);
      x += 300 + 100 * random.uniform();
      y += 150 * (random.uniform() - 0.5);
    }
    set.end_trip();
  }
  const TraceStatistics statistics({.frame = Frame::parse("0,0,12000,12000", Frame::Unit::metres),
                                    .epsilon = privacy::Epsilon(epsilon, 1),
                                    .has_time = true,
                                    .max_length_m = 30'000});
  random::Stream noise = random::SeededKey(9).stream("commuters noise");
  return statistics.release(set, noise);
}

}  // namespace fogline::traces
