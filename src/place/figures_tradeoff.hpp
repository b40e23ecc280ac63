// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "place/figures.hpp"

namespace fogline::place {

/// Figure 12. Two maps, 1,000 m around their centres, all vertices equally likely, epsilon varied; our mechanisms beside the paper's.
///
///     Figure figure = tradeoff_figure({.quick = true});
///     figure.values("PLMG", "ae_m", "generated city 1");
Figure tradeoff_figure(const FigureOptions& options);

}  // namespace fogline::place
