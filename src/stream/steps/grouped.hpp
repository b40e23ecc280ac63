// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/rational.hpp"
#include "stream/steps/step_mechanism.hpp"
#include "stream/steps/table_step.hpp"

namespace fogline::stream {

struct GroupedStepOptions {
  /// At most, unless the policy has more parts; 2 to 1,000. 0: as many as take some ten milliseconds. Where all states of a part must look
  /// alike that is every state for itself up to 100 of them, and 64 groups above; for other policies 20 groups.
  std::size_t groups = 0;
  double gap = 1e-3;             ///< of the program on the groups, as a share; 1e-9 to 1
  std::size_t iterations = 100;  ///< of the solver, at most; 1 to 1,000
  Progress progress = {};        ///< may cancel
};

/// The optimal step on groups of states, for constraint sets too large for make_optimal().
///
///     auto step = make_grouped(situation, Rational(1), {.groups = 64});
///
/// Guarantee   as make_optimal(): P(z|s) <= exp(epsilon) P(z|s') for joined states, certified from the integers on the policy of the states
///             themselves. States of one group have the same row, and groups that hold joined states are joined.
/// Source      docs/mechanisms/stream-optimal.md.
/// Utility     the least expected error among tables that give all states of a group the same row and answer with the groups' centres or the
///             free centre; lower_bound() is for these alone.
/// Cost        n log n in the states and groups * n distances, then the program on the groups: kernel/optimal.hpp.
/// Parameters  epsilon above 0; groups.
///
/// If every state has a group of its own it is the optimal step, and named so. Throws InvalidOption for an epsilon of 0 or an option out of range.
std::unique_ptr<TableStep> make_grouped(const Situation& situation, const Rational& epsilon,
                                        const GroupedStepOptions& options = {});

}  // namespace fogline::stream
