// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/graph.hpp"
#include "privacy/guarantee.hpp"

namespace fogline::place {

/// How far apart vertices along a road are put, if nobody says otherwise: three quarters of 1 / epsilon.
///
///     graph::LengthMm spacing = automatic_spacing_mm({1, 100}, 500);      // 75,000: seventy-five metres
///
/// A road cut into pieces of length L = c / epsilon has its nearest vertex L/4 away in the mean. On a long road no mechanism moves
/// positions by less than L / sinh(c) in the mean, so that snapping adds at most a quarter of that as long as sinh(c) <= 1, c <= 0.881; where roads
/// branch there is more to go to. Three quarters leave room for the ends of roads. docs/mechanisms/spacing.md has the argument.
///
/// At least 5 m: a phone under open sky knows its place to 4.9 m (gps.gov), and finer vertices place nothing better. At most 1.8 times the farthest
/// distance at which a position is moved to a vertex, whatever epsilon: a position on a road, half a spacing from a vertex at most, is never too far.
/// Where both speak, the second holds. From public things alone. Throws InvalidOption for a distance that is not above 0.
graph::LengthMm automatic_spacing_mm(const privacy::EpsilonPerMetre& epsilon, double max_snap_m);

}  // namespace fogline::place
