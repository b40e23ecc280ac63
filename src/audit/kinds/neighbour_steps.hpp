// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "weights/protection.hpp"

namespace fogline::audit {

/// How far the points of two neighbours can lie apart, worked out from the definition and not by the formula that mechanisms use.
///
///     neighbour_steps(WeightGrid::parse("0:", "0.5"), {.unit = ProtectedUnit::trip, .most = Rational(30)}, Rounding::refuse);
///     // one_edge 2, all_edges 60
///
/// A point lies within a millionth of a step of its weight, or within half a step and a millionth where weights are rounded. So the points of two
/// weights that differ by x steps are at most floor(x + 2 * that) apart, and never farther than the grid is long. Exact: whole numbers of 128 bits.
/// At least 1. Never above Protection::sensitivity_steps, and equal to it where the change is a whole number of steps that the grid has room for.
struct NeighbourSteps {
  std::uint64_t one_edge = 0;
  std::uint64_t edges = 1;  ///< that differ, at most
  std::uint64_t all_edges() const { return one_edge * edges; }
};

/// Throws InvalidOption if the unit is an edge's whole weight and the grid has no end, or the number exceeds 2^40.
NeighbourSteps neighbour_steps(const weights::WeightGrid& grid, const weights::Protection& protection,
                               weights::Rounding rounding);

}  // namespace fogline::audit
