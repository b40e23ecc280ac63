// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/figure.hpp"
#include "base/progress.hpp"

namespace fogline {

struct FigureOptions {
  bool quick = false;  ///< smaller data and fewer points, for tests: seconds instead of minutes
  std::string data =
      {};  ///< folder of real data; empty: generated data takes its place, and the figure says so
  std::function<double()> seconds = {};  ///< a clock, for figures of times; without it those are 0
  int threads = 0;                       ///< 0 (all cores) to 1,024
  Progress progress = {};                ///< called now and then; may cancel
};

/// One experiment of a paper, computed anew. Every kind lists its own.
struct FigureKind {
  std::string_view name;  ///< "place-fig2": the kind and the paper's number
  std::string_view what;  ///< one line
  Figure (*compute)(const FigureOptions& options);
};

/// The figure of that name. Throws InvalidOption if there is none.
Figure compute_figure(std::span<const FigureKind> kinds, std::string_view name, const FigureOptions& options);

}  // namespace fogline
