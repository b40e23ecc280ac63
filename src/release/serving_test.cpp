// SPDX-License-Identifier: Apache-2.0
#include "release/serving.hpp"

#include <cmath>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "privacy/ledger_check.hpp"
#include "privacy/statement_check.hpp"
#include "privacy/test_folder.hpp"
#include "privacy/test_ledger.hpp"
#include "release/kinds.hpp"
#include "release/test_caller.hpp"

namespace fogline::release::serving_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using enum privacy::SubjectDecision::Outcome;
using Fields = nlohmann::ordered_json;

class ServingTest : public testing::Test {
 protected:
  class Clock : public TestCaller {
   public:
    std::int64_t now() const override { return now_s; }
    std::int64_t now_s = 1'700'000'000;
  };

  void declare(const std::string& cap) {
    handle_.get().add_dataset(
        {.dataset = "app", .caps = {privacy::Cap::parse(cap)}, .time_unix_s = clock_.now_s});
  }

  static std::unique_ptr<Release> request(const Fields& more = Fields::object()) {
    auto request = place_release();
    Fields fields{{"network", "lattice:20x20:100"},
                  {"mechanism", "gem"},
                  {"epsilon", "0.01"},
                  {"dataset", "app"},
                  {"anyway", true}};
    fields.update(more);
    FieldTable table;
    request->declare(table);
    set_fields(table, fields, {"input", "output"});
    return request;
  }

  Serving serving(const Fields& more = Fields::object(), const privacy::SubjectPolicy& policy = {}) {
    return {request(more), handle_, policy, clock_};
  }

  std::string refusal(const Fields& more) {
    try {
      serving(more);
    } catch (const Error& error) {
      return error.problem().field + ": " + error.what();
    }
    return "";
  }

  static Serving::Question at(const std::string& subject, double lon, double lat) {
    Serving::Question question{.subject = subject, .records = {}};
    question.records.hold("lon", std::vector<double>{lon}).hold("lat", std::vector<double>{lat});
    return question;
  }
  static Serving::Question marked(Serving::Question question, char key) {
    question.mark = privacy::RequestMark{std::string(32, key), std::string(32, 'b')};
    return question;
  }

  privacy::TestFolder folder_;
  std::string path_ = folder_.path("service.ledger");
  privacy::LedgerHandle handle_{path_, {}};
  Clock clock_;
  // Of the lattice, roughly its middle.
  static constexpr double lon_ = -29.9955, lat_ = 45.003;
};

TEST_F(ServingTest, AnswersAreReleasesOfTheirOwn) {
  declare("epsilon 0.1 per metre per subject in 24 h");
  Serving places = serving();
  const auto answers = places.answer({at("anna", lon_, lat_), at("bo", lon_, lat_), at("anna", lon_, lat_)});
  ASSERT_EQ(answers.size(), 3);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    EXPECT_EQ(answers[i].decision.outcome, charged);
    EXPECT_THAT(answers[i].text, testing::StartsWith("record,vertex,lon,lat\n1,"));
    const std::vector<std::string> rows = rows_as_json(answers[i].text);
    ASSERT_EQ(rows.size(), 1);
    const auto row = nlohmann::json::parse("{" + rows[0] + "}");
    EXPECT_TRUE(row.at("lon").is_number());
    EXPECT_TRUE(row.at("vertex").is_string());
    EXPECT_FALSE(row.contains("record"));
    const auto statement = places.statement(answers[i].decision.place);
    ASSERT_TRUE(statement);
    const std::string file = folder_.path("answer.csv");
    std::ofstream(file) << answers[i].text;
    for (const privacy::Check& check :
         privacy::verify(*statement, {.files = {{"-", file}}, .ledger = &handle_.get(), .trusted = {}}))
      EXPECT_NE(check.outcome, privacy::Outcome::failed) << check.name << ": " << check.sentence;
  }
  EXPECT_EQ(places.budget("anna").spent, Rational(2, 100));
  EXPECT_EQ(places.statement({1, 1}), std::nullopt);
  EXPECT_THAT(privacy::verify_ledger(path_, {}).findings, IsEmpty());
}

/// Noise that two answers shared would be no noise: of one batch, and of several.
TEST_F(ServingTest, NoTwoAnswersHaveTheSameNoise) {
  declare("epsilon 10 per metre per subject in 24 h");
  Serving places = serving();
  std::vector<Serving::Question> questions;
  for (int i = 0; i < 40; ++i) questions.push_back(at("s" + std::to_string(i), lon_, lat_));
  std::set<std::string> together, apart;
  for (const auto& answer : places.answer(questions)) together.insert(answer.text);
  for (const auto& question : questions) apart.insert(places.answer({question}).front().text);
  // Of 400 vertices: the same stream would have given one.
  EXPECT_GT(together.size(), 5);
  EXPECT_GT(apart.size(), 5);
}

