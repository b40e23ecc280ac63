// SPDX-License-Identifier: Apache-2.0
#include "mobility/learn.hpp"

#include <cmath>
#include <numeric>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "io/test_text.hpp"
#include "mobility/learn_em.hpp"
#include "mobility/trip_cuts.hpp"
#include "roads/read_network.hpp"

namespace fogline::mobility::learn_test {
namespace {

using io::testing_text::message_of;
using io::testing_text::real_data;
using testing::DoubleEq;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

StateSequences sequences_of(const std::vector<std::vector<StateId>>& all) {
  StateSequences sequences;
  for (const auto& one : all) {
    sequences.state.insert(sequences.state.end(), one.begin(), one.end());
    sequences.offset.push_back(sequences.state.size());
  }
  return sequences;
}

Trips plane_trips(const std::vector<std::vector<geometry::PointXY>>& all) {
  Trips trips;
  trips.plane = true;
  trips.offset = {0};
  for (const auto& one : all) {
    for (const auto& point : one) {
      trips.lon.push_back(point.x_m);
      trips.lat.push_back(point.y_m);
    }
    trips.offset.push_back(trips.lon.size());
    trips.name.emplace_back("trip");
  }
  return trips;
}

const CellGrid three_by_three = {.cell_m = 100, .columns = 3, .rows = 3};

TEST(Neighbourhood, OfCellsVerticesAndNames) {
  const Neighbourhood grid = grid_neighbourhood(three_by_three);
  EXPECT_THAT(grid.of(0), ElementsAre(0, 1, 3, 4));
  EXPECT_THAT(grid.of(4), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8));
  EXPECT_THAT(grid.of(5), ElementsAre(1, 2, 4, 5, 7, 8));
  const Neighbourhood line = graph_neighbourhood(roads::read_network("line:3:100").graph);
  EXPECT_THAT(line.of(0), ElementsAre(0, 1));
  EXPECT_THAT(line.of(1), ElementsAre(0, 1, 2));
  const Neighbourhood seen = seen_neighbourhood(sequences_of({{0, 2, 2}, {1, 0}}), 3);
  EXPECT_THAT(seen.of(0), ElementsAre(0, 2));
  EXPECT_THAT(seen.of(1), ElementsAre(0, 1));
  EXPECT_THAT(seen.of(2), ElementsAre(2));
}

TEST(LearnCounts, AddsSmoothingToWhatWasCounted) {
  // On a line 0 - 1 - 2: from 0 once to itself and twice to 1, from 1 once to 0, from 2 never.
  const Neighbourhood line = graph_neighbourhood(roads::read_network("line:3:100").graph);
  const auto sequences = sequences_of({{0, 0, 1}, {0, 1, 0}});
  const MarkovModel chain = learn_counts(sequences, line, {.smoothing = 0.5});
  EXPECT_DOUBLE_EQ(chain.probability(0, 0), 1.5 / 4);
  EXPECT_DOUBLE_EQ(chain.probability(0, 1), 2.5 / 4);
  EXPECT_DOUBLE_EQ(chain.probability(0, 2), 0);
  EXPECT_DOUBLE_EQ(chain.probability(1, 0), 1.5 / 2.5);
  EXPECT_DOUBLE_EQ(chain.probability(1, 2), 0.5 / 2.5);
  EXPECT_DOUBLE_EQ(chain.probability(2, 1), 0.5);
  EXPECT_DOUBLE_EQ(chain.initial()[0], 2.5 / 3.5);
  EXPECT_DOUBLE_EQ(chain.initial()[2], 0.5 / 3.5);
  EXPECT_NEAR(log_likelihood_of_steps(chain, sequences),
              std::log(1.5 / 4) + 2 * std::log(2.5 / 4) + std::log(1.5 / 2.5), 1e-12);
}

TEST(LearnCounts, KeepsStepsOutsideTheNeighbourhood) {
  const Neighbourhood line = graph_neighbourhood(roads::read_network("line:3:100").graph);
  const MarkovModel chain = learn_counts(sequences_of({{0, 2, 0}}), line, {.smoothing = 1});
  EXPECT_DOUBLE_EQ(chain.probability(0, 2), 1.0 / 3);
  EXPECT_DOUBLE_EQ(chain.probability(2, 0), 1.0 / 3);
}

TEST(LearnCounts, WithoutSmoothingOnlyWhatWasSeen) {
  const Neighbourhood line = graph_neighbourhood(roads::read_network("line:3:100").graph);
  const MarkovModel chain = learn_counts(sequences_of({{0, 1, 0}}), line, {.smoothing = 0});
  EXPECT_EQ(chain.row(0).size(), 1U);
  EXPECT_EQ(chain.probability(1, 0), 1.0);
  EXPECT_EQ(chain.row(2).size(), 2U) << "never left: the neighbourhood alone";
  EXPECT_EQ(chain.initial()[2], 0.0);
}

TEST(LearnCounts, StartsAsAsked) {
  const auto seen = sequences_of({{0, 1, 1}});
  const Neighbourhood around = seen_neighbourhood(seen, 2);
  EXPECT_THAT(learn_counts(seen, around, {.first = FirstState::uniform}).initial(), Each(0.5));
  // From 0: 1.1 to 1 and 0.1 to itself; from 1 never elsewhere.
  EXPECT_NEAR(learn_counts(seen, around, {.first = FirstState::stationary}).initial()[1], 1, 1e-6);
}

TEST(LearnCounts, RefusesWhatDoesNotFit) {
  const auto seen = sequences_of({{0, 1}});
  const Neighbourhood around = seen_neighbourhood(seen, 2);
  EXPECT_THAT(message_of<InvalidOption>([&] { learn_counts(seen, around, {.smoothing = -1}); }),
              HasSubstr("smoothing"));
  EXPECT_THAT(message_of<InvalidOption>([&] {
                learn_counts(sequences_of({{0, 2}}), around, {});
              }),
              HasSubstr("does not have"));
  EXPECT_THAT(message_of<InvalidOption>([&] {
                grid_over(plane_trips({{{0, 0}}}), 0);
              }),
              HasSubstr("above 0"));
  EXPECT_THAT(message_of<InvalidOption>([&] {
                grid_over(plane_trips({{{0, 0}, {1e6, 1e6}}}), 10);
              }),
              HasSubstr("more than 250000"));
}

TEST(GridOver, CoversEveryPoint) {
  const StateSpace space = grid_over(plane_trips({{{10, 20}, {250, 95}}}), 100);
  EXPECT_EQ(space.grid->columns, 3U);
  EXPECT_EQ(space.grid->rows, 1U);
  EXPECT_DOUBLE_EQ(space.grid->west_m, 130 - 150);
  EXPECT_FALSE(space.centre);
  Trips degrees = plane_trips({{{13.3, 52.4}, {13.5, 52.6}}});
  degrees.plane = false;
  const StateSpace city = grid_over(degrees, 1000);
  EXPECT_NEAR(city.centre->lon, 13.4, 1e-9);
  EXPECT_EQ(city.grid->columns, 14U);
  EXPECT_EQ(city.grid->rows, 23U);
  EXPECT_THAT(locate(degrees, city).state, ElementsAre(0, 14 * 23 - 1));
}

TEST(NetworkSpace, MeasuresVerticesInMetres) {
  const StateSpace space = network_space(roads::read_network("line:3:200"));
  EXPECT_EQ(space.states(), 3U);
  EXPECT_NEAR(space.value(2)[0] - space.value(0)[0], 200, 0.1);
}

TEST(TripCuts, TakesTheLastPositionAtEachStep) {
  Trips trips = plane_trips({{{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}}});
  trips.has_time = true;
  trips.t = {0, 50, 70, 1000, 1060};
  const Trips minutes = at_regular_steps(trips, {.step_s = 60, .gap_s = 600});
  EXPECT_THAT(minutes.offset, ElementsAre(0, 2, 4));
  EXPECT_THAT(minutes.t, ElementsAre(0, 60, 1000, 1060));
  EXPECT_THAT(minutes.lon, ElementsAre(0, 1, 3, 4));
  const Trips halves = at_regular_steps(trips, {.gap_s = 100});
  EXPECT_THAT(halves.offset, ElementsAre(0, 3, 5));
  EXPECT_THAT(message_of<InvalidOption>([&] { at_regular_steps(trips, {.step_s = 60}); }), HasSubstr("gap"));
  trips.has_time = false;
  EXPECT_THAT(message_of<InvalidOption>([&] { at_regular_steps(trips, {.step_s = 60, .gap_s = 60}); }),
              HasSubstr("times"));
}

TEST(TripCuts, KeepsWhatLiesInTheBox) {
  Trips trips = plane_trips({{{1, 1}, {5, 1}, {2, 1}, {2, 2}}, {{9, 9}}});
  trips.plane = false;
  const Trips cut = inside(trips, {{0, 0}, {3, 3}});
  EXPECT_THAT(cut.offset, ElementsAre(0, 1, 3));
  EXPECT_THAT(cut.lon, ElementsAre(1, 2, 2));
  EXPECT_THAT(message_of<InvalidOption>([&] { inside(trips, {{20, 20}, {21, 21}}); }), HasSubstr("no point"));
}

/// A walk over five cells in a row that mostly goes on east, and noisy positions of it.
struct NoisyWalks {
  std::vector<std::vector<StateId>> states = {};
  std::vector<std::vector<geometry::PointXY>> points = {};
};

NoisyWalks noisy_walks(std::size_t count, double noise_m) {
  std::uint64_t seed = 42;
  const auto uniform = [&] {  // Knuth's constants; any even spread will do
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (static_cast<double>(seed >> 11) + 0.5) / 9007199254740992.0;
  };
  const auto normal = [&] { return std::sqrt(-2 * std::log(uniform())) * std::cos(6.283185307 * uniform()); };
  NoisyWalks walks;
  for (std::size_t i = 0; i < count; ++i) {
    StateId cell = 0;
    walks.states.emplace_back();
    walks.points.emplace_back();
    for (int t = 0; t < 12; ++t) {
      walks.states.back().push_back(cell);
      walks.points.back().push_back({(cell + uniform()) * 100 + noise_m * normal(), 50 + noise_m * normal()});
      if (uniform() < 0.7) cell = (cell + 1) % 5;
    }
  }
  return walks;
}

StateSpace five_cells() {
  return grid_space({.cell_m = 100, .columns = 5, .rows = 1}, std::nullopt);
}

TEST(LearnEm, SeesThroughTheNoise) {
  const NoisyWalks walks = noisy_walks(300, 80);
  const StateSpace space = five_cells();
  const Trips trips = plane_trips(walks.points);
  // A ring: every step is possible, so nothing tells the answer beforehand.
  Neighbourhood all;
  for (StateId s = 0; s < 5; ++s) {
    for (StateId to = 0; to < 5; ++to) all.state.push_back(to);
    all.offset.push_back(all.state.size());
  }
  const MarkovModel counted = learn_counts(locate(trips, space), all, {});
  const EmResult learned = learn_em(trips, space, counted, all, {.noise_m = 80, .tolerance = 1e-5});
  const auto truth = sequences_of(walks.states);
  EXPECT_GT(log_likelihood_of_steps(learned.chain, truth), log_likelihood_of_steps(counted, truth) + 500);
  EXPECT_NEAR(learned.chain.probability(1, 2), 0.7, 0.1) << "counted: " << counted.probability(1, 2);
  EXPECT_EQ(learned.breaks, 0U);
  EXPECT_GT(learned.objective.size(), 3U);
  EXPECT_LT(learned.objective.size(), 50U) << "stops by its tolerance";
}

TEST(LearnEm, NeverLosesFromOneRoundToTheNext) {
  EXPECT_TRUE(rc::check("the objective does not fall", [] {
    const double noise_m = *rc::gen::inRange(5, 300);
    const double smoothing = *rc::gen::element(0.0, 0.1, 2.0);
    const NoisyWalks walks = noisy_walks(static_cast<std::size_t>(*rc::gen::inRange(1, 8)), noise_m);
    const Trips trips = plane_trips(walks.points);
    const StateSpace space = five_cells();
    const Neighbourhood around = grid_neighbourhood(*space.grid);
    const MarkovModel start = learn_counts(locate(trips, space), around, {.smoothing = smoothing});
    const EmResult learned =
        learn_em(trips, space, start, around,
                 {.noise_m = noise_m, .rounds = 15, .tolerance = 0, .smoothing = smoothing});
    for (std::size_t i = 1; i < learned.objective.size(); ++i)
      RC_ASSERT(learned.objective[i] >= learned.objective[i - 1] - 1e-7);
  }));
}

TEST(LearnEm, IsCountingWhereThereIsNoDoubt) {
  // Positions in the middle of cells and a tiny error: every position has one cell only.
  const Trips trips = plane_trips({{{50, 50}, {150, 50}, {150, 50}, {50, 50}}});
  const StateSpace space = five_cells();
  const Neighbourhood around = grid_neighbourhood(*space.grid);
  const MarkovModel counted = learn_counts(locate(trips, space), around, {});
  const EmResult learned = learn_em(trips, space, counted, around, {.noise_m = 1});
  for (StateId s = 0; s < 5; ++s)
    for (const auto& move : counted.row(s))
      EXPECT_THAT(learned.chain.probability(s, move.to), DoubleEq(move.probability));
}

TEST(LearnEm, CutsWhereNoStepLeads) {
  const Trips trips = plane_trips({{{50, 50}, {450, 50}, {450, 50}}});
  const StateSpace space = five_cells();
  const Neighbourhood around = grid_neighbourhood(*space.grid);
  const MarkovModel start = learn_counts(sequences_of({{0, 1}}), around, {});
  EXPECT_EQ(learn_em(trips, space, start, around, {.noise_m = 10}).breaks, 1U);
}

TEST(LearnEm, RefusesWhatDoesNotFit) {
  const Trips trips = plane_trips({{{50, 50}}});
  const StateSpace space = five_cells();
  const Neighbourhood around = grid_neighbourhood(*space.grid);
  const MarkovModel start = learn_counts(sequences_of({{0, 1}}), around, {});
  const auto refusal = [&](const EmOptions& options) {
    return message_of<InvalidOption>([&] { learn_em(trips, space, start, around, options); });
  };
  EXPECT_THAT(refusal({}), HasSubstr("noise"));
  EXPECT_THAT(refusal({.noise_m = 1001}), HasSubstr("10 cells"));
  EXPECT_THAT(refusal({.noise_m = 10, .rounds = 0}), HasSubstr("rounds"));
  EXPECT_THAT(refusal({.noise_m = 10, .tolerance = NAN}), HasSubstr("tolerance"));
  EXPECT_THAT(refusal({.noise_m = 10, .smoothing = -1}), HasSubstr("smoothing"));
}

/// The pages of a path as they were looked at: "<" goes back to the page before.
std::vector<std::string> pages_of(const std::string& path) {
  std::vector<std::string> pages, trail;
  std::istringstream words(path);
  for (std::string word; std::getline(words, word, ';');) {
    if (word == "<") {
      if (trail.size() > 1) trail.pop_back();
    } else {
      trail.push_back(word);
    }
    if (!trail.empty()) pages.push_back(trail.back());
  }
  return pages;
}

TEST(LearnRealData, WikispeediaPathsFollowTheLinksPeopleTake) {
  const std::string file = real_data("streams/wikispeedia/paths_unfinished.tsv.gz");
  FOGLINE_NEEDS_REAL_DATA(file);
  EXPECT_THAT(pages_of("Potato;Europe;North_America;<;<"),
              ElementsAre("Potato", "Europe", "North_America", "Europe", "Potato"));
  auto source = io::TextSource::from_file(file);
  io::CsvReader csv(source, {.delimiter = '\t', .header = "who,t,seconds,path,target,end"});
  io::NameTable names;
  std::vector<std::vector<StateId>> learned_from, kept_back;
  for (std::size_t i = 0; csv.next(); ++i) {
    std::vector<StateId> path;
    for (const std::string& page : pages_of(std::string(csv.field(3)))) path.push_back(names.intern(page));
    (i % 10 == 0 ? kept_back : learned_from).push_back(std::move(path));
  }
  EXPECT_EQ(learned_from.size() + kept_back.size(), 24'875U);
  const auto seen = sequences_of(learned_from);
  const MarkovModel chain = learn_counts(seen, seen_neighbourhood(seen, names.size()), {});
  EXPECT_LT(names.size(), 4'604U);
  // Of clicks never shown to the model most are among the links it knows.
  std::size_t known = 0, steps = 0;
  for (const auto& path : kept_back)
    for (std::size_t t = 1; t < path.size(); ++t, ++steps)
      known += chain.probability(path[t - 1], path[t]) > 0 ? 1U : 0U;
  EXPECT_GT(static_cast<double>(known), 0.7 * static_cast<double>(steps));
  EXPECT_GT(log_likelihood_of_steps(chain, seen) / static_cast<double>(seen.steps()), -3.0);
}

TEST(LearnRealData, GowallaCheckInsComeNewestFirst) {
  const std::string file = real_data("streams/gowalla_nyc_checkins.tsv.gz");
  FOGLINE_NEEDS_REAL_DATA(file);
  const auto points =
      io::read_points(file, {.format = io::PointFormat::csv, .csv_header = "user_id,t,lat,lon,venue"});
  EXPECT_EQ(points.size(), 138'957U);
  const Trips trips = make_trips(points, {.backwards = TimeBackwards::sort});
  EXPECT_EQ(trips.size(), 7'115U);
  for (std::size_t p = trips.offset[0] + 1; p < trips.offset[1]; ++p) EXPECT_LE(trips.t[p - 1], trips.t[p]);
  const StateSpace space = grid_over(trips, 890);
  const MarkovModel chain = learn_counts(locate(trips, space), grid_neighbourhood(*space.grid), {});
  EXPECT_EQ(chain.states(), space.states());
  EXPECT_NEAR(std::accumulate(chain.initial().begin(), chain.initial().end(), 0.0), 1, 1e-9);
}

}  // namespace
}  // namespace fogline::mobility::learn_test
