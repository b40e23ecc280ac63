// SPDX-License-Identifier: Apache-2.0
#include "place/figures_tradeoff.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "place/figure_parts.hpp"
#include "place/optimise.hpp"
#include "place/tables.hpp"

namespace fogline::place {
namespace {

using privacy::EpsilonPerMetre;

constexpr const char* gem_optimised = "GEM, optimised range";

void add_tradeoff_rows(Figure& figure, const FigureMap& map, const EpsilonPerMetre& epsilon,
                       const FigureOptions& options, const Progress& progress) {
  MechanismChoice choice{
      .name = "plmg", .epsilon = epsilon, .threads = options.threads, .progress = progress};
  const auto add = [&](const char* series, const DistanceMeasures& by) {
    figure.rows.push_back({.part = map.name,
                           .series = series,
                           .values = {epsilon.value().to_double(), by.q_loss_m, by.ae_m, by.pc}});
  };
  add("PLMG", measured(map.network, choice).road);
  add(gem_optimised,
      optimise_range(map.network, {.epsilon = epsilon, .threads = options.threads, .progress = progress})
          .after);
  choice.name = "tight";
  add("tight", measured(map.network, choice).road);
  choice.name = "optimal";
  add("optimal", measured(map.network, choice).road);
}

/// In how many of PLMG's points GEM has less Q_loss at the same AE, and what share of it on average.
struct Advantage {
  std::size_t compared = 0, below = 0;
  double mean_share = 0;
};

Advantage advantage(const Figure& figure, const std::string& part) {
  const auto loss = figure.values("PLMG", "q_loss_m", part), error = figure.values("PLMG", "ae_m", part);
  Advantage result;
  for (std::size_t i = 0; i < loss.size(); ++i) {
    const auto gem = height_at(figure.values(gem_optimised, "ae_m", part),
                               figure.values(gem_optimised, "q_loss_m", part), error[i]);
    if (!gem) continue;
    ++result.compared;
    result.below += *gem < loss[i] ? 1U : 0U;
    result.mean_share += *gem / loss[i];
  }
  result.mean_share /= static_cast<double>(std::max<std::size_t>(result.compared, 1));
  return result;
}

/// How much longer roads are than the straight line, over all pairs of vertices.
double detour(const FigureMap& map, int threads) {
  return road_table_m(map.network.graph, {.threads = threads}).sum() /
         straight_table_m(map.network, {.threads = threads}).sum();
}

/// What is said of one map.
struct MapFindings {
  std::string name;
  double detour = 1;
};

/// The least and the largest share of GEM's Q_loss that the optimal mechanism has at the same epsilon.
std::string optimal_against_gem(const Figure& figure, const std::string& part) {
  const auto optimal = figure.values("optimal", "q_loss_m", part),
             gem = figure.values(gem_optimised, "q_loss_m", part);
  double least = 1e9, largest = 0;
  for (std::size_t i = 0; i < optimal.size(); ++i) {
    least = std::min(least, optimal[i] / gem[i]);
    largest = std::max(largest, optimal[i] / gem[i]);
  }
  return fmt::format("{:.2f} to {:.2f} of GEM's on {}", least, largest, part);
}

void judge_tradeoff(Figure& figure, const MapFindings& first, const MapFindings& second) {
  const Advantage one = advantage(figure, first.name), two = advantage(figure, second.name);
  const bool below =
      one.compared > 0 && two.compared > 0 && one.below == one.compared && two.below == two.compared;
  // The smaller share of PLMG's Q_loss belongs to the map of longer detours.
  figure.confirmed = below && (one.mean_share < two.mean_share) == (first.detour > second.detour);
  const auto words = [&](const MapFindings& map, const Advantage& found) {
    figure.numbers.emplace_back(map.name + ": GEM's share of PLMG's Q_loss at equal AE", found.mean_share);
    figure.numbers.emplace_back(map.name + ": road over straight distance", map.detour);
    return fmt::format(
        "in {} of {} points on {} ({:.3f} of it on average; roads are {:.2f} times as long as straight "
        "lines)",
        found.below, found.compared, map.name, found.mean_share, map.detour);
  };
  figure.result = fmt::format("at equal AE, Q_loss of GEM is below that of PLMG {} and {}.",
                              words(first, one), words(second, two));
  figure.result +=
      fmt::format(" At equal epsilon, optimal's Q_loss is {} and {}", optimal_against_gem(figure, first.name),
                  optimal_against_gem(figure, second.name));
}

}  // namespace

Figure tradeoff_figure(const FigureOptions& options) {
  const std::vector<EpsilonPerMetre> epsilons =
      options.quick
          ? std::vector<EpsilonPerMetre>{{1, 100}, {2, 100}, {4, 100}}
          : std::vector<EpsilonPerMetre>{{5, 1000}, {7, 1000}, {1, 100}, {15, 1000}, {2, 100}, {3, 100}};
  Figure figure{
      .title = "Q_loss against AE on two maps",
      .claim =
          "at equal AE, Q_loss of GEM with the optimised range is below that of PLMG on both maps, more so "
          "where roads are less straight",
      .columns = {"epsilon_per_m", "q_loss_m", "ae_m", "pc"}};
  Steps steps(options.progress, "place-fig12", 2 * epsilons.size());
  std::vector<MapFindings> maps;
  for (const auto& [file, name, seed] : {std::tuple{"tokyo-shibuya-roads.osm.pbf", "Shibuya (Tokyo)", 1},
                                         {"monaco-2021.osm.pbf", "Monaco", 2}}) {
    const FigureMap map = figure_map(file, name, seed, options);
    maps.push_back({map.name, detour(map, options.threads)});
    figure.data += (figure.data.empty() ? "" : "; ") + in_words(map);
    figure.views.push_back({.title = map.name,
                            .part = map.name,
                            .x = {"ae_m", "AE by road [m]", false, true},
                            .y = {"q_loss_m", "Q_loss by road [m]", false, true}});
    for (const EpsilonPerMetre& epsilon : epsilons) {
      add_tradeoff_rows(figure, map, epsilon, options, steps.inner());
      steps.done();
    }
  }
  judge_tradeoff(figure, maps[0], maps[1]);
  return figure;
}

}  // namespace fogline::place
