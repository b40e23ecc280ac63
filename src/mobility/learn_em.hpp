// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/progress.hpp"
#include "mobility/learn.hpp"

namespace fogline::mobility {

struct EmOptions {
  double noise_m =
      0;  ///< standard deviation of a position's error, east and north alike; above 0, at most 10 cells
  std::uint32_t rounds = 50;  ///< at most, 1 to 10,000
  double tolerance = 1e-4;    ///< stop when a round gains less than this for each position; 0 or above
  double smoothing = 0.1;     ///< as for counting; 0 to 1,000
  bool learn_first = true;    ///< also learn where sequences begin; else as in the model to start from
  Progress progress = {};
};

struct EmResult {
  MarkovModel chain;
  std::vector<double> objective =
      {};  ///< after each round: ln likelihood, plus smoothing times the sum of ln p over what it is added to
  double log_likelihood = 0;  ///< of the positions, under the model of the last objective
  std::uint64_t positions = 0;
  std::uint64_t breaks = 0;  ///< positions that no possible step leads to: there a sequence was cut
};

/// Learns how cells follow each other from positions with errors (expectation maximisation, Baum and Welch). The true position lies
/// anywhere in its cell alike, and what was noted is off by a normal error; so a position near a border counts to both sides, by how well
/// each explains the whole sequence.
///
///     MarkovModel first = learn_counts(locate(trips, space), around, {});
///     EmResult learned = learn_em(trips, space, first, around, {.noise_m = 100});
///
/// The objective never falls from one round to the next. Cells over 4 noise_m away from a position are taken as impossible for it, in every
/// round alike. Throws InvalidOption for options out of range or a space without a grid.
/// Cost of a round: for each position its cells within reach times their transitions; memory of one sequence.
EmResult learn_em(const Trips& trips, const StateSpace& space, const MarkovModel& start,
                  const Neighbourhood& possible, const EmOptions& options);

}  // namespace fogline::mobility
