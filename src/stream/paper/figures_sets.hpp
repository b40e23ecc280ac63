// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/figure_kind.hpp"

namespace fogline::stream {

Figure location_sets_figure(const FigureOptions& options);  ///< stream-sets

}  // namespace fogline::stream
