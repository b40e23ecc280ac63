// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/figure_kind.hpp"

namespace fogline::weights {

/// Graphs that really have weights, each with the unit of protection that fits it. Without data a scale-free graph with weights that are mostly small takes their
/// place.

Figure openflights_figure(
    const FigureOptions& options);  ///< routes: one more or less, and a whole weight in 1..40
Figure airports_figure(const FigureOptions& options);     ///< seats a year: one flight of at most 400 seats
Figure milano_figure(const FigureOptions& options);       ///< calls: one more or less
Figure sioux_falls_figure(const FigureOptions& options);  ///< vehicles: one trip over at most 24 links
Figure chicago_figure(const FigureOptions& options);      ///< vehicles: one trip over at most 100 links

}  // namespace fogline::weights
