// SPDX-License-Identifier: Apache-2.0
#include "place/remapped.hpp"

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "kernel/certificate.hpp"
#include "place/catalogue.hpp"
#include "place/gem.hpp"
#include "roads/read_network.hpp"

namespace fogline::place::remapped_test {
namespace {

using graph::VertexId;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

const privacy::EpsilonPerMetre one_per_hundred_metres{1, 100};

std::unique_ptr<Gem> gem_on(const graph::Graph& graph, std::vector<VertexId> range = {}) {
  return std::make_unique<Gem>(graph,
                               Gem::Options{.epsilon = one_per_hundred_metres, .range = std::move(range)});
}

TEST(Remapped, EverythingGoesToTheOnlyPlaceThereIs) {
  const roads::RoadNetwork line = roads::make_network("line:5:400");
  const Remapped mechanism(gem_on(line.graph), {.prior = {0, 0, 0, 1, 0}});
  EXPECT_THAT(mechanism.range(), ElementsAre(3));
  EXPECT_EQ(mechanism.expected_error({.prior = {0, 0, 0, 1, 0}}).q_loss_m, 0);
  EXPECT_EQ(mechanism.moved(0), 3U);
}

TEST(Remapped, PullsTheEndsOfALineInwards) {
  // Seen from an end, everything lies to one side. 0 - 1 - 2 - 3 - 4, 100 m each.
  const roads::RoadNetwork line = roads::make_network("line:5:400");
  const Remapped mechanism(gem_on(line.graph), {});
  std::vector<VertexId> to;
  for (VertexId v = 0; v < 5; ++v) to.push_back(mechanism.moved(v));
  EXPECT_THAT(to, ElementsAre(1, 1, 2, 3, 3));
  EXPECT_THAT(mechanism.range(), ElementsAre(1, 2, 3));
  EXPECT_LT(mechanism.expected_error().q_loss_m, gem_on(line.graph)->expected_error().q_loss_m);
}

TEST(Remapped, SumsTheIntegersItMoves) {
  const roads::RoadNetwork line = roads::make_network("line:5:400");
  const Remapped mechanism(gem_on(line.graph), {});
  for (VertexId v = 0; v < 5; ++v) {
    const kernel::WeightRow before = gem_on(line.graph)->row(v), after = mechanism.row(v);
    EXPECT_EQ(after.weights[0], before.weights[0] + before.weights[1]);
    EXPECT_EQ(after.weights[1], before.weights[2]);
    EXPECT_EQ(after.weights[2], before.weights[3] + before.weights[4]);
    EXPECT_EQ(after.total, before.total);
    std::vector<double> p(3);
    mechanism.probabilities(v, p);
    EXPECT_NEAR(p[0], static_cast<double>(after.weights[0]) / static_cast<double>(after.total), 1e-15);
    EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-12);
  }
}

TEST(Remapped, DrawsWhatTheOtherDrawsAndMovesIt) {
  const roads::RoadNetwork map = roads::make_network("lattice:5x5:400");
  const auto gem = gem_on(map.graph);
  const Remapped mechanism(gem_on(map.graph), {});
  const random::SeededKey key(3);
  const std::vector<VertexId> truth(200, 7);
  std::vector<VertexId> plain(200), moved(200);
  gem->release(truth, key, {}, plain);
  mechanism.release(truth, key, {}, moved);
  for (std::size_t i = 0; i < truth.size(); ++i) EXPECT_EQ(moved[i], mechanism.moved(plain[i]));
}

TEST(Remapped, KeepsTheGuaranteeAndNeverLosesUtility) {
  EXPECT_TRUE(rc::check([] {
    const roads::RoadNetwork map = roads::make_network("lattice:4x5:350");
    std::vector<double> prior(20);
    for (double& p : prior) p = *rc::gen::inRange(0, 10);
    prior[*rc::gen::inRange<std::size_t>(0, 20)] += 1;
    const double sum = std::accumulate(prior.begin(), prior.end(), 0.0);
    for (double& p : prior) p /= sum;
    std::vector<VertexId> range{1, 3, 8, 17};
    if (*rc::gen::arbitrary<bool>()) range.clear();
    const auto gem = gem_on(map.graph, range);
    const Remapped mechanism(gem_on(map.graph, range), {.prior = prior});
    RC_ASSERT(mechanism.expected_error({.prior = prior}).q_loss_m <=
              gem->expected_error({.prior = prior}).q_loss_m + 1e-9);
    for (const VertexId output : mechanism.range())
      RC_ASSERT(std::ranges::find(gem->range(), output) != gem->range().end());
    const auto certificate =
        kernel::certify(kernel::Relation::metric(map.graph), [&](VertexId v) { return mechanism.row(v); });
    RC_ASSERT(kernel::holds(certificate, Rational(1, 100'000)));
  }));
}

TEST(Remapped, TheTableIsTheSameForEveryNumberOfThreads) {
  const roads::RoadNetwork map = roads::make_network("lattice:9x9:800");
  const Remapped one(gem_on(map.graph), {.threads = 1}), two(gem_on(map.graph), {.threads = 2});
  for (VertexId v = 0; v < 81; ++v) EXPECT_EQ(one.moved(v), two.moved(v));
}

TEST(Remapped, IsAnOptionOfEveryMechanismThatReleasesVertices) {
  const roads::RoadNetwork map = roads::make_network("lattice:4x4:300");
  for (const MechanismKind& kind : mechanism_kinds()) {
    if (kind.releases_points() || kind.from_file) continue;
    MechanismChoice choice{.name = std::string(kind.name), .epsilon = one_per_hundred_metres};
    const double before = make_mechanism(map, choice)->expected_error().q_loss_m;
    choice.remap = true;
    const auto mechanism = make_mechanism(map, choice);
    EXPECT_EQ(mechanism->name(), kind.name);
    EXPECT_LE(mechanism->expected_error().q_loss_m, before + 1e-9) << kind.name;
  }
}

TEST(Remapped, SaysWhatItCannotDo) {
  const graph::Graph pieces =
      graph::Graph::from_edges(4, std::vector<graph::Edge>{{0, 1, 50'000}, {2, 3, 50'000}});
  EXPECT_THAT([&] { Remapped(gem_on(pieces), {}); },
              ThrowsMessage<InvalidOption>(HasSubstr("needs a network in one piece, and this one is in 2")));
  const roads::RoadNetwork large = roads::make_network("line:6001:60000");
  EXPECT_THAT([&] { Remapped(gem_on(large.graph), {}); },
              ThrowsMessage<InvalidOption>(HasSubstr("at most 6000 are supported")));
  const roads::RoadNetwork line = roads::make_network("line:5:400");
  EXPECT_THROW(Remapped(gem_on(line.graph), {.prior = {1}}), InvalidOption);
  EXPECT_THROW(Remapped(gem_on(line.graph), {.progress = [](const ProgressUpdate&) { return false; }}),
               Cancelled);
}

}  // namespace
}  // namespace fogline::place::remapped_test
