// SPDX-License-Identifier: Apache-2.0
#include "privacy/parameters.hpp"

#include <utility>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace fogline::privacy::parameters_test {
namespace {

using Json = nlohmann::ordered_json;

TEST(Parameters, AreNoneAtFirst) {
  EXPECT_EQ(Parameters().json(), Json::object());
}

TEST(Parameters, KeepTheOrderOfReading) {
  Parameters parameters = Json{{"range", "all"}, {"epsilon", "1"}};
  parameters["cap"] = 3;
  EXPECT_EQ(parameters.json().dump(), R"({"range":"all","epsilon":"1","cap":3})");
}

TEST(Parameters, HoldWhateverJsonTheyAreMadeFrom) {
  // Whether it is an object is for require_valid to say.
  EXPECT_EQ(Parameters(Json::array({1, 2})).json().dump(), "[1,2]");
}

TEST(Parameters, OfACopyAreItsOwn) {
  Parameters first = Json{{"k", 5}};
  Parameters second = first;
  second["k"] = 6;
  EXPECT_EQ(first["k"], 5);
  EXPECT_NE(first, second);
  first = second;
  EXPECT_EQ(first, second);
  second["k"] = 7;
  EXPECT_EQ(first["k"], 6);
}

TEST(Parameters, CopiedOntoThemselvesStay) {
  Parameters parameters = Json{{"k", 5}};
  const Parameters& same = parameters;
  parameters = same;
  EXPECT_EQ(parameters["k"], 5);
}

TEST(Parameters, MoveAndComeBackByAssignment) {
  Parameters first = Json{{"k", 5}};
  Parameters second = std::move(first);
  EXPECT_EQ(second["k"], 5);
  first = Json{{"k", 6}};
  EXPECT_EQ(first["k"], 6);
  first = std::move(second);
  EXPECT_EQ(first["k"], 5);
}

}  // namespace
}  // namespace fogline::privacy::parameters_test
