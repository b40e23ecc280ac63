// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "traces/beliefs/denoise.hpp"
#include "traces/counts/move_strings.hpp"
#include "traces/counts/statistics.hpp"

namespace fogline::traces {

/// Moves between coarse cells as the noisy answers about them tell together.
struct MoveBeliefs {
  Estimate pairs, triples;
};
MoveBeliefs believed_moves(const NoisyStatistics& known);

/// The strings of four to six cells that a chain of the moves in `so_far` makes most often: those worth asking about.
MoveStrings likely_strings(const NoisyStatistics& so_far);

/// What is believed of known.strings: their own noisy counts as far as these can be trusted, else the chain.
Estimate believed_strings(const NoisyStatistics& known, const MoveBeliefs& moves);

}  // namespace fogline::traces
