// SPDX-License-Identifier: Apache-2.0
#include "place/figures.hpp"

#include <array>

#include "place/figures_noise.hpp"
#include "place/figures_range.hpp"
#include "place/figures_tradeoff.hpp"

namespace fogline::place {
namespace {

constexpr std::array kinds{
    FigureKind{"place-fig2", "what knowing the road tells an attacker: PLM, PLM* and PLMG on one road",
               road_figure},
    FigureKind{"place-fig4", "two places, near on the plane and far by road: how often they are told apart",
               detour_figure},
    FigureKind{"place-fig6", "Q_loss on a straight line against the number of nodes", line_figure},
    FigureKind{"place-fig7", "time of the optimised range against the number of nodes", optimise_time_figure},
    FigureKind{"place-fig8", "PC with and without the optimised range against the number of nodes",
               optimise_gain_figure},
    FigureKind{"place-fig10", "the optimised range for a prior with four likely places, as a map",
               four_places_figure},
    FigureKind{"place-fig12", "Q_loss against AE of PLMG and GEM on two real maps", tradeoff_figure},
    FigureKind{"place-fig16", "PC against epsilon for people near bus stops, on a real map",
               bus_stops_figure},
};

}  // namespace

std::span<const FigureKind> figure_kinds() {
  return kinds;
}

Figure compute_figure(std::string_view name, const FigureOptions& options) {
  return fogline::compute_figure(kinds, name, options);
}

}  // namespace fogline::place
