// SPDX-License-Identifier: Apache-2.0
#include "place/figures_noise.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/parallel.hpp"
#include "kernel/best_guess.hpp"
#include "place/figure_parts.hpp"
#include "place/planar.hpp"
#include "place/tables.hpp"
#include "roads/generated.hpp"

namespace fogline::place {
namespace {

using graph::VertexId;
using kernel::Table;
using privacy::EpsilonPerMetre;

// Figure 2.

/// Everything about the square of places and its road that does not depend on epsilon.
struct RoadSquare {
  roads::RoadNetwork square = {}, road = {};
  std::vector<VertexId> every_place = {};
  std::vector<double> anywhere = {}, on_road = {};  // priors over the places
  Table metres = {};                                // straight
};

RoadSquare road_square(std::uint64_t side, const FigureOptions& options) {
  RoadSquare result{.square = roads::make_lattice({.rows = side, .columns = side, .side_m = 4000}),
                    .road = roads::make_line({.vertices = side, .length_m = 4000})};
  const std::size_t places = result.square.vertex_count();
  for (std::size_t place = 0; place < places; ++place) {
    result.every_place.push_back(static_cast<VertexId>(place));
    result.on_road.push_back(place / side == side / 2 ? 1.0 / static_cast<double>(side) : 0);
  }
  result.anywhere.assign(places, 1.0 / static_cast<double>(places));
  result.metres = straight_table_m(result.square, {.threads = options.threads});
  return result;
}

/// P(place nearest to the noise | truth) of PLM.
Table planar_table(const Plm& plm, std::size_t places, int threads, const Progress& progress) {
  std::vector<geometry::PointXY> at;
  for (std::size_t v = 0; v < places; ++v) at.push_back(plm.position(static_cast<VertexId>(v)));
  const geometry::VoronoiCells cells(at);
  const geometry::NearestIndex index(at);
  const auto size = static_cast<Eigen::Index>(places);
  Table table(size, size);
  ProgressMeter meter(progress, "planar noise", places);
  parallel_for(places, {.threads = threads, .grain = 4}, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      plm.cell_probabilities(static_cast<VertexId>(v), cells, index, {table.data() + v * places, places});
      meter.advance();
    }
  });
  return table;
}

/// AE of somebody whose guesses are best for another prior than the truth's.
double error_of_guesses(const std::vector<std::uint32_t>& guess, const std::vector<double>& truth,
                        const Table& likelihood, const Table& metres) {
  double error = 0;
  for (Eigen::Index v = 0; v < likelihood.rows(); ++v) {
    const double probability = truth[static_cast<std::size_t>(v)];
    if (probability == 0) continue;
    for (Eigen::Index o = 0; o < likelihood.cols(); ++o)
      error += probability * likelihood(v, o) * metres(guess[static_cast<std::size_t>(o)], v);
  }
  return error;
}

void add_road_rows(Figure& figure, const RoadSquare& on, const EpsilonPerMetre& epsilon,
                   const FigureOptions& options, const Progress& progress) {
  const double per_m = epsilon.value().to_double();
  const Plm plm(on.square, {.epsilon = epsilon});
  const Table likelihood = planar_table(plm, on.every_place.size(), options.threads, progress);
  const DistanceMeasures knows = measure(on.on_road, likelihood, on.metres, on.every_place);
  const auto guesses = kernel::best_guesses(on.anywhere, likelihood, on.metres).guess;
  figure.rows.push_back({.series = "PLM", .values = {per_m, knows.q_loss_m, knows.ae_m}});
  figure.rows.push_back(
      {.series = "PLM*",
       .values = {per_m, knows.q_loss_m, error_of_guesses(guesses, on.on_road, likelihood, on.metres)}});
  const DistanceMeasures mapped =
      measured(on.road,
               {.name = "plmg", .epsilon = epsilon, .threads = options.threads, .progress = progress})
          .euclidean;
  figure.rows.push_back({.series = "PLMG", .values = {per_m, mapped.q_loss_m, mapped.ae_m}});
}

