// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/figure_kind.hpp"

namespace fogline::stream {

Figure runtime_figure(const FigureOptions& options);       ///< stream-fig10
Figure over_time_figure(const FigureOptions& options);     ///< stream-fig11
Figure over_epsilon_figure(const FigureOptions& options);  ///< stream-fig12
Figure over_reach_figure(const FigureOptions& options);    ///< stream-fig13

}  // namespace fogline::stream