TEST_F(ServingTest, WhereverSomebodyIsThereIsAnAnswer) {
  declare("epsilon 10 per metre per subject in 24 h");
  Serving places = serving();
  clock_.warnings.clear();
  for (const auto& [lon, lat] : {std::pair{lon_, lat_}, {0.0, 0.0}, {179.9, -89.9}, {-180.0, 90.0}})
    EXPECT_EQ(places.answer({at("anna", lon, lat)}).front().decision.outcome, charged);
  EXPECT_THAT(clock_.warnings, IsEmpty()) << "nothing of a position may be told";
}

TEST_F(ServingTest, OverTheBudgetTheLatestAnswerStaysAndItIsSaidWhenMoreComes) {
  declare("epsilon 0.02 per metre per subject in 24 h");
  Serving places = serving(Fields::object(), {.gives_latest = true});
  places.answer({at("anna", lon_, lat_)});
  clock_.now_s += 60;
  const std::string latest = places.answer({at("anna", lon_, lat_)}).front().text;
  clock_.now_s += 60;
  const auto answer = places.answer({at("anna", lon_, lat_ + 0.001)}).front();
  EXPECT_EQ(answer.decision.outcome, privacy::SubjectDecision::Outcome::latest);
  EXPECT_EQ(answer.text, latest);
  EXPECT_EQ(answer.decision.time_unix_s, clock_.now_s - 60);
  Serving refusing(request(), handle_, {}, clock_);
  const auto refused = refusing.answer({at("anna", lon_, lat_)}).front();
  EXPECT_EQ(refused.decision.outcome, over_budget);
  EXPECT_EQ(refused.text, "");
  EXPECT_EQ(refused.renews_s, clock_.now_s - 120 + 86'400 + 1);
}

TEST_F(ServingTest, AnswersRefreshByTheClockAlone) {
  declare("epsilon 1 per metre per subject in 24 h");
  clock_.now_s -= clock_.now_s % 900;
  Serving places = serving(Fields::object(), {.refresh_s = 900});
  const auto first = places.answer({at("anna", lon_, lat_)}).front();
  clock_.now_s += 899;
  const auto moved = places.answer({at("anna", lon_ + 0.004, lat_)}).front();
  EXPECT_EQ(moved.decision.outcome, current);
  EXPECT_EQ(moved.text, first.text);
  clock_.now_s += 1;
  EXPECT_EQ(places.answer({at("anna", lon_, lat_)}).front().decision.outcome, charged);
}

TEST_F(ServingTest, ListsAreChargedForEachOfTheirPositions) {
  declare("epsilon 0.03 per metre per subject in 24 h");
  Serving places = serving();
  Serving::Question list{.subject = "anna", .records = {}, .is_list = true};
  list.records.hold("lon", std::vector<double>(3, lon_)).hold("lat", std::vector<double>(3, lat_));
  const auto answer = places.answer({list}).front();
  EXPECT_EQ(rows_as_json(answer.text).size(), 3);
  EXPECT_EQ(places.statement(answer.decision.place)->outputs.front().records, 3);
  EXPECT_EQ(places.answer({at("anna", lon_, lat_)}).front().decision.outcome, over_budget);
}

TEST_F(ServingTest, TheSameRequestHasTheSameAnswerInAnotherProcess) {
  declare("epsilon 1 per metre per subject in 24 h");
  std::string first;
  {
    Serving places = serving();
    first = places.answer({marked(at("anna", lon_, lat_), 'a')}).front().text;
  }
  privacy::LedgerHandle other(path_, {});
  Serving again(request(), other, {}, clock_);
  EXPECT_EQ(again.answer({marked(at("anna", lon_, lat_), 'a')}).front().text, first);
  EXPECT_EQ(again.budget("anna").spent, Rational(1, 100));
}

/// Of two vertices, both answers have probabilities that are known: with half the noise, or none, or that of another record, others would come.
TEST_F(ServingTest, AnswersHaveTheNoiseThatIsPromised) {
  declare("epsilon 1000 per metre per subject in 24 h");
  Serving places = serving({{"network", "line:2:100"}, {"spacing", "none"}});
  constexpr std::size_t count = 20'000, alone = 2'000;
  Serving::Question list{.subject = "anna", .records = {}, .is_list = true};
  list.records.hold("lon", std::vector<double>(count, -30.0)).hold("lat", std::vector<double>(count, 45.0));
  std::vector<Serving::Question> questions{list};
  for (std::size_t i = 0; i < alone; ++i) questions.push_back(at("s" + std::to_string(i), -30.0, 45.0));
  std::map<std::string, double> seen_in_list, seen_alone;
  for (const Serving::Answer& answer : places.answer(questions))
    for (const std::string& row : rows_as_json(answer.text))
      ++(answer.text.size() > 100 ? seen_in_list : seen_alone)[row];
  const double kept =
      1 / (1 + std::exp(-0.01 * 100 / 2));  // of an exponential rule with half of epsilon a metre
  for (const auto& [seen, total] : {std::pair{seen_in_list, count}, {seen_alone, alone}}) {
    ASSERT_EQ(seen.size(), 2);
    double most = 0;
    for (const auto& [row, times] : seen) most = std::max(most, times / static_cast<double>(total));
    // 6.5 standard deviations: by chance in one of ten thousand million runs.
    EXPECT_NEAR(most, kept, 6.5 * std::sqrt(kept * (1 - kept) / static_cast<double>(total)));
  }
}

TEST_F(ServingTest, WhatIsNoPositionIsRefusedBeforeAnybodyPays) {
  declare("epsilon 1 per metre per subject in 24 h");
  Serving places = serving();
  const std::uint64_t entries = handle_.get().head().entries;
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL, 200.0})
    EXPECT_THROW(places.answer({at("anna", lon_, lat_), at("bo", bad, lat_)}), Error) << bad;
  Serving::Question other = at("anna", lon_, lat_);
  other.records = ColumnSet().hold("lon", std::vector<double>{lon_});
  EXPECT_THROW(places.answer({other}), Error);
  EXPECT_THROW(places.answer({at("not a name", lon_, lat_)}), InvalidOption);
  EXPECT_EQ(handle_.get().head().entries, entries);
  EXPECT_TRUE(places.answer({}).empty());
}

