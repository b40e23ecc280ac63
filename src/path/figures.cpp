// SPDX-License-Identifier: Apache-2.0
#include "path/figures.hpp"

#include <array>

#include "path/figures_paper.hpp"

namespace fogline::path {
namespace {

constexpr std::array kinds{
    FigureKind{"path-fig7", "time of the paper's layered graph against the size of the map", run_time_figure},
    FigureKind{"path-fig8", "maps that have a layered graph, by backtracking and by orientation",
               plain_quality_figure},
    FigureKind{"path-fig9", "how often the start is found, on the worst maps, against epsilon",
               acyclic_quality_figure},
    FigureKind{"path-fig10", "how often the start is found, cyclic routes beside acyclic ones",
               cyclic_quality_figure},
};

}  // namespace

std::span<const FigureKind> figure_kinds() {
  return kinds;
}

}  // namespace fogline::path
