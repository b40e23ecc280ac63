// SPDX-License-Identifier: Apache-2.0
#include "traces/paper/figures.hpp"

#include <array>

#include "traces/paper/figures_paper.hpp"
#include "traces/paper/figures_utility.hpp"

namespace fogline::traces {
namespace {

constexpr std::array kinds{
    FigureKind{"traces-fig2", "length, density and trip error against epsilon, and what an attacker tells",
               utility_figure},
    FigureKind{"traces-fig3", "error of the paper's trips against the dimension of the embedding and epsilon",
               dimension_figure},
    FigureKind{"traces-fig4", "the paper's trips about a closed disc, with and without penalties",
               closed_disc_figure},
};

}  // namespace

std::span<const FigureKind> figure_kinds() {
  return kinds;
}

}  // namespace fogline::traces
