// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/rational.hpp"
#include "stream/steps/step_mechanism.hpp"
#include "stream/steps/table_step.hpp"

namespace fogline::stream {

struct OptimalStepOptions {
  double gap = 1e-3;             ///< to the least expected error, as a share of it; 1e-9 to 1
  std::size_t iterations = 100;  ///< of the solver, at most; 1 to 1,000
  Progress progress = {};        ///< may cancel
};

/// The step of least expected error that a policy allows, for the public prior: a table found by a solver, turned into positive integers and
/// certified.
///
///     auto step = make_optimal(situation, Rational(1));
///     Answer z = step->draw(place, noise);
///     step->expected_error() / step->lower_bound();      // 1.001 or less, unless the solver gave up early
///
/// Guarantee   P(z|s) <= exp(epsilon) P(z|s') for every two states joined by situation.policy and every answer; exact: certified from the
///             integers that answers are drawn with. An uncertified table is never used.
/// Source      docs/mechanisms/stream-optimal.md.
/// Utility     within `gap` of the least expected Euclidean distance over the answers: the states' points, and the free centre of each part.
/// Cost        building, one core: 3 to 10 ms for 100 states that must all look alike; other policies kernel/optimal.hpp. A draw: a walk
///             along one row.
/// Parameters  epsilon above 0; gap.
///
/// A part of a single state is released as it is: the policy asks nothing of it. If the solver's table is not certified, or worse than the best
/// single answer, another certified one is taken and is_fallback() says so. Throws InvalidOption for an epsilon of 0 or an option out of range.
std::unique_ptr<TableStep> make_optimal(const Situation& situation, const Rational& epsilon,
                                        const OptimalStepOptions& options = {});

}  // namespace fogline::stream
