// SPDX-License-Identifier: Apache-2.0
#include "stream/paper/figures.hpp"

#include <array>

#include "stream/paper/figures_paper.hpp"
#include "stream/paper/figures_sets.hpp"

namespace fogline::stream {
namespace {

constexpr std::array kinds{
    FigureKind{"stream-fig10", "time per step over time", runtime_figure},
    FigureKind{"stream-fig11", "protection and error over time", over_time_figure},
    FigureKind{"stream-fig12", "protection and error over epsilon", over_epsilon_figure},
    FigureKind{"stream-fig13", "protection and error over r of the policy within r", over_reach_figure},
    FigureKind{"stream-sets", "error on real location sets: K-norm, Bayes, free centre, optimal",
               location_sets_figure},
};

}  // namespace

std::span<const FigureKind> figure_kinds() {
  return kinds;
}

}  // namespace fogline::stream
