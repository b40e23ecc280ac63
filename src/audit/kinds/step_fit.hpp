// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "audit/engine/fit.hpp"
#include "base/rational.hpp"
#include "stream/steps/step_mechanism.hpp"

namespace fogline::audit {

/// Makes the mechanism of a step for a situation that outlives it.
using StepMaker =
    std::function<std::unique_ptr<stream::StepMechanism>(const stream::Situation&, const Rational&)>;

/// Some states of a situation with their policy, on a coarser lattice: joined states differ by at most `reach` steps in any column.
stream::Situation coarse_copy(const stream::Situation& situation, std::span<const std::uint32_t> states,
                              std::int64_t reach);

/// How far joined states may differ in a copy whose answers are to be listed, by columns; 0: they would be too many.
std::int64_t listed_reach(std::size_t dimension);

/// Draws of a step's mechanism for one state, counted against the law that it states itself (log_weights).
///
///     auto drawn = count_step_draws(*mechanism, situation, epsilon, place, 20'000, stream);
///     FitVerdict fit = judge_fit("k-norm", drawn, 1e-7);
///
/// A table's answers are its outputs. Noise has no end; its answers are listed up to some norm, the rest together. What all weights sum to then
/// follows from those up to norm d, for a hull of d dimensions with integer corners: every integer point is one of finitely many, of norm at most d,
/// plus whole multiples of corners, so the sum is that over alternating differences of the listed ones, divided by (1 - e^-epsilon)^d. The same draws
/// are counted a second time by the cone of the hull that they lie in, and by whole norms: a wrong choice of directions shows there. Nothing if the
/// hull is a point or the list would be too long.
std::vector<DrawnCounts> count_step_draws(const stream::StepMechanism& mechanism,
                                          const stream::Situation& situation, const Rational& epsilon,
                                          std::uint32_t state, std::uint64_t samples, random::Stream& noise);

}  // namespace fogline::audit