void judge_road(Figure& figure) {
  const auto loss = figure.values("PLMG", "q_loss_m"), error = figure.values("PLMG", "ae_m");
  const auto others = figure.values("PLM", "q_loss_m"), knows = figure.values("PLM", "ae_m"),
             does_not = figure.values("PLM*", "ae_m");
  std::size_t compared = 0, above = 0;
  double from_star = 0, from_same_epsilon = 0;
  for (std::size_t i = 0; i < loss.size(); ++i) {
    from_same_epsilon = std::max(from_same_epsilon, std::abs(error[i] / knows[i] - 1));
    const auto plm = height_at(others, knows, loss[i]), star = height_at(others, does_not, loss[i]);
    if (!plm || !star) continue;
    ++compared;
    above += error[i] > *plm ? 1U : 0U;
    from_star = std::max(from_star, std::abs(error[i] / *star - 1));
  }
  figure.confirmed = compared > 0 && above == compared && from_star < 0.1;
  figure.numbers = {{"points_compared", static_cast<double>(compared)},
                    {"plmg_above_plm", static_cast<double>(above)},
                    {"plmg_from_plm_star_at_most", from_star},
                    {"plmg_from_plm_at_equal_epsilon_at_most", from_same_epsilon}};
  figure.result = fmt::format(
      "at equal Q_loss, AE of PLMG is above that of PLM in {} of {} points, and within {:.1f} % of that of "
      "PLM*. At equal "
      "epsilon the attacker who knows the road errs as much with PLM as with PLMG, within {:.1f} %: the "
      "mapping protects "
      "nobody, it takes away useless noise",
      above, compared, 100 * from_star, 100 * from_same_epsilon);
}

// Figure 4.

/// Two vertices 100 m apart on the plane, joined by a road of the length given.
roads::RoadNetwork detour(graph::LengthMm length_mm) {
  roads::RoadNetwork map = roads::make_line({.vertices = 2, .length_m = 100});
  map.roads[0].length_mm = length_mm;
  map.graph = graph::Graph::from_edges(2, std::vector<graph::Edge>{{0, 1, length_mm}});
  map.source = fmt::format("two vertices 100 m apart, {} m by road", length_mm / 1000);
  return map;
}

void judge_detour(Figure& figure) {
  const auto gem = figure.values("GEM", "tp"), plmg = figure.values("PLMG", "tp");
  const double drift = std::abs(plmg.back() - plmg.front());
  figure.confirmed = drift < 1e-9 && gem.back() > gem.front();
  figure.numbers = {{"gem_tp_first", gem.front()}, {"gem_tp_last", gem.back()}, {"plmg_tp", plmg.front()}};
  figure.result = fmt::format(
      "TP of PLMG stays at {:.3f}, TP of GEM rises from {:.3f} to {:.3f}; if PLMG's epsilon is counted by "
      "road too, as "
      "ours is, its TP rises to {:.3f}",
      plmg.front(), gem.front(), gem.back(), figure.values("PLMG, epsilon by road", "tp").back());
}

// Figure 6.

std::size_t rises(const std::vector<double>& values) {
  std::size_t count = 0;
  for (std::size_t i = 1; i < values.size(); ++i) count += values[i] > values[i - 1] ? 1U : 0U;
  return count;
}

void judge_line(Figure& figure) {
  const auto gem = figure.values("GEM", "q_loss_m"), plmg = figure.values("PLMG", "q_loss_m");
  const std::size_t steps = gem.size() - 1, gem_rises = rises(gem), plmg_falls = steps - rises(plmg);
  figure.confirmed = gem_rises == steps && plmg_falls == steps;
  figure.numbers = {{"steps", static_cast<double>(steps)},
                    {"gem_rises", static_cast<double>(gem_rises)},
                    {"plmg_falls", static_cast<double>(plmg_falls)}};
  for (const char* series : {"GEM", "PLMG", "tight", "optimal"})
    figure.numbers.emplace_back(fmt::format("{}_q_loss_m_last", series),
                                figure.values(series, "q_loss_m").back());
  figure.result = fmt::format(
      "from one number of nodes to the next, Q_loss of GEM rises in {} of {} steps ({:.1f} to {:.1f} m) and "
      "that of PLMG "
      "falls in {} ({:.1f} to {:.1f} m); GEM over PLMG goes from {:.2f} to {:.2f}. With the most nodes, "
      "tight has {:.1f} m "
      "and optimal {:.1f} m",
      gem_rises, steps, gem.front(), gem.back(), plmg_falls, plmg.front(), plmg.back(),
      gem.front() / plmg.front(), gem.back() / plmg.back(), figure.values("tight", "q_loss_m").back(),
      figure.values("optimal", "q_loss_m").back());
}

}  // namespace

