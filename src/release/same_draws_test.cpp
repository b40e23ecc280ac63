// SPDX-License-Identifier: Apache-2.0
// What audits and figures draw by a mechanism is what a release writes: with one key, the same numbers.
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "audit/kinds/traces_audit.hpp"
#include "io/graph_file.hpp"
#include "path/public_path_file.hpp"
#include "path/terms.hpp"
#include "place/catalogue.hpp"
#include "privacy/test_folder.hpp"
#include "release/analyses/whole_releases.hpp"
#include "release/kinds.hpp"
#include "release/stream_fields.hpp"
#include "release/test_caller.hpp"
#include "roads/read_network.hpp"
#include "stream/released_file.hpp"
#include "stream/run.hpp"
#include "stream/terms.hpp"
#include "traces/trip_file.hpp"
#include "weights/distances/distance_file.hpp"
#include "weights/distances/distance_plan.hpp"
#include "weights/distances/distance_terms.hpp"
#include "weights/graph/matched_files.hpp"
#include "weights/mechanisms/catalogue.hpp"
#include "weights/paper/figure_sweep.hpp"

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

/// The prior that is paid for, the draws and the estimates of a figure are those of a release.
TEST(SameDraws, OfWeightsWithNoisyPriorsAndEstimates) {
  const weights::FigureGraph graph{.shape = {.vertices = 3, .source = {0, 1, 2}, .target = {1, 2, 0}},
                                   .weights = {3, 7, 9}};
  const ColumnSet edges = ColumnSet()
                              .hold("source", std::vector<std::string>{"a", "b", "c"})
                              .hold("target", std::vector<std::string>{"b", "c", "a"})
                              .hold("weight", graph.weights);
  for (const std::string prior : {"flat", "noisy"}) {
    for (const std::string estimate : {"plain", "median", "mean"}) {
      weights::SoundForm form{
          .choice = {.name = "blocks", .epsilon = {1, 1}, .grid = weights::WeightGrid::parse("0:10", "1")},
          .groups = weights::one_group(graph.weights.size()),
          .noisy_prior = prior == "noisy"};
      if (estimate != "plain")
        form.estimate = estimate == "mean" ? weights::Estimate::mean : weights::Estimate::median;
      const std::vector<double> drawn = weights::sound_form(form).prepare(graph, {2, 1})(key);
      std::string expected = "source,target,weight\n";
      const char* ends[] = {"a,b,", "b,c,", "c,a,"};
      for (std::size_t i = 0; i < drawn.size(); ++i) expected += ends[i] + fmt::format("{}\n", drawn[i]);
      nlohmann::ordered_json fields{{"mechanism", "blocks"}, {"range", "0:10"},      {"epsilon", "2"},
                                    {"prior", prior},        {"estimate", estimate}, {"anyway", true}};
      if (estimate != "plain") fields["groups"] = "none";
      EXPECT_THAT(released(weights_release, fields, edges), StartsWith(expected)) << prior << " " << estimate;
    }
  }
}

TEST(SameDraws, OfFormsThatPromiseNothing) {
  const weights::FigureGraph graph{.shape = {.vertices = 3, .source = {0, 1, 2}, .target = {1, 2, 0}},
                                   .weights = {3, 7, 9}};
  const auto form = weights::published_form("", {.strategy = weights::WeightsStrategy::mb_ci, .k = 2},
                                            weights::WeightGrid::parse("0:10", "1"));
  std::string expected = "source,target,weight\n";
  const std::vector<double> drawn = form.prepare(graph, {2, 1})(key);
  const char* ends[] = {"a,b,", "b,c,", "c,a,"};
  for (std::size_t i = 0; i < drawn.size(); ++i) expected += ends[i] + fmt::format("{}\n", drawn[i]);
  EXPECT_THAT(
      released(weights_release,
               {{"mechanism", "mb-ci"}, {"published", true}, {"k", 2}, {"range", "0:10"}, {"epsilon", "2"}},
               ColumnSet()
                   .hold("source", std::vector<std::string>{"a", "b", "c"})
                   .hold("target", std::vector<std::string>{"b", "c", "a"})
                   .hold("weight", graph.weights)),
      StartsWith(expected));
}

