// SPDX-License-Identifier: Apache-2.0
#include "place/terms.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "place/catalogue.hpp"
#include "place/gem.hpp"
#include "privacy/test_statement.hpp"
#include "roads/read_network.hpp"

namespace fogline::place::terms_test {
namespace {

using testing::HasSubstr;
using testing::SizeIs;
using testing::ThrowsMessage;

PlaceTerms line_terms() {
  return {.epsilon = {1, 100},
          .network = {.inputs = {{"network", "", "line:9:800"}}},
          .own = Gem::fixed_parameters({1, 100}),
          .range_vertices = 9,
          .snap = {.mean_m = 25, .largest_m = 50}};
}

privacy::Statement statement_of(const PlaceTerms& terms) {
  privacy::Statement statement = privacy::sample_statement();
  statement.mechanism = terms.mechanism;
  statement.parameters = terms.parameters();
  statement.public_inputs = terms.public_inputs();
  return statement;
}

TEST(PlaceTerms, OneReportCostsEpsilon) {
  EXPECT_EQ(to_string(line_terms().guarantee()),
            "metric DP, epsilon 0.01 per metre, protecting one report, by distance on line:9:800, exact");
  EXPECT_THAT(line_terms().promise(), SizeIs(3));
  EXPECT_THAT(line_terms().promise()[0],
              HasSubstr("1.65 times at 50 m, 2.72 times at 100 m, 7.39 times at 200 m."));
  EXPECT_THAT(line_terms().not_protected(), SizeIs(5));
}

TEST(PlaceTerms, TheMechanismSaysTheSame) {
  const roads::RoadNetwork line = roads::make_network("line:9:800");
  PlaceTerms terms = line_terms();
  const Gem gem(line.graph, {.epsilon = terms.epsilon, .unit = terms.unit_of_report()});
  terms.take(gem);
  EXPECT_EQ(gem.guarantee(), terms.guarantee());
  EXPECT_EQ(terms.parameters(), line_terms().parameters());
  EXPECT_EQ(terms.parameters()["cap_m"], gem.cap_m());
  EXPECT_EQ(terms.parameters()["tail_weight_log2"], -36);
}

TEST(PlaceTerms, AllOfAPersonsReportsCostTheirSum) {
  PlaceTerms terms = line_terms();
  terms.reports_per_person = 7;
  EXPECT_EQ(to_string(terms.guarantee()),
            "metric DP, epsilon 0.07 per metre, protecting one person's reports, at most 7, by distance on "
            "line:9:800, "
            "exact");
  EXPECT_THAT(terms.promise(), SizeIs(4));
  EXPECT_THAT(terms.promise()[3], HasSubstr("exp(7 * 0.01 * d)"));
  EXPECT_FALSE(terms.guarantee().covers_person());  // as statements from before, which say nothing of persons
  terms.persons = privacy::Persons::declared;
  EXPECT_TRUE(terms.guarantee().covers_person());
  EXPECT_THAT(terms.promise()[4], HasSubstr("was declared"));
  terms.too_far = TooFar::leave_out;  // a record that is not there tells where it lay
  EXPECT_FALSE(terms.guarantee().covers_person());
  terms.too_far = TooFar::nearest;
  EXPECT_TRUE(terms.guarantee().covers_person());
  terms.columns_copied = {"user_id"};  // and so does what is copied
  EXPECT_FALSE(terms.guarantee().covers_person());
  EXPECT_EQ(terms_from("gem", terms.parameters(), terms.public_inputs()).guarantee(), terms.guarantee());
  terms.columns_copied.clear();
  terms.too_many = privacy::TooMany::leave_out;
  EXPECT_THAT(terms.not_protected(), testing::Contains(HasSubstr("after the first 7 of their person")));
  terms.reports_per_person = 1'000'000;
  EXPECT_THROW(terms.guarantee(), InvalidOption);
}

TEST(PlaceTerms, ARecordThatIsLeftOutIsNoNeighbourOfAny) {
  PlaceTerms terms = line_terms();
  terms.too_far = TooFar::leave_out;
  terms.max_snap_m = 250;
  EXPECT_EQ(
      to_string(terms.guarantee()),
      "metric DP, epsilon 0.01 per metre, protecting one report within 250 m of the network, by distance "
      "on line:9:800, exact");
  EXPECT_THAT(terms.promise()[2], HasSubstr("only for positions within 250 m"));
  EXPECT_THAT(terms.not_protected(), testing::Contains(HasSubstr("farther than 250 m")));
  terms.reports_per_person = 2;
  EXPECT_THAT(terms.guarantee().unit(),
              HasSubstr("one person's reports within 250 m of the network, at most 2"));
}

TEST(PlaceTerms, WhereEveryPositionIsMovedTheDistanceTellsNothing) {
  PlaceTerms terms = line_terms();
  EXPECT_THAT(terms.not_protected(), testing::Contains(HasSubstr("within 500 m of a vertex")));
  terms.too_far = TooFar::nearest;
  EXPECT_EQ(terms.guarantee(), line_terms().guarantee());
  EXPECT_THAT(terms.not_protected(), SizeIs(4));
  EXPECT_EQ(terms.parameters()["too_far"], "nearest");
}

TEST(PlaceTerms, PromiseTheSameAtAnySpacing) {
  PlaceTerms terms = line_terms();
  terms.network.inputs = {{"x.osm.pbf", std::string(64, 'b'), ""}};
  PlaceTerms fine = terms;
  fine.network.reading.spacing_mm = 33'333;
  EXPECT_EQ(fine.guarantee(), terms.guarantee());
  EXPECT_EQ(fine.promise(), terms.promise());
  EXPECT_EQ(fine.parameters()["spacing_m"], 33.333);
  EXPECT_FALSE(terms.parameters().contains("spacing_m"));
}

TEST(PlaceTerms, RefuseASpacingThatIsNone) {
  for (const char* wrong : {"-1.0", "0.0", "0.0001", "5e6", "\"100\"", "33.3333"}) {
    privacy::Statement statement = statement_of(line_terms());
    nlohmann::ordered_json parameters = statement.parameters.json();
    parameters["spacing_m"] = nlohmann::ordered_json::parse(wrong);
    statement.parameters = parameters;
    EXPECT_THROW(terms_from(statement), InvalidOption) << wrong;
  }
}

TEST(PlaceTerms, CopiedColumnsAreNotProtected) {
  PlaceTerms terms = line_terms();
  terms.columns_copied = {"t", "user_id"};
  EXPECT_EQ(terms.not_protected().back(), "The columns copied unchanged from the input: t, user_id.");
}

TEST(PlaceTerms, AreReadBackAsTheyWereWritten) {
  EXPECT_TRUE(rc::check([] {
    PlaceTerms terms = line_terms();
    terms.epsilon = privacy::EpsilonPerMetre(*rc::gen::inRange<std::uint64_t>(1, 1000),
                                             *rc::gen::inRange<std::uint64_t>(1, 100));
    terms.own = Gem::fixed_parameters(terms.epsilon);
    terms.range_vertices = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
    terms.max_snap_m = *rc::gen::inRange(1, 1'000'000) / 7.0;
    terms.reports_per_person = *rc::gen::inRange<std::uint64_t>(0, 20);
    if (terms.reports_per_person > 0) {
      terms.persons = *rc::gen::element(privacy::Persons::unsaid, privacy::Persons::column,
                                        privacy::Persons::file, privacy::Persons::declared);
      terms.too_many = *rc::gen::element(privacy::TooMany::refuse, privacy::TooMany::leave_out);
    }
    if (*rc::gen::arbitrary<bool>()) terms.columns_copied = {"user_id", "traj_id"};
    if (*rc::gen::arbitrary<bool>()) terms.range = privacy::PublicInput{"r.csv", std::string(64, 'a'), ""};
    if (*rc::gen::arbitrary<bool>()) terms.prior = privacy::PublicInput{"p.csv", std::string(64, 'd'), ""};
    terms.remap = *rc::gen::arbitrary<bool>();
    terms.too_far = *rc::gen::element(TooFar::refuse, TooFar::leave_out, TooFar::nearest);
    if (*rc::gen::arbitrary<bool>()) {
      terms.network.inputs = {{"x.gr", std::string(64, 'b'), ""}, {"x.co", std::string(64, 'c'), ""}};
    }
    terms.network.reading.length_unit_m = *rc::gen::inRange(1, 1000) / 3.0;
    terms.network.reading.spacing_mm = *rc::gen::inRange<graph::LengthMm>(0, 3'000'000);
    terms.snap = {*rc::gen::inRange(1, 1000) / 7.0, *rc::gen::inRange(1, 1000) / 3.0};
    const PlaceTerms again = terms_from(privacy::parse_statement(to_json(statement_of(terms)), "test"));
    RC_ASSERT(again.persons == terms.persons);
    RC_ASSERT(again.too_many == terms.too_many);
    RC_ASSERT(again.parameters() == terms.parameters());
    RC_ASSERT(again.public_inputs() == terms.public_inputs());
    RC_ASSERT(again.network.reading.spacing_mm == terms.network.reading.spacing_mm);
    RC_ASSERT(again.range == terms.range);
    RC_ASSERT(again.prior == terms.prior);
    RC_ASSERT(again.promise() == terms.promise());
    RC_ASSERT(again.not_protected() == terms.not_protected());
    RC_ASSERT(again.unit_of_report() == terms.unit_of_report());
    RC_ASSERT(again.network.inputs == terms.network.inputs);
  }));
}

class TermsFrom : public testing::Test {
 protected:
  void expect_refused(const std::string& why) {
    EXPECT_THAT([&] { terms_from(statement_); }, ThrowsMessage<InvalidOption>(HasSubstr(why)));
  }
  privacy::Statement statement_ = statement_of(line_terms());
};

TEST_F(TermsFrom, EveryMissingParameterIsNamed) {
  const auto honest = statement_.parameters;
  for (const auto& item : honest.json().items()) {
    statement_.parameters = honest;
    statement_.parameters.json().erase(item.key());
    expect_refused(item.key() + ": is missing");
  }
}

TEST_F(TermsFrom, EveryWrongTypeIsNamed) {
  const auto honest = statement_.parameters;
  for (const auto& item : honest.json().items()) {
    statement_.parameters = honest;
    statement_.parameters[item.key()] = nlohmann::ordered_json::array({1});
    expect_refused(item.key());
  }
}

TEST_F(TermsFrom, WhatItDoesNotKnowIsRefused) {
  statement_.parameters["colour"] = "blue";
  expect_refused("colour: is no parameter of this release");
}

TEST_F(TermsFrom, ValuesOutOfRangeAreRefused) {
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
  refuse("persons", "column");  // of how many is not said
  refuse("too_many", "leave-out");
  refuse("reports_per_person", 1'000'001);
  refuse("columns_copied", nlohmann::ordered_json::array());
  refuse("columns_copied", {"lon"});
  refuse("columns_copied", {"t", "t"});
  refuse("columns_copied", "t");
  refuse("remap", false);
  refuse("remap", 1);
  for (const char* rule : {"refuse", "clamp", ""}) refuse("too_far", rule);
  refuse("too_far", true);
  refuse("prior", "network");
  refuse("prior", 3);
}

TEST_F(TermsFrom, AnUnknownMechanismIsRefused) {
  statement_.mechanism = "jam";
  expect_refused("is one of");
}

TEST_F(TermsFrom, APriorCannotBePassedOffAsARange) {
  PlaceTerms terms = line_terms();
  terms.prior = privacy::PublicInput{"p.csv", std::string(64, 'd'), ""};
  statement_ = statement_of(terms);
  statement_.parameters["prior"] = "q.csv";
  expect_refused("prior: is not the name of the last public input");
  // Without the parameter the file is read as a range: another number of outputs, and other words.
  statement_.parameters.json().erase("prior");
  EXPECT_NE(terms_from(statement_).not_protected(), terms.not_protected());
}

TEST_F(TermsFrom, PointsOfThePlaneHaveNeitherRangeNorRemap) {
  const roads::RoadNetwork line = roads::make_network("line:9:800");
  PlaceTerms terms = line_terms();
  terms.mechanism = "plm";
  const auto plm =
      make_place_mechanism(line, {.name = "plm", .epsilon = terms.epsilon, .unit = terms.unit_of_report()});
  terms.take(*plm);
  EXPECT_EQ(terms.guarantee(), plm->guarantee());
  EXPECT_FALSE(terms.parameters().contains("range_vertices"));
  EXPECT_THAT(terms.promise(), SizeIs(4));
  EXPECT_THAT(terms.promise().back(), HasSubstr("points of the plane"));
  EXPECT_EQ(terms.stated(plm->expected_error()).method,
            "mean straight distance on the plane from truth to output, the same from every vertex");
  statement_ = statement_of(terms);
  EXPECT_EQ(terms_from(statement_).parameters(), terms.parameters());
  statement_.parameters["range_vertices"] = 9;
  expect_refused("range_vertices: is no parameter of this release");
  statement_ = statement_of(terms);
  statement_.parameters["remap"] = true;
  expect_refused("remap: is about vertices, and plm releases points");
  statement_ = statement_of(terms);
  statement_.public_inputs.push_back({"r.csv", std::string(64, 'd'), ""});
  expect_refused("public_inputs: is about vertices");
  statement_ = statement_of(terms);
  statement_.parameters.json().erase("stretch");
  expect_refused("stretch: is missing");
}

TEST(PlaceTerms, NoMechanismsOwnParameterHidesACommonOne) {
  PlaceTerms common = line_terms();
  common.own = nlohmann::ordered_json::object();
  common.remap = true;
  common.prior = privacy::PublicInput{"p.csv", std::string(64, 'd'), ""};
  common.reports_per_person = 2;
  common.columns_copied = {"t"};
  common.too_far = TooFar::nearest;
  for (const MechanismKind& kind : mechanism_kinds()) {
    for (const std::string_view name : kind.parameters)
      EXPECT_FALSE(common.parameters().contains(std::string(name))) << kind.name << " " << name;
  }
}

TEST(PlaceTerms, ARemapAndAPriorAreSaid) {
  PlaceTerms terms = line_terms();
  terms.remap = true;
  terms.prior = privacy::PublicInput{"p.csv", std::string(64, 'd'), ""};
  EXPECT_THAT(terms.promise().back(), HasSubstr("takes nothing from the promise"));
  EXPECT_THAT(terms.not_protected().back(), HasSubstr("The prior: it is taken to be public"));
  EXPECT_EQ(terms.guarantee(), line_terms().guarantee());
}

TEST_F(TermsFrom, InputsMustBeANetworkAndPerhapsARange) {
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
  PlaceTerms terms = line_terms();
  EXPECT_EQ(terms.stated({100.5, 0, 9}).method,
            "mean road distance from truth to output, every vertex equally likely");
  EXPECT_EQ(terms.stated({100.5, 2.04, 200}).method,
            "mean road distance from truth to output, over 200 vertices chosen by a public rule, standard "
            "error 2.0 m");
  terms.prior = privacy::PublicInput{"p.csv", std::string(64, 'd'), ""};
  EXPECT_EQ(terms.stated({100.5, 0, 9}).method,
            "mean road distance from truth to output, each vertex as likely as the prior says");
  EXPECT_EQ(
      terms.stated({100.5, 2.04, 200}).method,
      "mean road distance from truth to output, over 200 vertices chosen by a public rule, each as likely "
      "as the prior says, standard error 2.0 m");
}

}  // namespace
}  // namespace fogline::place::terms_test