TEST_F(ServingTest, AStatementIsOfThePromiseThatWasCharged) {
  declare("epsilon 1 per metre per subject in 24 h");
  Serving places = serving();
  const auto place = places.answer({at("anna", lon_, lat_)}).front().decision.place;
  EXPECT_TRUE(places.statement(place));
  EXPECT_FALSE(serving({{"epsilon", "0.02"}}).statement(place));
  EXPECT_FALSE(serving({{"network", "lattice:20x21:100"}}).statement(place));
  EXPECT_TRUE(serving().statement(place));
}

TEST_F(ServingTest, WhatNoServiceMayDoIsRefusedBeforeItBegins) {
  declare("epsilon 1 per metre per subject in 24 h");
  std::ofstream(folder_.path("pieces.csv")) << "node,lon,lat\n1,0,0\n2,0.001,0\n3,0.1,0\n4,0.101,0\n";
  std::ofstream(folder_.path("edges.csv")) << "from,to\n1,2\n3,4\n";
  EXPECT_THAT(refusal({{"network", folder_.path("pieces.csv")}, {"all-components", true}}),
              HasSubstr("network: "));
  EXPECT_THAT(refusal({{"too-far", "refuse"}}), HasSubstr("too-far: "));
  EXPECT_THAT(refusal({{"keep", "user_id"}}), HasSubstr("keep: "));
  EXPECT_THAT(refusal({{"persons", "column"}, {"per-person", 2}}), HasSubstr("per-person: "));
  EXPECT_THAT(refusal({{"guarded", true}}), HasSubstr("guarded: "));
  EXPECT_THAT(refusal({{"seed", "1"}}), HasSubstr("seed: "));
  EXPECT_THAT(refusal({{"live", true}}), HasSubstr("live: "));
  EXPECT_THAT(refusal({{"epsilon", "0"}}), HasSubstr("epsilon"));
  EXPECT_THAT(refusal({{"epsilon", "0.0123456789012345678"}}), HasSubstr("epsilon: "));
  EXPECT_THROW(serving(Fields::object(), {.refresh_s = 86'401}), InvalidOption);
  privacy::declare_in(handle_.get(), "files");
  EXPECT_THROW(serving({{"dataset", "files"}}), privacy::BudgetError);
  EXPECT_THROW(serving({{"dataset", "nobody"}}), privacy::BudgetError);
  EXPECT_EQ(refusal(Fields::object()), "");
  EXPECT_THROW(Serving(traces_release(), handle_, {}, clock_), Error);
}

TEST(RowsAsJson, KeepsEveryDigit) {
  EXPECT_EQ(rows_as_json("record,vertex,lon,lat\n1,\"a \"\"b\"\"\",-30.0101426,45.0\n").front(),
            R"("vertex":"a \"b\"","lon":-30.0101426,"lat":45.0)");
  EXPECT_THROW(rows_as_json("record,lon\n1,x\n"), Error);
}

TEST_F(ServingTest, NamesThatLookAlikeAreNoSubjects) {
  for (const char* good : {"anna", "a", "user-7", "device:af_01", "anna@example.org"})
    EXPECT_NO_THROW(require_subject(good)) << good;
  for (const std::string& bad :
       {std::string(), std::string(129, 'a'), std::string("anna "), std::string("ann\xc3\xa4"),
        std::string("a\nb"), std::string("an/na"), std::string("-anna"), std::string("a%20b")})
    EXPECT_THROW(require_subject(bad), InvalidOption) << bad;
}

}  // namespace
}  // namespace fogline::release::serving_test
