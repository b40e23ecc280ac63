// SPDX-License-Identifier: Apache-2.0
#include "place/gem_statement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "privacy/test_statement.hpp"
#include "roads/read_network.hpp"

namespace fogline::place {
namespace {

using testing::HasSubstr;
using testing::SizeIs;
using testing::ThrowsMessage;

GemTerms line_terms() {
  return {.epsilon = {1, 100}, .network = {.inputs = {{"network", "", "line:9:800"}}}, .range_vertices = 9};
}

privacy::Statement statement_of(const GemTerms& terms) {
  privacy::Statement statement = privacy::sample_statement();
  statement.parameters = terms.parameters();
  statement.public_inputs = terms.public_inputs();
  return statement;
}

TEST(GemTerms, OneReportCostsEpsilon) {
  EXPECT_EQ(to_string(line_terms().guarantee()),
            "metric DP, epsilon 0.01 per metre, protecting one report, by distance on line:9:800, exact");
  EXPECT_THAT(line_terms().promise(), SizeIs(3));
  EXPECT_THAT(line_terms().promise()[0],
              HasSubstr("1.65 times at 50 m, 2.72 times at 100 m, 7.39 times at 200 m."));
  EXPECT_THAT(line_terms().not_protected(), SizeIs(4));
}

TEST(GemTerms, TheMechanismSaysTheSame) {
  const roads::RoadNetwork line = roads::make_network("line:9:800");
  const GemTerms terms = line_terms();
  const Gem gem(line.graph, {.epsilon = terms.epsilon, .unit = terms.unit_of_report()});
  EXPECT_EQ(gem.guarantee(), terms.guarantee());
  EXPECT_EQ(gem.cap_m(), gem_cap_m(terms.epsilon));
  EXPECT_EQ(gem.cap_m(), terms.parameters()["cap_m"]);
}

TEST(GemTerms, AllOfAPersonsReportsCostTheirSum) {
  GemTerms terms = line_terms();
  terms.reports_per_person = 7;
  EXPECT_EQ(to_string(terms.guarantee()),
            "metric DP, epsilon 0.07 per metre, protecting one person's reports, at most 7, by distance on "
            "line:9:800, "
            "exact");
  EXPECT_THAT(terms.promise(), SizeIs(4));
  EXPECT_THAT(terms.promise()[3], HasSubstr("exp(7 * 0.01 * d)"));
  terms.reports_per_person = 1'000'000;
  EXPECT_THROW(terms.guarantee(), InvalidOption);
}

TEST(GemTerms, CopiedColumnsAreNotProtected) {
  GemTerms terms = line_terms();
  terms.columns_copied = {"t", "user_id"};
  EXPECT_EQ(terms.not_protected().back(), "The columns copied unchanged from the input: t, user_id.");
}

TEST(GemTerms, AreReadBackAsTheyWereWritten) {
  EXPECT_TRUE(rc::check([] {
    GemTerms terms = line_terms();
    terms.epsilon = privacy::EpsilonPerMetre(*rc::gen::inRange<std::uint64_t>(1, 1000),
                                             *rc::gen::inRange<std::uint64_t>(1, 100));
    terms.range_vertices = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
    terms.max_snap_m = *rc::gen::inRange(1, 1'000'000) / 7.0;
    terms.reports_per_person = *rc::gen::inRange<std::uint64_t>(0, 20);
    if (*rc::gen::arbitrary<bool>()) terms.columns_copied = {"user_id", "traj_id"};
    if (*rc::gen::arbitrary<bool>()) terms.range = privacy::PublicInput{"r.csv", std::string(64, 'a'), ""};
    if (*rc::gen::arbitrary<bool>()) {
      terms.network.inputs = {{"x.gr", std::string(64, 'b'), ""}, {"x.co", std::string(64, 'c'), ""}};
    }
    terms.network.reading.length_unit_m = *rc::gen::inRange(1, 1000) / 3.0;
    const GemTerms again = gem_terms_from(privacy::parse_statement(to_json(statement_of(terms)), "test"));
    RC_ASSERT(again.parameters() == terms.parameters());
    RC_ASSERT(again.public_inputs() == terms.public_inputs());
    RC_ASSERT(again.network.inputs == terms.network.inputs);
  }));
}

class GemTermsFrom : public testing::Test {
 protected:
  void expect_refused(const std::string& why) {
    EXPECT_THAT([&] { gem_terms_from(statement_); }, ThrowsMessage<InvalidOption>(HasSubstr(why)));
  }
  privacy::Statement statement_ = statement_of(line_terms());
};

TEST_F(GemTermsFrom, EveryMissingParameterIsNamed) {
  const auto honest = statement_.parameters;
  for (const auto& item : honest.items()) {
    statement_.parameters = honest;
    statement_.parameters.erase(item.key());
    expect_refused(item.key() + ": is missing");
  }
}

TEST_F(GemTermsFrom, EveryWrongTypeIsNamed) {
  const auto honest = statement_.parameters;
  for (const auto& item : honest.items()) {
    statement_.parameters = honest;
    statement_.parameters[item.key()] = nlohmann::ordered_json::array({1});
    expect_refused(item.key());
  }
}

TEST_F(GemTermsFrom, WhatItDoesNotKnowIsRefused) {
  statement_.parameters["colour"] = "blue";
  expect_refused("colour: is no parameter of place gem");
}

TEST_F(GemTermsFrom, ValuesOutOfRangeAreRefused) {
  const auto honest = statement_.parameters;
  const auto refuse = [&](const std::string& name, const nlohmann::ordered_json& value) {
    statement_.parameters = honest;
    statement_.parameters[name] = value;
    expect_refused(name);
  };
  for (const char* text : {"0", "1001", "0.000001", "-1", "x", ""}) refuse("epsilon_per_metre", text);
  // Its own value in other words: one number has one text.
  for (const char* text : {"0.010", "1/100", "1e-2", ".01"}) refuse("epsilon_per_metre", text);
  refuse("cap_m", 4990.0);
  refuse("tail_weight_log2", -35);
  refuse("tail_weight_log2", -36.0);
  for (const double metres : {0.0, -1.0, 1e8}) refuse("max_snap_m", metres);
  refuse("range_vertices", 0);
  refuse("range_vertices", -3);
  refuse("range_vertices", std::uint64_t{1} << 63U);
  refuse("reports_per_person", 0);
  refuse("reports_per_person", 1'000'001);
  refuse("columns_copied", nlohmann::ordered_json::array());
  refuse("columns_copied", {"lon"});
  refuse("columns_copied", {"t", "t"});
  refuse("columns_copied", "t");
}

TEST_F(GemTermsFrom, InputsMustBeANetworkAndPerhapsARange) {
  const std::string hash(64, 'a');
  const auto refuse = [&](std::vector<privacy::PublicInput> inputs) {
    statement_.public_inputs = std::move(inputs);
    expect_refused("");
  };
  refuse({});
  refuse({{"map", "", "line:9:800"}});
  refuse({{"network", "", "moon"}});
  refuse({{"network", "", "line:9:800"}, {"network", "", "line:9:800"}});
  refuse({{"network", "", "line:9:800"}, {"r.csv", hash, ""}, {"s.csv", hash, ""}});
  refuse({{"roads.txt", hash, ""}});
  refuse({{"x.gr", hash, ""}});
  refuse({{"x.osm", hash, ""}, {"r.csv", hash, ""}, {"s.csv", hash, ""}});
}

TEST(StatedError, NamesItsMethod) {
  EXPECT_EQ(stated({100.5, 0, 9}).method,
            "mean road distance from truth to output, every vertex equally likely");
  EXPECT_EQ(stated({100.5, 2.04, 200}).method,
            "mean road distance from truth to output, over 200 vertices chosen by a public rule, standard "
            "error 2.0 m");
}

}  // namespace
}  // namespace fogline::place
