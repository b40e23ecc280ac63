// SPDX-License-Identifier: Apache-2.0
#include "place/figures.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/test_figures.hpp"
#include "base/testing.hpp"
#include "place/figure_parts.hpp"
#include "place/figures_range.hpp"
#include "roads/generated.hpp"

namespace fogline::place::figures_test {
namespace {

const FigureOptions quick{.quick = true};

TEST(Figures, AllComputeAndFitTheirViews) {
  EXPECT_EQ(testing_support::expect_figures_fit(figure_kinds(), quick), figure_kinds().size());
  EXPECT_THROW(compute_figure("place-fig99", quick), InvalidOption);
}

TEST(Figures, CanBeCancelled) {
  FigureOptions options = quick;
  options.progress = [](const ProgressUpdate&) { return false; };
  EXPECT_THROW(compute_figure("place-fig6", options), Cancelled);
}

TEST(FigureFour, GemIsItsClosedFormAndPublishedPlmgStays) {
  const Figure figure = compute_figure("place-fig4", quick);
  const auto road = figure.values("GEM", "road_m"), gem = figure.values("GEM", "tp"),
             plmg = figure.values("PLMG", "tp");
  ASSERT_EQ(road, (std::vector<double>{100, 400, 700, 1000}));
  for (std::size_t i = 0; i < road.size(); ++i) {
    EXPECT_NEAR(gem[i], 1 / (1 + std::exp(-0.005 * road[i])), 1e-9);
    EXPECT_EQ(plmg[i], plmg[0]);
    // Geo-indistinguishability allows no more than this between places 100 m apart.
    EXPECT_LT(plmg[i], 1 / (1 + std::exp(-0.01 * 100)));
  }
  EXPECT_NEAR(figure.values("PLMG, epsilon by road", "tp")[0], plmg[0], 1e-9);
  EXPECT_TRUE(figure.confirmed);
}

TEST(FigureSix, OrdersTheMechanisms) {
  const Figure figure = compute_figure("place-fig6", quick);
  const auto gem = figure.values("GEM", "q_loss_m"), tight = figure.values("tight", "q_loss_m"),
             optimal = figure.values("optimal", "q_loss_m");
  // Two vertices 1,000 m apart: GEM moves with probability 1 / (1 + e^5), the best kernel with 1 / (1 + e^10).
  EXPECT_NEAR(gem[0], 1000 / (1 + std::exp(5)), 1e-3);
  EXPECT_NEAR(optimal[0], 1000 / (1 + std::exp(10)), 1e-4);
  for (std::size_t i = 0; i < gem.size(); ++i) {
    EXPECT_LE(tight[i], gem[i]);
    EXPECT_LE(optimal[i], tight[i] * 1.001);
  }
}

TEST(FigureTwo, KnowingTheRoadHelpsTheAttackerAndPlmgUndoesIt) {
  const Figure figure = compute_figure("place-fig2", quick);
  const auto knows = figure.values("PLM", "ae_m"), does_not = figure.values("PLM*", "ae_m");
  for (std::size_t i = 0; i < knows.size(); ++i) EXPECT_LT(knows[i], does_not[i]);
  EXPECT_TRUE(figure.confirmed) << figure.result;
}

TEST(FigureTen, KeepsOutputsAtTheLikelyPlaces) {
  const auto lattice = roads::make_lattice({.rows = 20, .columns = 20, .side_m = 1500});
  const std::vector<double> prior = four_places_prior(lattice);
  EXPECT_NEAR(std::accumulate(prior.begin(), prior.end(), 0.0), 1, 1e-12);
  const double most = *std::max_element(prior.begin(), prior.end());
  for (const std::size_t place : {105U, 114U, 285U, 294U}) EXPECT_NEAR(prior[place], most, 1e-12);
  const Figure figure = compute_figure("place-fig10", {});
  EXPECT_TRUE(figure.confirmed) << figure.result;
  const auto kept = figure.values("kept as output", "vertex");
  for (const double place : {105.0, 114.0, 285.0, 294.0}) {
    EXPECT_NE(std::find(kept.begin(), kept.end(), place), kept.end());
  }
  EXPECT_EQ(kept.size() + figure.values("left out", "vertex").size(), 400u);
}

TEST(FigureSixteen, StopsStandApartAndTheFirstIsInTheMiddle) {
  const auto line = roads::make_line({.vertices = 11, .length_m = 1000});
  const BusStops stops = bus_stops_prior(line);
  EXPECT_EQ(stops.stop, (std::vector<graph::VertexId>{5, 2, 8}));
  EXPECT_EQ(std::max_element(stops.prior.begin(), stops.prior.end()) - stops.prior.begin(), 5);
  EXPECT_NEAR(std::accumulate(stops.prior.begin(), stops.prior.end(), 0.0), 1, 1e-12);
}

TEST(FigureMaps, AreCutFromRealMapsWhereThereAreSome) {
  const std::string monaco = testing_support::real_data("maps/monaco-2021.osm.pbf");
  if (!std::filesystem::exists(monaco)) GTEST_SKIP() << "skipped: no real data at " << monaco;
  FigureOptions options = quick;
  options.data = std::filesystem::path(monaco).parent_path().parent_path().string();
  const FigureMap map = figure_map("monaco-2021.osm.pbf", "Monaco", 1, options);
  EXPECT_EQ(map.name, "Monaco");
  EXPECT_GT(map.network.vertex_count(), 10u);
  EXPECT_LT(map.network.vertex_count(), 200u);
  options.data = "nowhere";
  EXPECT_THROW(figure_map("monaco-2021.osm.pbf", "Monaco", 1, options), FileError);
}

}  // namespace
}  // namespace fogline::place::figures_test
