// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/figure_kind.hpp"

namespace fogline::stream {

/// The experiments of the paper on streams (Xiao et al. 2017, section 8), computed anew, each with the paper's claim and what our numbers say of
/// it; and what answers cost on real location sets.
///
///     Figure figure = compute_figure(figure_kinds(), "stream-fig11", {.quick = true});
///
/// Sequences are of public data sets, or generated where there is no folder of data; releases are drawn with fixed seeds, so that a figure is
/// the same each time, times left out. docs/reproduce.md says what each figure shows and where it departs from the paper.
/// Cost: seconds if quick, otherwise some minutes each.
std::span<const FigureKind> figure_kinds();

}  // namespace fogline::stream
