// SPDX-License-Identifier: Apache-2.0
// What audits, and some figures, draw by a mechanism is what a release writes: with one key, the same numbers.
#include <cmath>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "audit/kinds/traces_audit.hpp"
#include "path/public_path_file.hpp"
#include "path/published.hpp"
#include "path/terms.hpp"
#include "place/catalogue.hpp"
#include "place/planar.hpp"
#include "privacy/test_folder.hpp"
#include "release/kinds.hpp"
#include "release/stream_fields.hpp"
#include "release/test_same_draws.hpp"
#include "roads/read_network.hpp"
#include "stream/released_file.hpp"
#include "stream/run.hpp"
#include "stream/steps/k_norm.hpp"
#include "stream/terms.hpp"
#include "traces/paper/dpe.hpp"
#include "traces/trip_file.hpp"

namespace fogline::release::same_draws_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const random::SeededKey key(7);

std::string released(std::unique_ptr<Release> (*make)(), const nlohmann::ordered_json& fields,
                     const ColumnSet& records) {
  return released_with(key, make, fields, records);
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

/// Points of the plane instead of vertices.
TEST(SameDraws, OfPlacesOnThePlane) {
  const roads::RoadNetwork map = roads::make_network("lattice:5x5:400");
  const std::vector<graph::VertexId> truth{12, 3, 12, 24};
  std::vector<double> lon, lat;
  for (const graph::VertexId vertex : truth) {
    lon.push_back(map.position[vertex].lon);
    lat.push_back(map.position[vertex].lat);
  }
  std::vector<geometry::LonLat> safe(truth.size());
  place::Plm(map, {.epsilon = {1, 100}}).release(truth, key, {.threads = 1}, safe);
  std::string expected = "record,lon,lat\n";
  for (std::size_t i = 0; i < safe.size(); ++i)
    expected += fmt::format("{},{:.7f},{:.7f}\n", i + 1, safe[i].lon, safe[i].lat);
  EXPECT_THAT(
      released(place_release,
               {{"network", "lattice:5x5:400"}, {"mechanism", "plm"}, {"epsilon", "0.01"}, {"anyway", true}},
               ColumnSet().hold("lon", lon).hold("lat", lat)),
      StartsWith(expected));
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

/// The paper's, as figures publish it.
TEST(SameDraws, OfRoutesThatPromiseNothing) {
  const privacy::TestFolder folder;
  std::ofstream(folder.path("net.csv")) << "source,target\na,b\nb,c\nc,d\na,d\n";
  const path::RouteMap map = path::make_map({"a", "b", "c", "d"}, {{0, 1}, {1, 2}, {2, 3}, {0, 3}});
  const path::PublishedPath paper(
      {.epsilon_vertices = privacy::Epsilon{1, 2}, .epsilon_edges = privacy::Epsilon{1, 1}});
  random::Stream noise = key.stream("path");
  const path::PublicPath shown = paper.release_in_full(map, {0, 1, 2}, noise).shown;
  EXPECT_THAT(released(path_release,
                       {{"network", folder.path("net.csv")},
                        {"published", true},
                        {"epsilon-vertices", "1/2"},
                        {"epsilon-edges", "1"}},
                       ColumnSet().hold("vertex", std::vector<std::string>{"a", "b", "c"})),
              StartsWith(path::to_json(shown)));
}

/// Step by step, through the tracker's one door, as forecasts and audits walk.
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

/// What figures of location sets draw with, without a tracker.
TEST(SameDraws, OfStepsOfAStream) {
  const privacy::TestFolder folder;
  std::ofstream(folder.path("house.csv"))
      << "from,to,probability\nhall,hall,0.5\nhall,lab,0.5\nlab,hall,0.5\nlab,lab,0.5\n";
  std::ofstream(folder.path("query.csv")) << "state,floor\nhall,0\nlab,3\n";
  StreamFields fields;
  fields.model.model = folder.path("house.csv");
  fields.model.query = folder.path("query.csv");
  fields.policy = "complete";
  fields.epsilon = "1";
  fields.mechanism = "k-norm";
  const stream::PublicStream house(fields.terms(), fields.named());
  stream::Tracker tracker = house.tracker();
  tracker.prepare();
  const auto step = stream::make_k_norm(tracker.situation(), Rational(1));
  random::Stream noise = key.stream("step"), same = key.stream("step");
  for (int i = 0; i < 20; ++i) EXPECT_EQ(step->draw(tracker.place_of(1), noise), tracker.draw(1, same)) << i;
}

/// Thirty trips in a square of 6 km, in memory and as a release takes them.
struct ThirtyTrips {
  ThirtyTrips() {
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
    columns.hold("trip_id", trip).hold("x_m", x).hold("y_m", y);
  }
  std::string text(const traces::TripSet& made) const {
    std::string csv;
    traces::write_trips(made, frame, traces::TripFormat::csv, {},
                        [&](std::string_view piece) { csv += piece; });
    return csv;
  }

  traces::Frame frame = traces::Frame::parse("0,0,6000,6000", traces::Frame::Unit::metres);
  traces::TripSet trips;
  ColumnSet columns;
};

/// As figures draw them.
TEST(SameDraws, OfTracesThatPromiseNothing) {
  const ThirtyTrips day;
  random::Stream noise = key.stream("traces");
  const traces::TripSet moved =
      traces::Dpe({.epsilon = 2,
                   .diameter_m = std::hypot(day.frame.width_m(), day.frame.height_m()),
                   .ends = traces::TripEnds::trimmed,
                   .parallel = {.threads = 1}})
          .release(day.trips, noise)
          .trips;
  EXPECT_THAT(released(traces_release,
                       {{"area", "0,0,6000,6000"},
                        {"plane", true},
                        {"epsilon", "2"},
                        {"mechanism", "dpe"},
                        {"published", true},
                        {"no-times", true}},
                       day.columns),
              StartsWith(day.text(moved)));
}

/// Counts with noise and trips made of them, as audits draw them.
TEST(SameDraws, OfTraces) {
  const ThirtyTrips day;
  const traces::TraceTerms terms{.frame = day.frame, .epsilon = {2, 1}};
  const std::string expected = day.text(audit::trace_mechanism(terms, 9)(day.trips, key));
  EXPECT_THAT(released(traces_release,
                       {{"area", "0,0,6000,6000"},
                        {"plane", true},
                        {"epsilon", "2"},
                        {"trips-to-make", 9},
                        {"no-times", true},
                        {"anyway", true}},
                       day.columns),
              StartsWith(expected));
}

}  // namespace
}  // namespace fogline::release::same_draws_test
