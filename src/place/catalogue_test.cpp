// SPDX-License-Identifier: Apache-2.0
#include "place/catalogue.hpp"

#include <limits>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "roads/read_network.hpp"

namespace fogline::place::catalogue_test {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::set<std::string> names_in(const nlohmann::ordered_json& object) {
  std::set<std::string> names;
  for (const auto& item : object.items()) names.insert(item.key());
  return names;
}

class Catalogue : public testing::Test {
 protected:
  void expect_refused(const MechanismChoice& choice, const std::string& why) const {
    EXPECT_THAT([&] { make_place_mechanism(map_, choice); }, ThrowsMessage<InvalidOption>(HasSubstr(why)));
  }
  roads::RoadNetwork map_ = roads::make_network("lattice:4x4:300");
};

TEST_F(Catalogue, EveryMechanismIsWhatItsKindSays) {
  for (const MechanismKind& kind : mechanism_kinds()) {
    if (kind.from_file) continue;  // given_table_test.cpp
    const auto mechanism = make_place_mechanism(
        map_, {.name = std::string(kind.name), .epsilon = {1, 100}, .unit = "one report, somewhere"});
    EXPECT_EQ(mechanism->name(), kind.name);
    EXPECT_EQ(mechanism->on_vertices() == nullptr, kind.releases_points()) << kind.name;
    EXPECT_EQ(mechanism->guarantee(),
              privacy::Guarantee::metric({1, 100}, "one report, somewhere", kind.exactness))
        << kind.name;
    const nlohmann::ordered_json own = mechanism->parameters();
    EXPECT_EQ(names_in(own), std::set<std::string>(kind.parameters.begin(), kind.parameters.end()))
        << kind.name;
    if (kind.fixed == nullptr) continue;
    const nlohmann::ordered_json fixed = kind.fixed({1, 100});
    for (const auto& item : fixed.items()) EXPECT_EQ(own[item.key()], item.value()) << kind.name;
  }
}

TEST_F(Catalogue, BadChoicesAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_refused({.name = "jam", .epsilon = {1, 100}}, "is one of");
  for (const std::string_view name : mechanism_names()) {
    MechanismChoice choice{.name = std::string(name), .epsilon = {1, 1'000'000}};
    expect_refused(choice, "must be a number from 0.00001 to 1000");
    choice.epsilon = privacy::EpsilonPerMetre{1, 100};
    choice.prior = {1};
    expect_refused(choice, "prior: has 1 numbers for 16 vertices");
    choice.prior.assign(16, 0.1);
    expect_refused(choice, "prior: does not sum to 1");
    choice.prior.assign(16, nan);
    expect_refused(choice, "prior: holds a number outside 0 to 1");
    choice.prior.clear();
    choice.range = {16};
    expect_refused(choice, "range");
    choice.range = {3, 3};
    expect_refused(choice, "range");
  }
}

// By the size of the map and epsilon alone, so that everybody gets the same.
TEST(Settled, TheMapDecides) {
  const privacy::EpsilonPerMetre fine{1, 100}, coarse{1, 100'000};
  const auto name_on = [](const std::string& map, const privacy::EpsilonPerMetre& epsilon) {
    return settled(roads::make_network(map).graph, epsilon).name;
  };
  EXPECT_EQ(name_on("lattice:10x100:10000", fine), "optimal");
  EXPECT_EQ(name_on("line:1001:1000", fine), "tight");
  EXPECT_EQ(name_on("lattice:80x80:8000", fine), "tight");
  EXPECT_EQ(name_on("lattice:160x160:16000", fine), "tight");
  EXPECT_EQ(name_on("lattice:160x160:16000", coarse), "gem") << "every search meets every vertex";
  const auto pieces = graph::Graph::from_edges(4, std::vector<graph::Edge>{{0, 1, 1000}, {2, 3, 1000}});
  EXPECT_EQ(settled(pieces, fine).name, "tight");
  EXPECT_THAT(settled(pieces, fine).why, HasSubstr("not in one piece"));
}

TEST_F(Catalogue, AutoIsTheMechanismThatItStandsFor) {
  const MechanismChoice left_open{.epsilon = {1, 100}}, named{.name = "optimal", .epsilon = {1, 100}};
  const auto settled_one = make_mechanism(map_, left_open), same_one = make_mechanism(map_, named);
  EXPECT_EQ(settled_one->name(), "optimal");
  EXPECT_EQ(settled_one->parameters(), same_one->parameters());
  for (graph::VertexId v = 0; v < map_.vertex_count(); ++v)
    EXPECT_EQ(settled_one->row(v).weights, same_one->row(v).weights);
  MechanismChoice moved = left_open;
  moved.remap = true;
  EXPECT_EQ(make_place_mechanism(map_, moved)->name(), "optimal");
  moved.range = {99};
  expect_refused(moved, "range");
}

TEST_F(Catalogue, PointsOfThePlaneHaveNeitherRangeNorRemapNorTable) {
  expect_refused({.name = "plm", .epsilon = {1, 100}, .range = {3}},
                 "range: is about vertices, and plm releases points of the plane; take plmg");
  expect_refused({.name = "plm", .epsilon = {1, 100}, .remap = true}, "remap: is about vertices");
  EXPECT_THAT(
      [&] {
        make_mechanism(map_, {.name = "plm", .epsilon = {1, 100}});
      },
      ThrowsMessage<InvalidOption>(HasSubstr("vertices are needed here; take plmg")));
}

}  // namespace
}  // namespace fogline::place::catalogue_test
