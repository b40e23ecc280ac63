// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/figure_kind.hpp"

namespace fogline::traces {

/// Figure 2: the paper's three measures against epsilon, for its mechanism, for whole releases by the sound form, and for trips drawn again from the true ones.
Figure utility_figure(const FigureOptions& options);

}  // namespace fogline::traces
