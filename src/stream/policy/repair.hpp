// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

#include "geometry/lattice_body.hpp"
#include "stream/policy/sensitivity.hpp"
#include "stream/steps/step_mechanism.hpp"

namespace fogline::stream {

/// How a state that the policy leaves exposed gets a partner within the constraint set.
enum class Repair {
  none,     ///< it stays exposed, and is counted
  nearest,  ///< the paper's greedy way: the nearest state
  least_area,  ///< the partner that makes the sensitivity hull grow least; in the plane only, elsewhere the nearest
  partners  ///< the user's choice, from a file; the nearest for states without one, or whose partner is not in the set
};

/// Makes the policy of a situation protectable (Definition 5.3): fills in which states are exposed, and joins each with a partner.
///
///     repair(situation, Repair::least_area, {});
///     situation.exposed;                             // as the policy was given
///     situation.repairs;                             // the pairs added for them, also in situation.policy
///
/// A state joined with none, but hidden by the hull among others, is not exposed to K-norm and Laplace noise; it is joined with the nearest of
/// those (that does not change the hull), so that every mechanism keeps what Definition 4.4 asks for it. Exposed states are taken in order,
/// and one that an earlier partner or the growing hull has come to protect needs none of its own; that is never more than Algorithms 1 and 3
/// of the paper add. Where there is only one state, it stays exposed.
///
/// `partner` is by state, the state itself for none; only for Repair::partners. Returns the hull of the policy after it, or null if the policy left
/// no state alone and no hull was needed. `hulls`, if given, is of the policy that the situation was made from, and saves most of the work.
/// Throws InvalidOption for a partner list of the wrong size, Cancelled.
///
/// Cost: the hull; for each exposed state a look at the states around it, in O(h) each for a hull of h corners (the paper: m^2 log m).
std::shared_ptr<const geometry::LatticeBody> repair(Situation& situation, Repair how,
                                                    std::span<const StateId> partner,
                                                    const SensitivityHulls* hulls = nullptr,
                                                    const Progress& progress = {});

}  // namespace fogline::stream
