// SPDX-License-Identifier: Apache-2.0
#include "place/tight.hpp"

#include <cmath>
#include <filesystem>
#include <numeric>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/testing.hpp"
#include "kernel/certificate.hpp"
#include "place/gem.hpp"
#include "random/chi_square.hpp"
#include "roads/generated.hpp"
#include "roads/read_network.hpp"

namespace fogline::place::tight_test {
namespace {

using graph::VertexId;
using privacy::EpsilonPerMetre;

const Tight::Options one_per_hundred_metres{.epsilon = EpsilonPerMetre{1, 100}};

kernel::Certificate certified(const graph::Graph& map, const Tight& tight) {
  return kernel::certify(kernel::Relation::metric(map), [&](VertexId v) { return tight.row(v); });
}

TEST(Tight, HalvesTheErrorOfGemOnThePapersLattice) {
  const auto map = roads::make_lattice({.rows = 20, .columns = 20, .side_m = 1500});
  const Tight tight(map.graph, one_per_hundred_metres);
  EXPECT_LE(tight.expected_error().q_loss_m, 165);
  EXPECT_TRUE(holds(certified(map.graph, tight), Rational(1, 100'000)));
  const RuleCertificate rule = tight.certify_rule({});
  EXPECT_TRUE(rule.available && rule.holds);
  EXPECT_LE(rule.loss_high_per_metre, 0.01);
  EXPECT_EQ(tight.parameters()["form"], "full");
  EXPECT_NE(tight.remarks().front().find("full exponent"), std::string::npos);
}

TEST(Tight, BeatsGemOnARealMap) {
  const std::string file = testing_support::real_data("maps/monaco-2021.osm.pbf");
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "skipped: no real data at " << file;
  const auto map = roads::read_network(file);
  const Tight tight(map.graph, one_per_hundred_metres);
  const double gem = Gem(map.graph, {.epsilon = EpsilonPerMetre{1, 100}}).expected_error().q_loss_m;
  EXPECT_NEAR(tight.calibrated().half_q_loss_m, gem, 1e-4);
  EXPECT_LT(tight.expected_error().q_loss_m, 0.52 * gem);
  EXPECT_TRUE(holds(certified(map.graph, tight), Rational(1, 100'000)));
}

TEST(Tight, ReleasesFollowItsWeights) {
  // 100,000 releases; 5 deviations are passed by chance once in three million.
  const auto map = roads::make_lattice({.rows = 5, .columns = 5, .side_m = 400});
  const Tight tight(map.graph, one_per_hundred_metres);
  std::vector<VertexId> truth(100'000, 7), released(truth.size());
  tight.release(truth, random::SeededKey(53), {}, released);
  std::vector<std::uint64_t> counts(25);
  for (const VertexId vertex : released) ++counts[vertex];
  std::vector<double> expected(25);
  tight.probabilities(7, expected);
  EXPECT_LT(random::chi_square(counts, expected, truth.size()).deviations, 5);
}

TEST(Tight, SaysWhenItIsNoBetterThanGem) {
  // One possible output: there is nothing to improve.
  const auto map = roads::make_lattice({.rows = 3, .columns = 3, .side_m = 200});
  const Tight tight(map.graph, {.epsilon = EpsilonPerMetre{1, 100}, .range = {4}});
  EXPECT_EQ(tight.parameters()["form"], "half");
  EXPECT_NE(tight.remarks().front().find("no better than gem"), std::string::npos);
  EXPECT_TRUE(tight.certify_rule({}).holds);
}

TEST(Tight, RefusesBadOptionsAndVerticesWithoutNamingThePrivateOne) {
  const auto map = roads::make_lattice({.rows = 3, .columns = 3, .side_m = 200});
  EXPECT_THROW(Tight(map.graph, {.epsilon = EpsilonPerMetre{1, 1'000'000}}), InvalidOption);
  EXPECT_THROW(Tight(map.graph, {.epsilon = EpsilonPerMetre{1, 100}, .range = {9}}), InvalidOption);
  const Tight tight(map.graph, one_per_hundred_metres);
  try {
    tight.row(777);
    FAIL() << "expected an error";
  } catch (const InvalidOption& error) {
    EXPECT_EQ(std::string(error.what()).find("777"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace fogline::place::tight_test