TEST(SameDraws, OfDistances) {
  const privacy::TestFolder folder;
  std::ofstream(folder.path("graph.csv")) << "source,target,weight\na,b,3\nb,c,7\nc,a,9\n";
  const io::GraphTable table = io::read_graph(folder.path("graph.csv"), {});
  const weights::Topology graph(weights::shape_of(table));
  for (const std::string method : {"edges", "noise"}) {
    const weights::DistanceTerms terms{.epsilon = {2, 1}, .grid = weights::WeightGrid::parse("0:10", "1")};
    const weights::DistancePlan plan = weights::plan_distances(graph, terms.settings(), method, {});
    random::Stream noise = key.stream("distances");
    const auto safe =
        plan.mechanism->release(weights::whole_weights(table, terms.grid, terms.rounding), noise);
    const auto text = weights::distance_text(table, *safe, weights::all_distances(graph), terms.grid, {});
    EXPECT_THAT(released(weights_distances,
                         {{"range", "0:10"}, {"epsilon", "2"}, {"method", method}, {"unit", "edge"}},
                         ColumnSet()
                             .hold("source", std::vector<std::string>{"a", "b", "c"})
                             .hold("target", std::vector<std::string>{"b", "c", "a"})
                             .hold("weight", std::vector<double>{3, 7, 9})),
                StartsWith(text.csv))
        << method;
  }
}

/// Step by step, through the tracker's one door, as figures, forecasts and audits walk.
TEST(SameDraws, OfStreams) {
  const privacy::TestFolder folder;
  std::ofstream(folder.path("house.csv"))
      << "from,to,probability\nhall,hall,0.5\nhall,lab,0.5\nlab,hall,0.5\nlab,lab,0.5\n";
  std::ofstream(folder.path("query.csv")) << "state,floor\nhall,0\nlab,3\n";
  for (const std::string_view mechanism : stream::mechanism_names()) {
    StreamFields fields;
    fields.model.model = folder.path("house.csv");
    fields.model.query = folder.path("query.csv");
    fields.policy = "complete";
    fields.epsilon = "1";
    fields.mechanism = mechanism;
    const stream::StreamTerms terms = fields.terms();
    const stream::PublicStream house(terms, fields.named());
    const auto& space = house.model().space;
    const std::vector<std::vector<std::string>> walks{{"hall", "lab", "lab"}, {"lab", "hall", "lab", "hall"}};
    const stream::ReleasedFormat format(space);
    std::string expected = format.header();
    std::vector<std::string> sequence, state;
    for (std::size_t q = 0; q < walks.size(); ++q) {
      random::Stream noise = stream::noise_of_sequence(key, q);
      stream::Tracker tracker = house.tracker();
      stream::RowMaker rows(tracker, terms, std::to_string(q + 1));
      for (const std::string& truth : walks[q]) {
        tracker.prepare();
        expected += format.row(rows.take(tracker.draw(*space.names.find(truth), noise)).value());
        sequence.push_back(std::to_string(q + 1));
        state.push_back(truth);
      }
    }
    EXPECT_THAT(released(stream_release,
                         {{"model", folder.path("house.csv")},
                          {"query", folder.path("query.csv")},
                          {"policy", "complete"},
                          {"epsilon", "1"},
                          {"mechanism", mechanism},
                          {"anyway", true}},
                         ColumnSet().hold("sequence", sequence).hold("state", state)),
                StartsWith(expected))
        << mechanism;
  }
}

/// Counts with noise and trips made of them, as figures and audits draw them.
TEST(SameDraws, OfTraces) {
  traces::TripSet trips;
  std::vector<std::int64_t> trip;
  std::vector<double> x, y;
  for (int i = 0; i < 30; ++i) {
    for (int point = 0; point < 4; ++point) {
      trip.push_back(i);
      x.push_back(500 + 150 * i + 20 * point);
      y.push_back(300 + 1500 * point);
      trips.point.push_back({static_cast<float>(x.back()), static_cast<float>(y.back())});
    }
    trips.end_trip();
  }
  const traces::TraceTerms terms{.frame = traces::Frame::parse("0,0,6000,6000", traces::Frame::Unit::metres),
                                 .epsilon = {2, 1}};
  const traces::TripSet made = audit::trace_mechanism(terms, 9)(trips, key);
  std::string expected;
  traces::write_trips(made, terms.frame, traces::TripFormat::csv, {},
                      [&](std::string_view piece) { expected += piece; });
  EXPECT_THAT(released(traces_release,
                       {{"area", "0,0,6000,6000"},
                        {"plane", true},
                        {"epsilon", "2"},
                        {"trips-to-make", 9},
                        {"no-times", true},
                        {"anyway", true}},
                       ColumnSet().hold("trip_id", trip).hold("x_m", x).hold("y_m", y)),
              StartsWith(expected));
}

}  // namespace
}  // namespace fogline::release::same_draws_test
