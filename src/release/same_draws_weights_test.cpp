// SPDX-License-Identifier: Apache-2.0
// What audits, and some figures, draw by a mechanism of weights is what a release writes: with one key, the same numbers.
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/graph_file.hpp"
#include "privacy/test_folder.hpp"
#include "release/kinds.hpp"
#include "release/test_same_draws.hpp"
#include "weights/distances/distance_file.hpp"
#include "weights/distances/distance_plan.hpp"
#include "weights/distances/distance_terms.hpp"
#include "weights/graph/matched_files.hpp"
#include "weights/mechanisms/catalogue.hpp"
#include "weights/paper/published.hpp"

namespace fogline::release::same_draws_weights_test {
namespace {

using testing::StartsWith;

const random::SeededKey key(7);

std::string released(std::unique_ptr<Release> (*make)(), const nlohmann::ordered_json& fields,
                     const ColumnSet& records) {
  return released_with(key, make, fields, records);
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

/// As figures draw the forms that they keep in the range.
TEST(SameDraws, OfWeightsThatPromiseNothing) {
  const std::vector<double> truth{3, 7, 9};
  for (const weights::WeightsStrategy strategy : weights::weights_strategies()) {
    const bool merges =
        strategy == weights::WeightsStrategy::mb || strategy == weights::WeightsStrategy::mb_ci;
    weights::PublishedWeights::Options options{
        .strategy = strategy, .epsilon = 2, .range = weights::WeightRange{0, 10}};
    nlohmann::ordered_json fields{
        {"mechanism", to_string(strategy)}, {"published", true}, {"range", "0:10"}, {"epsilon", "2"}};
    if (merges) fields["k"] = options.k = 2;
    std::string expected = "source,target,weight\n";
    const std::vector<double> drawn = weights::PublishedWeights(options).draw(truth, key);
    const char* ends[] = {"a,b,", "b,c,", "c,a,"};
    for (std::size_t i = 0; i < drawn.size(); ++i) expected += ends[i] + fmt::format("{}\n", drawn[i]);
    EXPECT_THAT(released(weights_release, fields, triangle_of(truth)), StartsWith(expected))
        << to_string(strategy);
  }
}

/// By every method: those for any graph on a ring, the one for trees on a path.
TEST(SameDraws, OfDistances) {
  const privacy::TestFolder folder;
  const auto expect_same = [&](const std::string& method, const std::vector<std::string>& from,
                               const std::vector<std::string>& to, const std::vector<double>& weight) {
    std::string csv = "source,target,weight\n";
    for (std::size_t i = 0; i < from.size(); ++i) csv += fmt::format("{},{},{}\n", from[i], to[i], weight[i]);
    std::ofstream(folder.path(method + ".csv")) << csv;
    const io::GraphTable table = io::read_graph(folder.path(method + ".csv"), {});
    const weights::Topology graph(weights::shape_of(table));
    const weights::DistanceTerms terms{.epsilon = {2, 1}, .grid = weights::WeightGrid::parse("0:10", "1")};
    const weights::DistancePlan plan = weights::plan_distances(graph, terms.settings(), method, {});
    random::Stream noise = key.stream("distances");
    const auto safe =
        plan.mechanism->release(weights::whole_weights(table, terms.grid, terms.rounding), noise);
    const auto text = weights::distance_text(table, *safe, weights::all_distances(graph), terms.grid, {});
    EXPECT_THAT(released(weights_distances,
                         {{"range", "0:10"}, {"epsilon", "2"}, {"method", method}, {"unit", "edge"}},
                         ColumnSet().hold("source", from).hold("target", to).hold("weight", weight)),
                StartsWith(text.csv))
        << method;
  };
  for (const std::string method : {"edges", "noise", "separators"})
    expect_same(method, {"a", "b", "c"}, {"b", "c", "a"}, {3, 7, 9});
  expect_same("tree", {"a", "b", "c"}, {"b", "c", "d"}, {3, 7, 9});
}

}  // namespace
}  // namespace fogline::release::same_draws_weights_test
