// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/figure_kind.hpp"

namespace fogline::traces {

/// The experiments of the paper on trajectories (Liu, Song, Wang 2023), computed anew, each with the paper's claim and what our numbers say of it.
///
///     for (const FigureKind& kind : figure_kinds()) print(kind.name, kind.what);
///     Figure figure = compute_figure(figure_kinds(), "traces-fig4", {.quick = true});
///
/// Trips come from the data folder where there is one, or are generated; noise is drawn with fixed seeds. docs/reproduce.md says what each figure shows and where it departs
/// from the paper. Cost: a second if quick, otherwise some minutes each.
std::span<const FigureKind> figure_kinds();

}  // namespace fogline::traces
