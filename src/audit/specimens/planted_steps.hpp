// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "base/rational.hpp"
#include "stream/steps/step_mechanism.hpp"

namespace fogline::audit {

/// Ways in which K-norm noise is found implemented wrongly, and one in which the hull is. The weights they state, and their certificates, are those
/// of the right mechanism: what is wrong is what is drawn.
enum class StepFault {
  boundary_by_length,  ///< directions by the boundary's length, not by the area of its cones
  radius_one_short,    ///< radius Gamma(d) times a point of the body, not Gamma(d + 1)
  hull_too_small,      ///< noise for a hull of half the size
  noise_by_state       ///< half the noise for states of an odd number
};
std::string_view to_string(StepFault fault);

/// For tests of the audit; promises nothing. Throws InvalidOption unless the sensitivity hull is a polygon of the plane. Keeps a reference to the
/// situation.
std::unique_ptr<stream::StepMechanism> make_planted_step(const stream::Situation& situation,
                                                         const Rational& epsilon, StepFault fault);

}  // namespace fogline::audit
