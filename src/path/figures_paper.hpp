// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/figure_kind.hpp"

namespace fogline::path {

Figure run_time_figure(
    const FigureOptions& options);  ///< Figure 7: steps and time against the size of the map
Figure plain_quality_figure(
    const FigureOptions& options);  ///< Figure 8: usable maps and good outputs, without noise and splits
Figure acyclic_quality_figure(
    const FigureOptions& options);  ///< Figure 9: good outputs on the worst maps, noise on stops or on pairs
Figure cyclic_quality_figure(const FigureOptions& options);  ///< Figure 10: cyclic routes beside acyclic ones

}  // namespace fogline::path
