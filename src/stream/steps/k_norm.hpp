// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "stream/steps/lattice_k_norm.hpp"
#include "stream/steps/step_mechanism.hpp"

namespace fogline::stream {

/// The K-norm mechanism: the state's point plus noise whose density falls off with the norm of the sensitivity hull, on the integer lattice.
///
///     auto mechanism = make_k_norm(situation, {1, 1});
///     Answer z = mechanism->draw(place, noise);
///
/// Guarantee   policy DP for one step: P(z|s) <= exp(epsilon) P(z|s') for every two joined states and every z; exact (integers).
/// Source      Xiao, Shen, Liu, Xiong, Jin, Xu: DPHMM, Definitions 3.3 and 5.1, after Hardt and Talwar 2010; there with continuous noise.
/// Utility     mean norm of the noise d / epsilon for a hull of d dimensions on a fine lattice.
/// Cost        the hull (stream/policy/sensitivity.hpp) and a few microseconds a draw; a Bayes update a few nanoseconds per state and facet.
/// Parameters  epsilon above 0, at most 1,000, numerator and denominator at most 2^40. A hull flatter than the space publishes which slice a
///             state lies in: any_two_loss is then infinite. A hull that is a point (joined states all answer alike) gives the point itself.
///
/// Keeps a reference to the situation.
std::unique_ptr<StepMechanism> make_k_norm(const Situation& situation, const Rational& epsilon);

/// The same with a noise that was made before, for a situation of the same sensitivity hull (or of a smaller one).
std::unique_ptr<StepMechanism> make_k_norm(const Situation& situation,
                                           std::shared_ptr<const LatticeKNorm> noise,
                                           const Rational& epsilon);

}  // namespace fogline::stream
