// SPDX-License-Identifier: Apache-2.0
#include "roads/city.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "geometry/geodesic.hpp"
#include "graph/components.hpp"

namespace fogline::roads::city_test {
namespace {

using geometry::LonLat;

const City& city(std::uint64_t seed) {
  static std::map<std::uint64_t, City> made;
  auto found = made.find(seed);
  if (found == made.end()) found = made.emplace(seed, make_city(seed)).first;
  return found->second;
}

std::vector<LonLat> points_of(const RoadNetwork& network, const Road& road) {
  std::vector<LonLat> points{network.position[road.tail]};
  points.insert(points.end(), road.shape.begin(), road.shape.end());
  points.push_back(network.position[road.head]);
  return points;
}

/// FNV-1a over ends, classes, directions and positions: all that a decision of the generator can change.
std::uint64_t fingerprint(const City& made) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto mix = [&](std::int64_t value) {
    for (int i = 0; i < 8; ++i) {
      hash = (hash ^ (static_cast<std::uint64_t>(value) >> (8 * i) & 0xff)) * 0x100000001b3u;
    }
  };
  for (const Road& road : made.network.roads) {
    for (const std::int64_t value :
         {std::int64_t{road.tail}, std::int64_t{road.head}, static_cast<std::int64_t>(road.road_class),
          static_cast<std::int64_t>(road.direction)}) {
      mix(value);
    }
    for (const LonLat& p : points_of(made.network, road)) {
      mix(std::llround(p.lon * 1e7));
      mix(std::llround(p.lat * 1e7));
    }
  }
  return hash;
}

bool inside(const std::vector<LonLat>& ring, LonLat p) {
  bool odd = false;
  for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) {
    const LonLat a = ring[i];
    const LonLat b = ring[j];
    if ((a.lat > p.lat) != (b.lat > p.lat) &&
        p.lon < (b.lon - a.lon) * (p.lat - a.lat) / (b.lat - a.lat) + a.lon) {
      odd = !odd;
    }
  }
  return odd;
}

/// Vertices that a car can reach from the start; against the traffic, those it can come from.
std::vector<bool> reach(const RoadNetwork& network, graph::VertexId start, bool against_traffic) {
  std::vector<std::vector<graph::VertexId>> next(network.vertex_count());
  for (const Road& road : network.roads) {
    const bool along = road.direction != Direction::backward;
    const bool back = road.direction != Direction::forward;
    if (against_traffic ? back : along) next[road.tail].push_back(road.head);
    if (against_traffic ? along : back) next[road.head].push_back(road.tail);
  }
  std::vector<bool> seen(network.vertex_count(), false);
  std::vector<graph::VertexId> open{start};
  seen[start] = true;
  while (!open.empty()) {
    const graph::VertexId vertex = open.back();
    open.pop_back();
    for (const graph::VertexId other : next[vertex]) {
      if (!seen[other]) open.push_back(other);
      seen[other] = true;
    }
  }
  return seen;
}

TEST(City, SameSeedGivesTheSameCityOnEveryMachine) {
  EXPECT_EQ(fingerprint(city(1)), fingerprint(make_city(1)));
  EXPECT_EQ(fingerprint(city(1)), 8621609419672949495u);
}

TEST(City, DifferentSeedsGiveDifferentCities) {
  EXPECT_NE(fingerprint(city(1)), fingerprint(city(2)));
}

class CityOfSeed : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Seeds, CityOfSeed, testing::Values(1, 2, 3, 4, 5, 6));

TEST_P(CityOfSeed, IsOneConnectedNetworkOfTownSize) {
  const RoadNetwork& network = city(GetParam()).network;
  EXPECT_GE(network.vertex_count(), 2900u);
  EXPECT_LE(network.vertex_count(), 5000u);
  EXPECT_EQ(network.graph.vertex_count(), network.vertex_count());
  EXPECT_EQ(network.graph.edge_count(), network.roads.size());
  EXPECT_EQ(graph::components(network.graph).count(), 1u);
}

TEST_P(CityOfSeed, HasOnlyJunctionsAndDeadEndsAsVertices) {
  const RoadNetwork& network = city(GetParam()).network;
  std::map<std::size_t, std::size_t> degrees;
  for (graph::VertexId v = 0; v < network.vertex_count(); ++v) ++degrees[network.graph.degree(v)];
  const auto vertices = static_cast<double>(network.vertex_count());
  const double mean = 2 * static_cast<double>(network.roads.size()) / vertices;
  EXPECT_GT(mean, 2.5);
  EXPECT_LT(mean, 3.5);
  EXPECT_EQ(degrees[2], 0u);
  EXPECT_GT(static_cast<double>(degrees[1]) / vertices, 0.05);
  EXPECT_LT(static_cast<double>(degrees[1]) / vertices, 0.25);
  EXPECT_GT(degrees[3], degrees[1]);
  EXPECT_LE(degrees.rbegin()->first, 8u);
}

