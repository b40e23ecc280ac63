// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "geometry/lattice_body.hpp"
#include "stream/step_mechanism.hpp"

namespace fogline::stream {

/// Differences of joined states whose hull is that of all differences of joined states: for a group those of the corners of its hull,
/// for pairs each difference once. Of two opposite differences one is listed.
geometry::LatticePoints extreme_differences(const LocalPolicy& policy, const geometry::LatticePoints& points);

/// The hull of all differences of joined states: Definition 5.1 of the paper. Exact.
///
///     LatticeBody body = sensitivity_hull(situation.policy, situation.points);
///
/// Cost: in the plane n log n in the members of groups and the pairs; above, as qhull.
geometry::LatticeBody sensitivity_hull(const LocalPolicy& policy, const geometry::LatticePoints& points);

/// Pairs that the policy joins, those of each group counted.
std::uint64_t joined_pairs(const LocalPolicy& policy);

}  // namespace fogline::stream
