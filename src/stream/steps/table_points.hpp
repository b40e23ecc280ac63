// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "stream/steps/step_mechanism.hpp"

namespace fogline::stream {

/// Points that a table may answer with, `dimension` numbers each, in steps.
///
/// The points of some states, each once, and the free centre: the point of least expected distance under their prior. With it no best table is
/// worse than an answer that looks at nothing.
std::vector<double> answer_points(const Situation& situation, std::span<const std::uint32_t> states);

/// The point of least expected distance from some states, under their prior.
std::vector<double> free_centre(const Situation& situation, std::span<const std::uint32_t> states);

double mass_of(const Situation& situation, std::span<const std::uint32_t> states);  ///< of the prior

/// Euclidean distance of a state's point from an answer.
double distance_to(const Situation& situation, std::uint32_t state, std::span<const double> answer);

/// Its mean over some states, by their prior.
double mean_distance_to(const Situation& situation, std::span<const std::uint32_t> states,
                        std::span<const double> answer);

}  // namespace fogline::stream
