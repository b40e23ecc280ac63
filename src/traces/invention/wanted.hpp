// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "random/public_key.hpp"
#include "traces/beliefs/beliefs.hpp"
#include "traces/invention/outline.hpp"

namespace fogline::traces {

/// What one outline shall be, all by itself.
struct Wanted {
  float length_m = 0, diameter_m = 0;
  float cells = 0;  ///< medium ones passed
  float moves = 0;  ///< between coarse ones

  /// How far an outline is from it, in the measure of refinement: a trip's length or width off by 1.5 % and 40 m costs
  /// 0.0015. The numbers were chosen by experiment, on T-Drive and Geolife.
  float miss(const Wanted& is) const {
    // Off by so much of itself, and so many metres more, which keep short trips from weighing most.
    constexpr float relative = 0.015F, absolute_m = 40;
    // What that costs; and what numbers of cells and moves cost that are off by their root, as if they were counts.
    constexpr float for_metres = 1.5e-3F, for_numbers = 2e-3F;
    const float a = (is.length_m - length_m) / (relative * length_m + absolute_m);
    const float b = (is.diameter_m - diameter_m) / (relative * diameter_m + absolute_m);
    const float c = is.cells - cells, d = is.moves - moves;
    return for_metres * (a * a + b * b) + for_numbers * (c * c / cells + d * d / (moves + 1));
  }
};

/// All tables that outlines are to add up to, side by side: what is believed, and how much a miss weighs.
struct Targets {
  std::size_t triples = 0, strings = 0, visits = 0, fine_visits = 0,
              coarse_visits = 0;  ///< where each begins; pairs at 0
  std::vector<float> wanted, weight;

  std::size_t size() const { return wanted.size(); }
};

/// `scale`: outlines for each trip that is believed to be.
Targets targets_of(const Beliefs& beliefs, double scale);

/// Outlines come with the numbers of cells and moves that they have and leave with those that they shall have: within
/// a class of lengths they keep their order, the numbers are those believed. `turn` counts the calls.
void assign_numbers(Outlines& outlines, const Beliefs& beliefs, const random::PublicKey& key,
                    std::uint64_t turn);

}  // namespace fogline::traces
