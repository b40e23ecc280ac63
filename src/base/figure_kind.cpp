// SPDX-License-Identifier: Apache-2.0
#include "base/figure_kind.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace fogline {

Figure compute_figure(std::span<const FigureKind> kinds, std::string_view name,
                      const FigureOptions& options) {
  for (const FigureKind& kind : kinds) {
    if (kind.name != name) continue;
    Figure figure = kind.compute(options);
    figure.name = name;
    return figure;
  }
  throw InvalidOption("figure", fmt::format("there is none called {}", name));
}

}  // namespace fogline
