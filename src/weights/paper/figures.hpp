// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/figure_kind.hpp"

namespace fogline::weights {

/// The experiments of the paper on edge weights (Li et al. 2017), computed anew, each with the paper's claim and what our numbers say of it; and
/// the same measures on graphs that really have weights.
///
///     for (const FigureKind& kind : figure_kinds()) print(kind.name, kind.what);
///     Figure figure = compute_figure(figure_kinds(), "weights-fig2", {.quick = true});
///
/// Releases are drawn with fixed seeds, so that a figure is the same each time; of the private kind there is nothing to read: the weights of the paper's graphs are
/// invented, those of the others published. docs/reproduce.md says what each figure shows and where it departs from the paper.
/// Cost: seconds if quick, otherwise up to some minutes each.
std::span<const FigureKind> figure_kinds();

}  // namespace fogline::weights