Figure road_figure(const FigureOptions& options) {
  const std::uint64_t side = options.quick ? 11 : 41;
  const std::vector<EpsilonPerMetre> epsilons =
      options.quick ? std::vector<EpsilonPerMetre>{{2, 1000}, {4, 1000}, {8, 1000}}
                    : std::vector<EpsilonPerMetre>{{15, 10000}, {2, 1000}, {3, 1000},  {4, 1000}, {6, 1000},
                                                   {8, 1000},   {1, 100},  {15, 1000}, {2, 100}};
  Figure figure{
      .title = "What knowing the road tells an attacker",
      .data = fmt::format("{} x {} places on 4,000 m x 4,000 m; people on the middle line", side, side),
      .claim =
          "at equal Q_loss, AE of PLMG is higher than AE of PLM and almost identical to AE of PLM*, the "
          "attacker who does not know the road",
      .columns = {"epsilon_per_m", "q_loss_m", "ae_m"},
      .views = {{.x = {"q_loss_m", "Q_loss, straight [m]", false, true},
                 .y = {"ae_m", "AE, straight [m]", false, true}}}};
  const RoadSquare on = road_square(side, options);
  Steps steps(options.progress, "place-fig2", epsilons.size());
  for (const EpsilonPerMetre& epsilon : epsilons) {
    add_road_rows(figure, on, epsilon, options, steps.inner());
    steps.done();
  }
  judge_road(figure);
  return figure;
}

Figure detour_figure(const FigureOptions& options) {
  const EpsilonPerMetre epsilon{1, 100};
  Figure figure{
      .title = "Two places 100 m apart, told apart by an attacker",
      .data = "two vertices 100 m apart on the plane, equally likely; epsilon 0.01 per metre",
      .claim =
          "TP of PLMG does not change with the length of the road between two places, TP of GEM gets "
          "significantly worse (larger): GG-I promises nothing by straight distance",
      .columns = {"road_m", "tp"},
      .views = {{.x = {"road_m", "road between the two [m]"}, .y = {"tp", "TP: share of right guesses"}}}};
  const roads::RoadNetwork straight = detour(100'000);
  const double published = measured(straight, {.name = "plmg", .epsilon = epsilon}).road.tp;
  for (graph::LengthMm road_mm = 100'000; road_mm <= 1'000'000;
       road_mm += options.quick ? 300'000 : 100'000) {
    const roads::RoadNetwork map = detour(road_mm);
    const double road_m = road_mm / 1000.0;
    figure.rows.push_back({.series = "PLMG", .values = {road_m, published}});
    figure.rows.push_back(
        {.series = "GEM", .values = {road_m, measured(map, {.name = "gem", .epsilon = epsilon}).road.tp}});
    figure.rows.push_back({.series = "PLMG, epsilon by road",
                           .values = {road_m, measured(map, {.name = "plmg", .epsilon = epsilon}).road.tp}});
  }
  judge_detour(figure);
  return figure;
}

Figure line_figure(const FigureOptions& options) {
  const std::vector<std::uint64_t> nodes =
      options.quick ? std::vector<std::uint64_t>{2, 5, 11, 21}
                    : std::vector<std::uint64_t>{2, 3, 5, 6, 11, 21, 41, 61, 81, 101};
  Figure figure{.title = "Q_loss on a straight road of 1,000 m",
                .data = "a straight road of 1,000 m, vertices equally likely; epsilon 0.01 per metre",
                .claim = "Q_loss of GEM increases with the number of nodes, Q_loss of PLMG decreases",
                .columns = {"vertices", "q_loss_m"},
                .views = {{.x = {"vertices", "nodes on the line", true},
                           .y = {"q_loss_m", "Q_loss [m]", false, true}}}};
  Steps steps(options.progress, "place-fig6", 4 * nodes.size());
  for (const auto& [series, mechanism] :
       {std::pair{"PLMG", "plmg"}, {"GEM", "gem"}, {"tight", "tight"}, {"optimal", "optimal"}}) {
    for (const std::uint64_t count : nodes) {
      const roads::RoadNetwork line = roads::make_line({.vertices = count, .length_m = 1000});
      const MechanismChoice choice{.name = mechanism,
                                   .epsilon = EpsilonPerMetre{1, 100},
                                   .threads = options.threads,
                                   .progress = steps.inner()};
      figure.rows.push_back(
          {.series = series, .values = {static_cast<double>(count), measured(line, choice).road.q_loss_m}});
      steps.done();
    }
  }
  judge_line(figure);
  return figure;
}

}  // namespace fogline::place
