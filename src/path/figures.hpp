// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/figure_kind.hpp"

namespace fogline::path {

/// The experiments of the paper on routes (Lu and Shen 2020), computed anew, each with the paper's claim and what our numbers say of it.
///
///     for (const FigureKind& kind : figure_kinds()) print(kind.name, kind.what);
///     Figure figure = compute_figure(figure_kinds(), "path-fig8", {.quick = true});
///
/// Maps are invented and drawn with fixed seeds, so a figure is the same each time, but for times. docs/reproduce.md says what each figure shows and where it departs from
/// the paper. Cost: a second if quick, otherwise up to some minutes each.
std::span<const FigureKind> figure_kinds();

}  // namespace fogline::path
