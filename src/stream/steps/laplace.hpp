// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "stream/steps/step_mechanism.hpp"

namespace fogline::stream {

/// The Laplace mechanism: integer noise on each coordinate of the state's point, by the largest sum of differences of joined states.
///
///     auto mechanism = make_laplace(situation, {1, 1});
///
/// Guarantee   policy DP for one step: P(z|s) <= exp(epsilon) P(z|s') for every two joined states and every z; exact (discrete Laplace).
/// Source      Xiao, Shen, Liu, Xiong, Jin, Xu: DPHMM, Definition 3.2 and section 11.1; there with continuous noise.
/// Utility     the K-norm mechanism of a larger hull, the cross-polytope: never better in the paper's terms (Corollary 5.1).
/// Cost        under a microsecond a draw.
/// Parameters  epsilon above 0; epsilon / sensitivity with numerator and denominator at most 2^40. Sensitivity 0: the point itself.
///
/// Keeps a reference to the situation.
std::unique_ptr<StepMechanism> make_laplace(const Situation& situation, const Rational& epsilon);

}  // namespace fogline::stream
