// SPDX-License-Identifier: Apache-2.0
// What audits and figures draw by a mechanism is what a release writes: with one key, the same numbers.
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "path/public_path_file.hpp"
#include "path/terms.hpp"
#include "place/catalogue.hpp"
#include "privacy/test_folder.hpp"
#include "release/analyses/whole_releases.hpp"
#include "release/kinds.hpp"
#include "release/test_caller.hpp"
#include "roads/read_network.hpp"
#include "weights/mechanisms/catalogue.hpp"

namespace fogline::release::same_draws_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const random::SeededKey key(7);

std::string released(std::unique_ptr<Release> (*make)(), const nlohmann::ordered_json& fields,
                     const ColumnSet& records) {
  TestCaller caller;
  return whole_release(with_fields(make, fields), records, caller)(key);
}

TEST(SameDraws, OfPlaces) {
  const roads::RoadNetwork map = roads::make_network("lattice:5x5:400");
  const std::vector<graph::VertexId> truth{12, 3, 12, 24};
  std::vector<double> lon, lat;
  for (const graph::VertexId vertex : truth) {
    lon.push_back(map.position[vertex].lon);
    lat.push_back(map.position[vertex].lat);
  }
  for (const std::string mechanism : {"gem", "tight", "optimal", "plmg"}) {
    const auto drawing = place::make_mechanism(map, {.name = mechanism, .epsilon = {1, 100}});
    std::vector<graph::VertexId> safe(truth.size());
    drawing->release(truth, key, {.threads = 1}, safe);
    const std::string text = released(
        place_release,
        {{"network", "lattice:5x5:400"}, {"mechanism", mechanism}, {"epsilon", "0.01"}, {"anyway", true}},
        ColumnSet().hold("lon", lon).hold("lat", lat));
    for (std::size_t i = 0; i < safe.size(); ++i)
      EXPECT_THAT(text, HasSubstr("\n" + std::to_string(i + 1) + "," + roads::name_of(map, safe[i]) + ","))
          << mechanism;
  }
}

TEST(SameDraws, OfWeights) {
  const weights::WeightGrid grid = weights::WeightGrid::parse("0:10", "1");
  const std::vector<std::int64_t> points{3, 7, 9};
  for (const std::string mechanism : {"blocks", "geometric", "staircase"}) {
    const auto drawing = weights::make_mechanism({.name = mechanism, .epsilon = {1, 1}, .grid = grid});
    std::vector<std::int64_t> drawn(points.size());
    weights::draw_all(*drawing, points, key, {.threads = 1}, drawn);
    std::string expected = "source,target,weight\n";
    const char* edges[] = {"a,b,", "b,c,", "c,a,"};
    for (std::size_t i = 0; i < drawn.size(); ++i)
      expected += edges[i] + fmt::format("{}\n", drawing->weight(drawn[i]));
    EXPECT_THAT(released(weights_release,
                         {{"mechanism", mechanism},
                          {"range", "0:10"},
                          {"epsilon", "1"},
                          {"estimate", "plain"},
                          {"anyway", true}},
                         ColumnSet()
                             .hold("source", std::vector<std::string>{"a", "b", "c"})
                             .hold("target", std::vector<std::string>{"b", "c", "a"})
                             .hold("weight", std::vector<double>{3, 7, 9})),
                StartsWith(expected))
        << mechanism;
  }
}

TEST(SameDraws, OfRoutes) {
  const privacy::TestFolder folder;
  std::ofstream(folder.path("net.csv")) << "source,target\na,b\nb,c\nc,d\na,d\n";
  const path::RouteMap map = path::make_map({"a", "b", "c", "d"}, {{0, 1}, {1, 2}, {2, 3}, {0, 3}});
  const path::PathTerms terms;
  random::Stream noise = key.stream("path");
  const path::PublicPath shown = path::PathLabels(terms.options(map)).release({map, {0, 1, 2}}, noise);
  EXPECT_THAT(released(path_release, {{"network", folder.path("net.csv")}, {"epsilon-edges", "1"}},
                       ColumnSet().hold("vertex", std::vector<std::string>{"a", "b", "c"})),
              StartsWith(path::to_json(shown)));
}

}  // namespace
}  // namespace fogline::release::same_draws_test
