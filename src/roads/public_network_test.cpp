// SPDX-License-Identifier: Apache-2.0
#include "roads/public_network.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/plain_text.hpp"

namespace fogline::roads::public_network_test {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

const std::string some_hash(64, 'a');

using privacy::parameters_of;

PublicNetwork read_back(const nlohmann::ordered_json& parameters) {
  PublicNetwork network;
  privacy::read_parameters(parameters, network);
  privacy::require_spelling(parameters, parameters_of(network));
  return network;
}

TEST(PublicNetwork, ASpecificationIsItsOwnName) {
  EXPECT_EQ((PublicNetwork{.inputs = {{"network", "", "line:9:800"}}}.identity()), "line:9:800");
}

TEST(PublicNetwork, AFileIsKnownByNameAndHash) {
  const PublicNetwork network{.inputs = {{"roads.osm.pbf", some_hash, ""}}};
  const std::string hashed = some_hash +
                             "\nnetwork_mode=drivable\nnetwork_detail=junctions\nnetwork_components="
                             "largest\nnetwork_length_unit_m=0.1\n";
  EXPECT_EQ(network.identity(), "roads.osm.pbf " + privacy::sha256_of_text(hashed).substr(0, 8));
}

TEST(PublicNetwork, EveryFileAndEveryReadingOptionMatters) {
  const PublicNetwork plain{.inputs = {{"a.gr", some_hash, ""}, {"a.co", some_hash, ""}}};
  PublicNetwork other = plain;
  other.inputs[1].sha256[0] = 'b';
  EXPECT_NE(other.identity(), plain.identity());
  for (const ReadOptions& reading :
       {ReadOptions{.mode = TravelMode::walkable}, ReadOptions{.detail = Detail::shape_points},
        ReadOptions{.largest_component = false}, ReadOptions{.length_unit_m = 1}}) {
    EXPECT_NE((PublicNetwork{.inputs = plain.inputs, .reading = reading}.identity()), plain.identity());
  }
}

TEST(PublicNetwork, WhereFilesLieDoesNotMatter) {
  const PublicNetwork plain{.inputs = {{"a.gr", some_hash, ""}, {"a.co", some_hash, ""}}};
  EXPECT_EQ((PublicNetwork{.inputs = plain.inputs, .reading = {.coordinates = "/x/a.co"}}.identity()),
            plain.identity());
}

TEST(PublicNetwork, HowFineRoadsAreCutDoesNotMatter) {
  // Distances are the same at any spacing (spacing_test.cpp), so it is the same metric, and the same book in a ledger.
  const PublicNetwork plain{.inputs = {{"a.osm.pbf", some_hash, ""}}};
  EXPECT_EQ((PublicNetwork{.inputs = plain.inputs, .reading = {.spacing_mm = 50'000}}.identity()),
            plain.identity());
}

TEST(PublicNetwork, ALongNameIsCutBetweenCharacters) {
  std::string name = std::string(59, 'x');
  for (int i = 0; i < 20; ++i) name += "\u00e4";
  const std::string identity = PublicNetwork{.inputs = {{name + ".osm", some_hash, ""}}}.identity();
  EXPECT_TRUE(privacy::is_plain_text(identity));
  EXPECT_THAT(identity, testing::StartsWith(std::string(59, 'x') + " "));
}

TEST(PublicNetwork, ParametersAreReadBackAsTheyWereWritten) {
  for (const TravelMode mode : {TravelMode::drivable, TravelMode::walkable, TravelMode::all}) {
    for (const Detail detail : {Detail::junctions, Detail::shape_points}) {
      const PublicNetwork network{
          .reading = {.mode = mode, .detail = detail, .largest_component = false, .length_unit_m = 0.3048}};
      EXPECT_EQ(parameters_of(read_back(parameters_of(network))), parameters_of(network));
    }
  }
}

TEST(PublicNetwork, ParametersItWouldNotWriteAreRefused) {
  const auto good = parameters_of(PublicNetwork{});
  for (const auto& [name, value] : good.items()) {
    auto bad = good;
    bad.erase(name);
    EXPECT_THAT([&] { read_back(bad); }, ThrowsMessage<InvalidOption>(HasSubstr(name + ": is missing")));
    for (const nlohmann::ordered_json& wrong :
         {nlohmann::ordered_json(1), nlohmann::ordered_json("?"), nlohmann::ordered_json("0.10"),
          nlohmann::ordered_json("-1")}) {
      bad[name] = wrong;
      EXPECT_THAT([&] { read_back(bad); }, ThrowsMessage<InvalidOption>(HasSubstr(name)));
    }
  }
}

TEST(PublicNetwork, WithoutInputsItHasNoName) {
  EXPECT_THROW(PublicNetwork{}.identity(), InvalidOption);
}

}  // namespace
}  // namespace fogline::roads::public_network_test
