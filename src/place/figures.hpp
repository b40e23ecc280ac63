// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "base/figure_kind.hpp"

namespace fogline::place {

/// The experiments of the paper on Geo-Graph-Indistinguishability (Takagi et al.), computed anew, each with the paper's claim and what our numbers say of it.
///
///     for (const FigureKind& kind : figure_kinds()) print(kind.name, kind.what);
///     Figure figure = compute_figure("place-fig6", {.quick = true});
///     print(figure.result);
///
/// Everything is public and exact up to rounding: no record is read and nothing is drawn. docs/reproduce.md says what each figure shows and
/// where it departs from the paper. Throws InvalidOption for a name that is none, FileError or DataError for maps, Cancelled.
/// Cost: seconds if quick, otherwise up to some minutes each.
std::span<const FigureKind> figure_kinds();
Figure compute_figure(std::string_view name, const FigureOptions& options);

}  // namespace fogline::place
