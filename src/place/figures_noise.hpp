// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "place/figures.hpp"

namespace fogline::place {

/// Noise on the plane against noise on the roads: figures 2, 4 and 6 of the paper.
///
///     Figure figure = line_figure({.quick = true});
///     figure.values("GEM", "q_loss_m");

/// Figure 2. 41 x 41 places 100 m apart; people are on the middle line only. The outputs of PLM are the places nearest to its noise.
Figure road_figure(const FigureOptions& options);

/// Figure 4. Two vertices 100 m apart on the plane, joined by longer and longer roads, at 0.01 per metre.
Figure detour_figure(const FigureOptions& options);

/// Figure 6. A straight road of 1,000 m with more and more vertices, at 0.01 per metre; with our mechanisms beside the paper's.
Figure line_figure(const FigureOptions& options);

}  // namespace fogline::place
