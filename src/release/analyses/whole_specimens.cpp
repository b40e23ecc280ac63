// SPDX-License-Identifier: Apache-2.0
#include "release/analyses/whole_specimens.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "path/terms.hpp"
#include "release/analyses/whole_releases.hpp"
#include "release/kinds.hpp"
#include "roads/read_network.hpp"

namespace fogline::release {
namespace {

using audit::Specimen;
using Json = nlohmann::ordered_json;
using Names = std::vector<std::string>;

/// Records of two neighbours, and the release that is made of either.
struct WholePair {
  std::string name;   ///< "place gem"
  std::string words;  ///< what is released
  std::string neighbours;
  MakeRequest first_request, second_request;
  ColumnSet first, second;
  double claimed_loss = 0;
  bool one_sided = false;
};

Specimen specimen_of(const WholePair& pair, Caller& caller) {
  Specimen specimen{.origin = audit::Origin::released,
                    .name = pair.name,
                    .words = "a whole release: " + pair.words,
                    .broken = false};
  specimen.replay_case = audit::ReplayCase{.words = pair.neighbours,
                                           .first = whole_release(pair.first_request, pair.first, caller),
                                           .second = whole_release(pair.second_request, pair.second, caller),
                                           .claimed_loss = pair.claimed_loss,
                                           .one_sided = pair.one_sided};
  return specimen;
}

ColumnSet stops(Names names) {
  return ColumnSet().hold("vertex", std::move(names));
}

/// Trips across a square of 6 km; one beyond the thirtieth goes along its side.
ColumnSet trips(int count) {
  constexpr int common = 30;
  std::vector<std::int64_t> trip;
  std::vector<double> x, y;
  for (int i = 0; i < count; ++i) {
    for (int point = 0; point < 4; ++point) {
      trip.push_back(i);
      x.push_back(500.0 + 150 * i + (i < common ? 20 * point : 0));
      y.push_back(300.0 + 1500 * point);
    }
  }
  return ColumnSet().hold("trip_id", std::move(trip)).hold("x_m", std::move(x)).hold("y_m", std::move(y));
}

}  // namespace

std::vector<Specimen> whole_places(const ScratchFolder& /*folder*/, Caller& caller) {
  const roads::RoadNetwork map = roads::make_network("lattice:5x5:400");
  // Records are drawn in the order of their vertices: vertex 0 comes before both neighbours.
  std::vector<Specimen> all;
  for (const char* mechanism : {"gem", "tight", "optimal"}) {
    const MakeRequest request = with_fields(
        place_release,
        {{"network", "lattice:5x5:400"}, {"mechanism", mechanism}, {"epsilon", "0.01"}, {"anyway", true}});
    all.push_back(
        specimen_of({.name = fmt::format("place {}", mechanism),
                     .words = "three positions on a lattice of 100 m blocks, epsilon 0.01 per metre",
                     .neighbours = "the second position at one of two neighbouring corners",
                     .first_request = request,
                     .second_request = request,
                     .first = positions_at(map, {0, 12, 0}),
                     .second = positions_at(map, {0, 13, 0}),
                     .claimed_loss = 1},
                    caller));
  }
  return all;
}

std::vector<Specimen> whole_streams(const ScratchFolder& folder, Caller& caller) {
  std::string model = "from,to,probability\n", query = "state,x,y\n";
  constexpr int states = 4;
  for (int from = 0; from < states; ++from) {
    query += fmt::format("s{},{},{}\n", from, 80 * (from % 2), 10 * (from / 2));
    for (int to = 0; to < states; ++to) model += fmt::format("s{},s{},0.25\n", from, to);
  }
  const std::string model_file = folder.write("model.csv", model),
                    query_file = folder.write("query.csv", query);
  std::vector<Specimen> all;
  for (const char* mechanism : {"optimal", "grouped", "k-norm", "laplace"}) {
    Json fields{{"model", model_file}, {"query", query_file},    {"policy", "complete"},
                {"epsilon", "0.5"},    {"mechanism", mechanism}, {"anyway", true}};
    if (mechanism == std::string_view("grouped")) fields["groups"] = 2;
    const MakeRequest request = with_fields(stream_release, fields);
    all.push_back(specimen_of({.name = fmt::format("stream {}", mechanism),
                               .words = "three steps among four places, epsilon 0.5 for each",
                               .neighbours = "the first state is one of two that are joined",
                               .first_request = request,
                               .second_request = request,
                               .first = ColumnSet().hold("state", Names{"s0", "s1", "s2"}),
                               .second = ColumnSet().hold("state", Names{"s3", "s1", "s2"}),
                               .claimed_loss = 0.5},
                              caller));
  }
  return all;
}

std::vector<Specimen> whole_paths(const ScratchFolder& folder, Caller& caller) {
  const std::string ring = "source,target\na,b\nb,c\na,d\n";
  const auto with = with_fields(
      path_release, {{"network", folder.write("ring.csv", ring + "c,d\n")}, {"epsilon-edges", "1"}});
  const auto without =
      with_fields(path_release, {{"network", folder.write("open.csv", ring)}, {"epsilon-edges", "1"}});
  const auto two_sided = with_fields(path_release, {{"network", folder.write("all.csv", ring + "c,d\nb,d\n")},
                                                    {"epsilon-edges", "1"},
                                                    {"two-sided", true}});
  const double one_sided_loss = path::PathTerms{}.guarantee().epsilon().to_double();
  return {specimen_of({.name = "path one-sided",
                       .words = "a route in a ring of four vertices, epsilon 1 for edges",
                       .neighbours = "its last road taken away",
                       .first_request = with,
                       .second_request = without,
                       .first = stops({"a", "b", "c", "d"}),
                       .second = stops({"a", "b", "c"}),
                       .claimed_loss = one_sided_loss,
                       .one_sided = true},
                      caller),
          specimen_of({.name = "path two-sided",
                       .words = "a route through four vertices, epsilon 1 for each label",
                       .neighbours = "its last two stops change places: two labels differ",
                       .first_request = two_sided,
                       .second_request = two_sided,
                       .first = stops({"a", "b", "c", "d"}),
                       .second = stops({"a", "b", "d", "c"}),
                       .claimed_loss = 2},
                      caller)};
}

std::vector<Specimen> whole_weights(const ScratchFolder& /*folder*/, Caller& caller) {
  std::vector<Specimen> all;
  const auto add = [&](const std::string& name, std::unique_ptr<Release> (*make)(), Json fields,
                       double moved) {
    fields.update({{"epsilon", "1"}, {"range", "1:9"}});
    const MakeRequest request = with_fields(make, fields);
    all.push_back(specimen_of({.name = name,
                               .words = "a triangle with weights from 1 to 9, epsilon 1",
                               .neighbours = fmt::format("its second weight moved from 1 to {}", moved),
                               .first_request = request,
                               .second_request = request,
                               .first = triangle_of({3, 1, 6}),
                               .second = triangle_of({3, moved, 6}),
                               .claimed_loss = 1},
                              caller));
  };
  add("weights blocks", weights_release, {{"mechanism", "blocks"}, {"anyway", true}}, 9);
  const Json change{{"unit", "change"}, {"most", "4"}};
  for (const char* mechanism : {"geometric", "staircase"}) {
    Json fields = change;
    fields.update({{"mechanism", mechanism}, {"anyway", true}});
    add(fmt::format("weights {}", mechanism), weights_release, fields, 5);
  }
  Json distances = change;
  distances["from"] = {"a"};
  add("weights distances", weights_distances, distances, 5);
  return all;
}

std::vector<Specimen> whole_traces(const ScratchFolder& /*folder*/, Caller& caller) {
  const MakeRequest request = with_fields(traces_release, {{"area", "0,0,6000,6000"},
                                                           {"plane", true},
                                                           {"epsilon", "1"},
                                                           {"trips-to-make", 9},
                                                           {"no-times", true},
                                                           {"anyway", true}});
  return {specimen_of({.name = "traces synthesis",
                       .words = "thirty trips in a square of 6 km, epsilon 1 for one trip",
                       .neighbours = "one trip more, along a side of the square",
                       .first_request = request,
                       .second_request = request,
                       .first = trips(31),
                       .second = trips(30),
                       .claimed_loss = 1},
                      caller)};
}

}  // namespace fogline::release
