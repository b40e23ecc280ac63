// SPDX-License-Identifier: Apache-2.0
#include "place/gem.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "kernel/certificate.hpp"
#include "random/chi_square.hpp"
#include "roads/read_network.hpp"

namespace fogline::place::gem_test {
namespace {

using graph::Edge;
using graph::Graph;
using graph::VertexId;
using privacy::EpsilonPerMetre;

// A square lattice, vertices numbered row by row.
Graph lattice(VertexId side, graph::LengthMm spacing_mm) {
  std::vector<Edge> edges;
  for (VertexId v = 0; v < side * side; ++v) {
    if (v % side + 1 < side) edges.push_back({v, v + 1, spacing_mm});
    if (v + side < side * side) edges.push_back({v, v + side, spacing_mm});
  }
  return Graph::from_edges(side * side, edges);
}

kernel::Certificate certified(const Graph& map, const Gem& gem) {
  return kernel::certify(kernel::Relation::metric(map), [&](VertexId v) { return gem.row(v); });
}

const Gem::Options one_per_hundred_metres{.epsilon = EpsilonPerMetre{1, 100}};

TEST(Gem, HasThePapersErrorOnItsLattice) {
  // The paper gives 328 m for 20 x 20 vertices on 1,500 m at 0.01 per metre; our own exact figure is 328.8 m.
  const Graph map = lattice(20, 78'947);
  const auto error = Gem(map, one_per_hundred_metres).expected_error({});
  EXPECT_NEAR(error.q_loss_m, 328.8, 0.05);
  EXPECT_EQ(error.standard_error_m, 0);
  EXPECT_EQ(error.vertices_used, 400U);
}

TEST(Gem, TheSampledErrorAgreesWithTheCompleteOne) {
  const Graph map = lattice(40, 78'947);
  const Gem gem(map, one_per_hundred_metres);
  const auto complete = gem.expected_error({});
  const auto sampled = gem.expected_error({.work = 1000});
  EXPECT_EQ(sampled.vertices_used, 12U);
  EXPECT_GT(sampled.standard_error_m, 0);
  EXPECT_NEAR(sampled.q_loss_m, complete.q_loss_m, 5 * sampled.standard_error_m);
}

TEST(Gem, IsCertifiedAtItsEpsilonOnALattice) {
  const Graph map = lattice(12, 78'947);
  for (const auto& epsilon : {EpsilonPerMetre{1, 1000}, EpsilonPerMetre{1, 100}, EpsilonPerMetre{1, 10}}) {
    const Gem gem(map, {.epsilon = epsilon});
    const auto certificate = certified(map, gem);
    EXPECT_TRUE(holds(certificate, epsilon.value() / 1000));
    EXPECT_GT(certificate.loss.low, 0.5 * epsilon.value().to_double() / 1000);
  }
}

TEST(Gem, IsCertifiedOnAnIrregularMapWithTinyAndHugeEdges) {
  //  0 -1mm- 1 -7m- 2 -80m- 3          4 hangs on 6 km of road, 5 is its twin 1 mm on
  //  |______________________|
  //          300 m
  const Graph map = Graph::from_edges(
      6, std::vector<Edge>{
             {0, 1, 1}, {1, 2, 7'000}, {2, 3, 80'000}, {0, 3, 300'000}, {3, 4, 6'000'000}, {4, 5, 1}});
  const Gem gem(map, one_per_hundred_metres);
  const auto certificate = certified(map, gem);
  EXPECT_TRUE(holds(certificate, Rational(1, 100'000)));
}

TEST(Gem, TheCertificateWouldCatchTheFullExponent) {
  // Twice the rate (the exponent epsilon instead of epsilon/2) is not epsilon-indistinguishable here.
  const Graph map = lattice(6, 78'947);
  const Gem wrong(map, {.epsilon = EpsilonPerMetre{2, 100}});
  const auto certificate = certified(map, wrong);
  EXPECT_GT(certificate.loss.low, 1e-5);
}

TEST(Gem, ReleasesFollowItsWeights) {
  // 100,000 releases; 5 deviations are passed by chance once in three million.
  const Graph map = lattice(5, 100'000);
  const Gem gem(map, one_per_hundred_metres);
  std::vector<VertexId> truth(100'000, 7), released(truth.size());
  gem.release(truth, random::SeededKey(50), {}, released);
  std::vector<std::uint64_t> counts(25);
  for (const VertexId vertex : released) ++counts[vertex];
  std::vector<double> expected;
  for (VertexId o = 0; o < 25; ++o) expected.push_back(std::exp(gem.log_weight(o, 7)));
  EXPECT_NEAR(std::accumulate(expected.begin(), expected.end(), 0.0), 1, 1e-12);
  EXPECT_LT(random::chi_square(counts, expected, truth.size()).deviations, 5);
}

TEST(Gem, BulkEqualsOneByOneWhateverTheThreads) {
  const Graph map = lattice(8, 50'000);
  const Gem gem(map, one_per_hundred_metres);
  const random::SeededKey key(51);
  std::vector<VertexId> truth(300);
  for (std::size_t i = 0; i < truth.size(); ++i) truth[i] = static_cast<VertexId>(i % 64);
  std::vector<VertexId> alone(truth.size());
  for (std::size_t i = 0; i < truth.size(); ++i) {
    random::Stream noise = key.stream("place", 1000 + i);
    alone[i] = gem.release(truth[i], noise);
  }
  for (const int threads : {1, 2, 5}) {
    std::vector<VertexId> bulk(truth.size());
    gem.release(truth, key, {.first_record = 1000, .threads = threads}, bulk);
    EXPECT_EQ(bulk, alone) << threads << " threads";
  }
}

TEST(Gem, StaysInItsRange) {
  const Graph map = lattice(4, 100'000);
  const Gem gem(map, {.epsilon = EpsilonPerMetre{1, 100}, .range = {0, 5, 15}});
  random::Stream noise = random::SeededKey(52).stream("place");
  for (int i = 0; i < 1000; ++i) {
    const VertexId said = gem.release(3, noise);
    ASSERT_TRUE(said == 0 || said == 5 || said == 15);
  }
  EXPECT_TRUE(std::isinf(gem.log_weight(1, 3)));
}

TEST(Gem, SaysWhatItPromises) {
  const Graph map = lattice(3, 100'000);
  const auto guarantee = Gem(map, one_per_hundred_metres).guarantee();
  EXPECT_EQ(guarantee.notion(), privacy::Notion::metric_dp);
  EXPECT_EQ(guarantee.epsilon(), Rational(1, 100));
  EXPECT_EQ(guarantee.unit(), "one report");
  EXPECT_EQ(guarantee.exactness(), privacy::Exactness::exact);
}

TEST(Gem, RefusesBadOptionsAndVerticesWithoutNamingThePrivateOne) {
  const Graph map = lattice(3, 100'000);
  EXPECT_THROW(Gem(map, {.epsilon = EpsilonPerMetre{1, 1'000'000}}), InvalidOption);
  EXPECT_THROW(Gem(map, {.epsilon = EpsilonPerMetre{1, 100}, .range = {9}}), InvalidOption);
  const Gem gem(map, one_per_hundred_metres);
  std::vector<VertexId> truth{1, 777}, released(2);
  try {
    gem.release(truth, random::SeededKey(1), {}, released);
    FAIL() << "expected an error";
  } catch (const InvalidOption& error) {
    EXPECT_EQ(std::string(error.what()).find("777"), std::string::npos) << error.what();
  }
}

TEST(Gem, ARecordIsDrawnAlikeWhateverTheOthersAre) {
  const roads::RoadNetwork city = roads::make_network("lattice:12x12:1100");
  const Gem gem(city.graph, {.epsilon = privacy::EpsilonPerMetre{1, 20}});
  const random::SeededKey key(11);
  random::Stream choice = random::SeededKey(12).stream("truth");
  std::vector<graph::VertexId> truth(3000), together(3000), turned(3000);
  for (graph::VertexId& vertex : truth) vertex = static_cast<graph::VertexId>(choice.below(40));
  gem.release(truth, key, {.threads = 2}, together);
  // One by one, each with a sampler that has seen nothing.
  for (std::size_t i = 0; i < truth.size(); ++i) {
    random::Stream noise = key.stream("place", i);
    ASSERT_EQ(gem.release(truth[i], noise), together[i]) << i;
  }
  // By one sampler, from the last to the first.
  const auto sampler = gem.sampler();
  for (std::size_t i = truth.size(); i-- > 0;) {
    random::Stream noise = key.stream("place", i);
    turned[i] = sampler->draw(truth[i], noise);
  }
  EXPECT_EQ(turned, together);
  // In two halves.
  std::vector<graph::VertexId> half(1500);
  gem.release(std::span(truth).subspan(1500), key, {.first_record = 1500, .threads = 1}, half);
  EXPECT_TRUE(std::equal(half.begin(), half.end(), together.begin() + 1500));
}

}  // namespace
}  // namespace fogline::place::gem_test
