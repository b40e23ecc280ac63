// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/figure_kind.hpp"

namespace fogline::traces {

Figure dimension_figure(const FigureOptions& options);    ///< Figure 3
Figure closed_disc_figure(const FigureOptions& options);  ///< Figure 4

}  // namespace fogline::traces
