// SPDX-License-Identifier: Apache-2.0
#include "place/planar.hpp"

#include <cmath>
#include <filesystem>
#include <numeric>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/testing.hpp"
#include "random/chi_square.hpp"
#include "roads/generated.hpp"
#include "roads/read_network.hpp"

namespace fogline::place::planar_test {
namespace {

using graph::VertexId;
using privacy::EpsilonPerMetre;

const EpsilonPerMetre one_per_hundred_metres{1, 100};

roads::RoadNetwork lattice(std::uint64_t side, double side_m) {
  return roads::make_lattice({.rows = side, .columns = side, .side_m = side_m});
}

/// The lattice with one road of another length.
roads::RoadNetwork with_road(roads::RoadNetwork map, graph::LengthMm length_mm) {
  auto edges = map.graph.edges();
  edges[0].length_mm = length_mm;
  map.graph = graph::Graph::from_edges(map.vertex_count(), edges);
  return map;
}

TEST(Plm, HasNoStretchToSpeakOfOnALattice) {
  const auto map = lattice(10, 900);
  const Plm plm(map, {.epsilon = one_per_hundred_metres});
  EXPECT_NEAR(plm.stretch().value(), 1, 1e-6);
  EXPECT_NEAR(plm.expected_error_m(), 200, 0.001);
  EXPECT_EQ(plm.guarantee().epsilon(), Rational(1, 100));
  EXPECT_EQ(plm.guarantee().exactness(), privacy::Exactness::exact);
  const RuleCertificate rule = plm.certify_rule();
  EXPECT_TRUE(rule.available && rule.holds);
  EXPECT_LE(rule.loss_high_per_metre, 0.01 * (1 + 1e-9));
}

TEST(Plm, HasTheCommonFaceOfPlaceMechanisms) {
  const auto map = lattice(10, 900);
  const Plm plm(map, {.epsilon = one_per_hundred_metres});
  const PlaceMechanism& face = plm;
  EXPECT_EQ(face.on_vertices(), nullptr);
  EXPECT_EQ(face.on_plane(), &plm);
  EXPECT_EQ(face.parameters().dump(), R"({"stretch":1.0})");
  EXPECT_TRUE(face.expected_error().straight);
  EXPECT_EQ(face.expected_error().q_loss_m, plm.expected_error_m());
  const random::SeededKey key(5);
  const std::vector<VertexId> truth{3, 99, 3};
  const auto safe = std::get<std::vector<geometry::LonLat>>(face.release_all(truth, key, {.threads = 2}));
  for (std::size_t i = 0; i < truth.size(); ++i) {
    random::Stream noise = key.stream("place", i);
    EXPECT_EQ(safe[i], plm.release(truth[i], noise));
  }
  EXPECT_THROW(face.release_all(std::vector<VertexId>{100}, key, {}), InvalidOption);
}

TEST(Plm, AShortRoadBetweenDistantPlacesWidensTheNoiseAndIsNamed) {
  const auto map = with_road(lattice(3, 200), 10'000);  // 10 m of road for 100 m of plane
  const Plm plm(map, {.epsilon = one_per_hundred_metres});
  EXPECT_NEAR(plm.stretch().value(), 10, 1e-5);
  EXPECT_NEAR(plm.expected_error_m(), 2000, 0.01);
  EXPECT_TRUE(plm.certify_rule().holds);
  EXPECT_NE(plm.remarks().front().find("10.000 m long, from vertex 0 to 1"), std::string::npos)
      << plm.remarks().front();
  const auto absurd = with_road(lattice(3, 200), 1);
  EXPECT_THROW(Plm(absurd, {.epsilon = EpsilonPerMetre{1, 100'000}}), InvalidOption);
}

TEST(Plm, LongRoundaboutRoadsAllowNarrowerNoise) {
  auto map = roads::make_line({.vertices = 2, .length_m = 100});
  map = with_road(std::move(map), 200'000);
  EXPECT_NEAR(Plm(map, {.epsilon = one_per_hundred_metres}).expected_error_m(), 100, 0.01);
}

TEST(Plm, FallsAtTheRightDistancesAndInAllDirections) {
  // 200,000 releases; 5 deviations are passed by chance once in three million. Eight rings of equal probability by twelve sectors.
  const auto map = lattice(3, 200);
  const Plm plm(map, {.epsilon = one_per_hundred_metres});
  random::Stream noise = random::SeededKey(60).stream("place");
  const geometry::PointXY truth = plm.position(4);
  std::vector<std::uint64_t> counts(96);
  for (int i = 0; i < 200'000; ++i) {
    const geometry::PointXY said = plm.release_on_plane(4, noise);
    const double x = said.x_m - truth.x_m, y = said.y_m - truth.y_m;
    const auto ring = static_cast<std::size_t>(8 * plm.within(std::hypot(x, y)));
    const auto sector = static_cast<std::size_t>(std::floor((std::atan2(y, x) / 3.14159265358979 + 1) * 6));
    ++counts[std::min<std::size_t>(ring, 7) * 12 + std::min<std::size_t>(sector, 11)];
  }
  EXPECT_LT(random::chi_square(counts, std::vector<double>(96, 1.0 / 96), 200'000).deviations, 5);
}

TEST(Plm, BulkEqualsOneByOne) {
  const auto map = lattice(5, 400);
  const Plm plm(map, {.epsilon = one_per_hundred_metres});
  const random::SeededKey key(61);
  std::vector<VertexId> truth(100);
  for (std::size_t i = 0; i < truth.size(); ++i) truth[i] = static_cast<VertexId>(i % 25);
  std::vector<geometry::LonLat> bulk(truth.size());
  plm.release(truth, key, {.first_record = 7, .threads = 2}, bulk);
  for (std::size_t i = 0; i < truth.size(); ++i) {
    random::Stream noise = key.stream("place", 7 + i);
    EXPECT_EQ(plm.release(truth[i], noise), bulk[i]);
  }
  EXPECT_THROW(plm.release(std::vector<VertexId>{99}, key, {}, std::span(bulk).first(1)), InvalidOption);
}

TEST(Plmg, ReleasesFollowItsProbabilities) {
  // 200,000 releases; 5 deviations are passed by chance once in three million. 100,000 rays make the computed law fine enough for that.
  const auto map = lattice(5, 400);
  const Plmg plmg(map, {.epsilon = one_per_hundred_metres, .directions = 100'000});
  std::vector<VertexId> truth(200'000, 7), released(truth.size());
  plmg.release(truth, random::SeededKey(62), {}, released);
  std::vector<std::uint64_t> counts(25);
  for (const VertexId vertex : released) ++counts[vertex];
  std::vector<double> expected(25);
  plmg.probabilities(7, expected);
  EXPECT_NEAR(std::accumulate(expected.begin(), expected.end(), 0.0), 1, 1e-9);
  EXPECT_LT(random::chi_square(counts, expected, truth.size()).deviations, 5);
}

TEST(Plmg, UsualRaysKnowTheErrorToAThousandth) {
  const auto map = lattice(12, 1100);
  const double usual = Plmg(map, {.epsilon = one_per_hundred_metres}).expected_error().q_loss_m;
  const double fine =
      Plmg(map, {.epsilon = one_per_hundred_metres, .directions = 20'000}).expected_error().q_loss_m;
  EXPECT_NEAR(usual / fine, 1, 1e-3);
}

TEST(Plmg, KeepsEpsilonOnEveryRoadByItsComputedLaw) {
  const auto map = lattice(6, 500);
  const Plmg plmg(map, {.epsilon = one_per_hundred_metres, .directions = 20'000});
  std::vector<double> here(36), there(36);
  for (const graph::Edge& road : map.graph.edges()) {
    plmg.probabilities(road.tail, here);
    plmg.probabilities(road.head, there);
    for (std::size_t o = 0; o < 36; ++o) EXPECT_LT(std::abs(std::log(here[o] / there[o])), 1.01);
  }
}

TEST(Plmg, StaysInItsRangeAndHasNoRows) {
  const auto map = lattice(4, 300);
  const Plmg plmg(map, {.epsilon = one_per_hundred_metres, .range = {3, 9, 12}});
  random::Stream noise = random::SeededKey(63).stream("place");
  for (int i = 0; i < 1000; ++i) {
    const VertexId said = plmg.release(5, noise);
    ASSERT_TRUE(said == 3 || said == 9 || said == 12);
  }
  EXPECT_FALSE(plmg.has_rows());
  EXPECT_THROW(plmg.row(0), InvalidOption);
  EXPECT_THROW(Plmg(map, {.epsilon = one_per_hundred_metres, .range = {16}}), InvalidOption);
  EXPECT_THROW(Plmg(map, {.epsilon = one_per_hundred_metres, .range = {1, 1}}), InvalidOption);
}

TEST(Plmg, WorksOnARealMap) {
  const std::string file = testing_support::real_data("maps/monaco-2021.osm.pbf");
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "skipped: no real data at " << file;
  const auto map = roads::read_network(file);
  const Plmg plmg(map, {.epsilon = one_per_hundred_metres});
  EXPECT_LT(plmg.plm().stretch().value(), 1.01);
  EXPECT_TRUE(plmg.certify_rule({}).holds);
  // Against releases: 20 from each vertex. Their mean is known to a hundredth, and five times that is allowed.
  std::vector<VertexId> truth(20 * map.vertex_count()), said(truth.size());
  for (std::size_t i = 0; i < truth.size(); ++i) truth[i] = static_cast<VertexId>(i / 20);
  plmg.release(truth, random::SeededKey(64), {}, said);
  graph::Dijkstra search(map.graph);
  double sum_m = 0;
  for (std::size_t i = 0; i < truth.size(); i += 20) {
    const auto distance = search.one_to_all(truth[i]);
    for (std::size_t k = i; k < i + 20; ++k) sum_m += static_cast<double>(distance[said[k]]) / 1000;
  }
  EXPECT_NEAR(sum_m / static_cast<double>(truth.size()) / plmg.expected_error().q_loss_m, 1, 0.05);
}

}  // namespace
}  // namespace fogline::place::planar_test
