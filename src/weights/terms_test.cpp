// SPDX-License-Identifier: Apache-2.0
#include "weights/terms.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "weights/paper/published_terms.hpp"

namespace fogline::weights::terms_test {
namespace {

using testing::Contains;
using testing::HasSubstr;

const privacy::PublicInput some_file{"some.csv", std::string(64, 'a'), ""};

WeightTerms edge_terms() {
  return {
      .mechanism = "blocks", .epsilon = privacy::Epsilon{5, 1}, .grid = WeightGrid::parse("100:600", "1")};
}

std::vector<WeightTerms> all_kinds() {
  std::vector<WeightTerms> all{edge_terms()};
  all.push_back(edge_terms());
  all.back().prior = PriorSource::noisy;
  all.back().prior_share = Rational(1, 10);
  all.push_back(edge_terms());
  all.back().prior = PriorSource::file;
  all.back().prior_file = some_file;
  all.back().order_file = some_file;
  all.back().rounding = Rounding::nearest;
  all.push_back({.mechanism = "geometric",
                 .epsilon = privacy::Epsilon{1, 3},
                 .grid = WeightGrid::parse("0:", "0.5"),
                 .protection = {.unit = ProtectedUnit::change, .most = Rational(2)},
                 .positive = true,
                 .directed = true,
                 .finish = Finish::median,
                 .groups = "file",
                 .groups_file = some_file});
  all.push_back({.mechanism = "geometric",
                 .epsilon = privacy::Epsilon{1, 1},
                 .grid = WeightGrid::parse("0:1000", "1"),
                 .protection = {.unit = ProtectedUnit::trip, .most = Rational(30)},
                 .finish = Finish::mean,
                 .groups = "degrees"});
  all.push_back(all.back());
  all.back().grid = WeightGrid::parse("0:1000", "1", true);
  all.back().protection.per_person = 4;
  all.back().protection.persons = privacy::Persons::declared;
  return all;
}

TEST(WeightTerms, AreReadBackFromTheirStatement) {
  for (const WeightTerms& terms : all_kinds()) {
    const privacy::Statement draft = terms.draft({});
    const WeightTerms again = terms_from(draft);
    EXPECT_EQ(again.guarantee(), terms.guarantee());
    EXPECT_EQ(again.parameters(), terms.parameters());
    EXPECT_EQ(again.public_inputs(), terms.public_inputs());
    EXPECT_EQ(again.promise(), terms.promise());
    EXPECT_EQ(again.not_protected(), terms.not_protected());
  }
}

TEST(WeightTerms, SayWhatIsProtected) {
  EXPECT_EQ(to_string(edge_terms().guarantee()),
            "pure DP, epsilon 5, protecting one edge's whole weight, in 100:600, exact");
  EXPECT_THAT(edge_terms().promise(), Contains(HasSubstr("149 times as likely")));
  EXPECT_THAT(all_kinds()[1].promise(), Contains(HasSubstr("Of epsilon, 0.5 is for a histogram")));
  EXPECT_THAT(all_kinds()[4].promise(), Contains(HasSubstr("each of at most 30 edges")));
  EXPECT_THAT(all_kinds()[4].not_protected(), Contains(HasSubstr("Several trips")));
  EXPECT_EQ(all_kinds()[5].guarantee().epsilon(), Rational(4));
  EXPECT_TRUE(all_kinds()[5].guarantee().covers_person());
  EXPECT_THAT(all_kinds()[5].promise(), Contains(HasSubstr("exp(4 * 1) times as likely")));
  EXPECT_THAT(all_kinds()[5].not_protected(),
              Contains(HasSubstr("outside the range count as the nearest end")));
}

TEST(WeightTerms, ChargeTheWholeEpsilonAndGiveTheWeightsTheRest) {
  const WeightTerms noisy = all_kinds()[1];
  EXPECT_EQ(noisy.guarantee().epsilon(), Rational(5));
  EXPECT_EQ(noisy.epsilon_of_weights().value(), Rational(9, 2));
  EXPECT_FALSE(noisy.expected_error({}).has_value());
  EXPECT_NEAR(edge_terms().expected_error({})->value, 22.00, 0.01);
}

TEST(WeightTerms, RefuseParametersThatDoNotFit) {
  const auto refused = [](const std::function<void(privacy::Statement&)>& change, const WeightTerms& terms) {
    privacy::Statement draft = terms.draft({});
    change(draft);
    EXPECT_THROW(terms_from(draft), InvalidOption) << draft.parameters.json().dump();
  };
  using Statement = privacy::Statement;
  const WeightTerms edge = edge_terms(), trip = all_kinds()[4];
  refused([](Statement& s) { s.parameters["epsilon"] = 5; }, edge);
  refused([](Statement& s) { s.parameters["epsilon"] = "5.0"; }, edge);
  refused([](Statement& s) { s.parameters["epsilon"] = "0"; }, edge);
  refused([](Statement& s) { s.parameters["range"] = "100:"; }, edge);
  refused([](Statement& s) { s.parameters["range"] = "100:600.0"; }, edge);
  refused([](Statement& s) { s.parameters["unit"] = "node"; }, edge);
  refused([](Statement& s) { s.parameters["unit"] = "change"; }, edge);
  refused([](Statement& s) { s.parameters["most"] = "1"; }, edge);
  refused([](Statement& s) { s.parameters["extra"] = 1; }, edge);
  refused([](Statement& s) { s.parameters["prior"] = "file"; }, edge);
  refused([](Statement& s) { s.parameters.json().erase("estimate"); }, edge);
  refused([](Statement& s) { s.public_inputs.push_back(some_file); }, edge);
  refused([](Statement& s) { s.mechanism = "geometric"; }, edge);
  refused([](Statement& s) { s.parameters["directed"] = "no"; }, edge);
  refused([](Statement& s) { s.parameters["groups"] = "by the weight itself"; }, trip);
  refused([](Statement& s) { s.mechanism = "staircase"; }, trip);
  refused([](Statement& s) { s.mechanism = "blocks"; }, trip);
  refused([](Statement& s) { s.parameters["most"] = "1/2"; }, trip);
}

TEST(PublishedTerms, PromiseNothingAndSayWhy) {
  const privacy::Statement draft = published_draft(
      {.options = {.strategy = WeightsStrategy::mb_ci, .epsilon = 1, .range = WeightRange{100, 600}, .k = 5},
       .range = "100:600",
       .epsilon = privacy::Epsilon{1, 1}});
  EXPECT_EQ(draft.guarantee.notion(), privacy::Notion::none);
  EXPECT_THAT(draft.guarantee.reason(), HasSubstr("true order"));
  EXPECT_EQ(draft.form, privacy::Form::published);
  EXPECT_EQ(draft.parameters.json()["k"], 5);
}

}  // namespace
}  // namespace fogline::weights::terms_test