TEST_P(CityOfSeed, HasTheStreetHierarchyOfATown) {
  const RoadNetwork& network = city(GetParam()).network;
  std::map<RoadClass, double> kilometres;
  double all = 0;
  std::size_t one_way = 0;
  for (const Road& road : network.roads) {
    kilometres[road.road_class] += road.length_mm * 1e-6;
    all += road.length_mm * 1e-6;
    one_way += road.direction != Direction::both && road.road_class != RoadClass::motorway;
  }
  EXPECT_GT(kilometres[RoadClass::residential] / all, 0.45);
  EXPECT_LT(kilometres[RoadClass::residential] / all, 0.80);
  for (const RoadClass wide : {RoadClass::motorway, RoadClass::primary, RoadClass::secondary}) {
    EXPECT_GT(kilometres[wide] / all, 0.01) << to_string(wide);
    EXPECT_LT(kilometres[wide] / all, 0.15) << to_string(wide);
  }
  EXPECT_GT(kilometres[RoadClass::tertiary] / all, 0.05);
  EXPECT_GT(kilometres[RoadClass::living_street], 0);
  EXPECT_EQ(kilometres.count(RoadClass::path), 0u);
  EXPECT_GT(one_way, 200u);
}

TEST_P(CityOfSeed, LengthsAreThoseOfTheDrawnLines) {
  const RoadNetwork& network = city(GetParam()).network;
  for (const Road& road : network.roads) {
    const std::vector<LonLat> points = points_of(network, road);
    std::uint64_t length_mm = 0;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      length_mm += geometry::geodesic_mm(points[i], points[i + 1]);
    }
    ASSERT_EQ(road.length_mm, length_mm);
    // Each segment is rounded to the millimetre.
    ASSERT_GE(road.length_mm + points.size(), geometry::geodesic_mm(points.front(), points.back()));
    ASSERT_LT(road.tail, road.head);
  }
}

TEST_P(CityOfSeed, LiesInTheOpenAtlantic) {
  for (const LonLat& p : city(GetParam()).network.position) {
    ASSERT_NEAR(p.lon, -30, 0.0446);
    ASSERT_NEAR(p.lat, 45, 0.0272);
  }
}

TEST_P(CityOfSeed, RiverIsCrossedByBridgesOnly) {
  const City& made = city(GetParam());
  const auto river = std::find_if(made.areas.begin(), made.areas.end(),
                                  [](const CityArea& area) { return area.kind == AreaKind::water; });
  ASSERT_NE(river, made.areas.end());
  std::size_t wet_vertices = 0;
  for (const LonLat& p : made.network.position) wet_vertices += inside(river->outer, p);
  EXPECT_EQ(wet_vertices, 0u);

  std::size_t bridges = 0;
  std::size_t carriageways = 0;
  for (const Road& road : made.network.roads) {
    bool wet = false;
    const std::vector<LonLat> points = points_of(made.network, road);
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      constexpr int steps = 40;
      for (int k = 0; k <= steps; ++k) {
        const double share = static_cast<double>(k) / steps;
        wet = wet || inside(river->outer, {points[i].lon + (points[i + 1].lon - points[i].lon) * share,
                                           points[i].lat + (points[i + 1].lat - points[i].lat) * share});
      }
    }
    if (!wet) continue;
    EXPECT_LE(road.road_class, RoadClass::secondary);
    if (road.road_class == RoadClass::motorway) {
      ++carriageways;
    } else {
      ++bridges;
    }
  }
  // The motorway crosses on one bridge of two carriageways.
  EXPECT_EQ(carriageways, 2u);
  EXPECT_GE(bridges + 1, 4u);
  EXPECT_LE(bridges + 1, 6u);
}

TEST_P(CityOfSeed, EveryHomeAndWorkplaceCanBeReachedAndLeftByCar) {
  const City& made = city(GetParam());
  const auto start = static_cast<graph::VertexId>(
      std::max_element(made.home_weight.begin(), made.home_weight.end()) - made.home_weight.begin());
  const std::vector<bool> entered = reach(made.network, start, false);
  const std::vector<bool> left = reach(made.network, start, true);
  ASSERT_EQ(made.home_weight.size(), made.network.vertex_count());
  ASSERT_EQ(made.work_weight.size(), made.network.vertex_count());
  for (graph::VertexId v = 0; v < made.network.vertex_count(); ++v) {
    if (made.home_weight[v] + made.work_weight[v] == 0) continue;
    ASSERT_TRUE(entered[v] && left[v]) << "vertex " << v;
  }
}

TEST_P(CityOfSeed, WorkIsMoreCentralThanHomes) {
  const City& made = city(GetParam());
  const auto mean_distance = [&](const std::vector<std::uint32_t>& weight) {
    double sum = 0;
    double total = 0;
    for (std::size_t v = 0; v < weight.size(); ++v) {
      sum += weight[v] * geometry::geodesic_m(made.network.position[v], made.centre);
      total += weight[v];
    }
    return sum / total;
  };
  EXPECT_LT(mean_distance(made.work_weight), mean_distance(made.home_weight));
}

TEST_P(CityOfSeed, HasEveryKindOfGround) {
  std::map<AreaKind, int> count;
  for (const CityArea& area : city(GetParam()).areas) {
    ++count[area.kind];
    EXPECT_GE(area.outer.size(), 3u);
  }
  EXPECT_GE(count[AreaKind::park], 5);
  for (const AreaKind kind :
       {AreaKind::built_up, AreaKind::industry, AreaKind::campus, AreaKind::wood, AreaKind::water}) {
    EXPECT_GE(count[kind], 1) << to_string(kind);
  }
  EXPECT_GE(city(GetParam()).footpaths.size(), 4u);
}

}  // namespace
}  // namespace fogline::roads::city_test
