// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "traces/beliefs/denoise.hpp"
#include "traces/counts/statistics.hpp"

namespace fogline::traces {

/// What the noisy statistics say about the trips once they have been made to agree with each other: each table
/// explained by the others as far as they can, and by its own noisy counts as far as these can be trusted.
struct Beliefs {
  Layout layout;
  double trips = 0;
  std::vector<std::uint32_t> favour, coarse_favour;
  MoveStrings asked;  ///< what `strings` is about
  Estimate start_end, starts, ends, pairs, triples, strings, visits, fine_visits, coarse_visits;
  std::vector<double> lengths, diameters, reaches, crossings, shapes, steps, strides, turns, hours, speeds;
};

/// How much of a trip each medium cell that it passes shall get in `visits`: the fewer trips are expected there, the
/// more, so that places off the beaten track are not lost in noise. From the answers so far: ends, moves and fine
/// visits.
struct Favours {
  std::vector<std::uint32_t> medium, coarse;  ///< by cell
};
Favours favours_of(const NoisyStatistics& so_far);

/// Cost: about 10 microseconds a cell of the tables, a tenth of a second in all.
Beliefs believe(const NoisyStatistics& known);

}  // namespace fogline::traces
