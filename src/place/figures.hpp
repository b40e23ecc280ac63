// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/figure.hpp"
#include "base/progress.hpp"

namespace fogline::place {

struct FigureOptions {
  bool quick = false;  ///< smaller maps and fewer points, for tests: seconds instead of minutes
  std::string data =
      {};  ///< folder of real data with maps/; empty: the generated city takes the place of real maps
  std::function<double()> seconds = {};  ///< a clock, for place-fig7; without it that figure's times are 0
  int threads = 0;                       ///< 0 (all cores) to 1,024
  Progress progress = {};                ///< called now and then; may cancel
};

/// One experiment of the paper on Geo-Graph-Indistinguishability (Takagi et al.).
struct FigureKind {
  std::string_view name;  ///< "place-fig2": the paper's number
  std::string_view what;  ///< one line
  Figure (*compute)(const FigureOptions& options);
};

/// The paper's experiments, computed anew, each with the paper's claim and what our numbers say of it.
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
