// SPDX-License-Identifier: Apache-2.0
// Positions that are answered as they come, each charged by itself.
#include <fstream>
#include <optional>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/test_folder.hpp"
#include "privacy/test_ledger.hpp"
#include "release/kinds.hpp"
#include "release/test_caller.hpp"
#include "roads/read_network.hpp"

namespace fogline::release::live_places_test {
namespace {

using Json = nlohmann::ordered_json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::string header = "record,vertex,lon,lat\n";
const std::string far_away = "5,5\n";

class LivePlaces : public testing::Test {
 protected:
  LivePlaces() { privacy::declare(ledger_file_); }

  static std::string line_at(graph::VertexId vertex) {
    const geometry::LonLat at = roads::make_network("lattice:5x5:400").position[vertex];
    return std::to_string(at.lon) + "," + std::to_string(at.lat) + "\n";
  }

  /// Gives the lines one by one, and looks at what is out before each.
  void run(std::vector<std::string> lines, const Json& more = Json::object()) {
    const auto request = place_release();
    std::size_t next = 0;
    request->from.more = [&]() -> std::string {
      answers_before_.push_back(answers_.size());
      return next < lines.size() ? lines[next++] : std::string();
    };
    request->to.output.receive = [&](std::string_view piece) {
      answers_.emplace_back(piece);
      EXPECT_EQ(charges(), answers_.size()) << "an answer is out that nobody paid for";
      EXPECT_EQ(statements().size(), answers_.size()) << "an answer is out of which nothing is told";
    };
    FieldTable table;
    declare_all(*request, table);
    Json fields{{"network", "lattice:5x5:400"},
                {"mechanism", "gem"},
                {"epsilon", "0.01"},
                {"anyway", true},
                {"live", true},
                {"dataset", "riders"},
                {"ledger", ledger_file_},
                {"statement", statements_file_}};
    fields.update(more);
    set_fields(table, fields);
    outcome_ = release(*request, caller_);
  }

  std::uint64_t charges() const {
    privacy::Ledger ledger(ledger_file_, {.access = privacy::Ledger::Access::existing});
    const privacy::DatasetBook book = ledger.books().dataset("riders");
    return ledger.head().entries - 1 - caps_ - book.settled - book.refusals;  // 1: the dataset was declared
  }
  privacy::DatasetBook book() const {
    privacy::Ledger ledger(ledger_file_, {.access = privacy::Ledger::Access::existing});
    return ledger.books().dataset("riders");
  }
  std::vector<privacy::Statement> statements() const {
    std::vector<privacy::Statement> all;
    std::ifstream file(statements_file_);
    for (std::string line; std::getline(file, line);) all.push_back(privacy::parse_statement(line, "a line"));
    return all;
  }
  void cap(std::uint64_t thousandths) {
    privacy::Ledger(ledger_file_, {})
        .set_cap({"riders", {privacy::EpsilonMeasure::per_metre, Rational(thousandths, 1000)}, 1});
    ++caps_;
  }

  privacy::TestFolder folder_;
  std::string ledger_file_ = folder_.path("ledger"), statements_file_ = folder_.path("safe.statements.jsonl");
  TestCaller caller_;
  std::vector<std::string> answers_;
  std::vector<std::size_t> answers_before_;
  std::optional<Outcome> outcome_;
  std::uint64_t caps_ = 0;
};

TEST_F(LivePlaces, ALineIsAnsweredBeforeTheNextIsRead) {
  run({"lon,lat\n", line_at(12), line_at(3), "\n", line_at(12)});
  EXPECT_THAT(answers_before_, ElementsAre(0, 0, 1, 2, 2, 3)) << "a blank line is none";
  EXPECT_EQ(outcome_->answers, 3U);
  EXPECT_EQ(charges(), 3U);
  EXPECT_THAT(answers_[0], testing::StartsWith(header));
  EXPECT_THAT(answers_[1], Not(HasSubstr("record")));
}

TEST_F(LivePlaces, EachAnswerIsAReleaseOfItsOwn) {
  run({"lon,lat\n", line_at(12), line_at(12)});
  const auto told = statements();
  ASSERT_EQ(told.size(), 2U);
  privacy::Ledger ledger(ledger_file_, {.access = privacy::Ledger::Access::existing});
  for (std::size_t i = 0; i < told.size(); ++i) {
    EXPECT_EQ(told[i].outputs.front().sha256,
              privacy::sha256_of_text(i == 0 ? answers_[i] : header + answers_[i]));
    EXPECT_EQ(told[i].outputs.front().records, 1U);
    const auto& entry = std::get<privacy::LedgerReference>(told[i].ledger);
    const auto settled = ledger.settlement_of(entry.entry);
    ASSERT_TRUE(settled) << i;
    EXPECT_EQ(settled->statement_sha256, privacy::sha256_of_text(to_json(told[i])));
  }
  EXPECT_NE(std::get<privacy::LedgerReference>(told[0].ledger).entry,
            std::get<privacy::LedgerReference>(told[1].ledger).entry);
}

TEST_F(LivePlaces, StartedAgainGoOnWithTheirStatements) {
  run({"lon,lat\n", line_at(12), line_at(3)});
  const auto first = statements();
  answers_.clear();
  const std::uint64_t before = charges();
  const auto request = place_release();
  std::vector<std::string> lines{"lon,lat\n", line_at(12)};
  std::size_t next = 0;
  request->from.more = [&] { return next < lines.size() ? lines[next++] : std::string(); };
  request->to.output.receive = [&](std::string_view) {};
  FieldTable table;
  declare_all(*request, table);
  set_fields(table, {{"network", "lattice:5x5:400"},
                     {"mechanism", "gem"},
                     {"epsilon", "0.01"},
                     {"anyway", true},
                     {"live", true},
                     {"dataset", "riders"},
                     {"ledger", ledger_file_},
                     {"statement", statements_file_}});
  std::ofstream(statements_file_, std::ios::app) << R"({"format":"fogline statement","ki)";  // a crash
  release(*request, caller_);
  EXPECT_EQ(charges(), before + 1);
  const auto all = statements();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0], first[0]);
  EXPECT_EQ(all[1], first[1]);
  EXPECT_THAT(caller_.warnings, testing::Contains(HasSubstr("was cut short (33 bytes)")));
}

TEST_F(LivePlaces, EndWithTheBudget) {
  cap(25);  // two and a half reports
  EXPECT_THROW(run({"lon,lat\n", line_at(12), line_at(3), line_at(4), line_at(5)}), privacy::BudgetError);
  EXPECT_EQ(answers_.size(), 2U);
  EXPECT_EQ(charges(), 2U);
  EXPECT_THAT(caller_.warnings, testing::Contains(HasSubstr("answers that are out stand")));
}

/// The answer is the same whatever the next line holds.
TEST_F(LivePlaces, JudgeNoLineOverTheCap) {
  int ledgers = 0;
  for (const std::string& next : {line_at(4), far_away, std::string("5,oops\n"), std::string("\0\n", 2)}) {
    ledger_file_ = folder_.path("ledger " + std::to_string(++ledgers));
    privacy::declare(ledger_file_);
    caps_ = 0;
    cap(15);  // a report and a half
    answers_.clear();
    EXPECT_THROW(run({"lon,lat\n", line_at(12), next}, {{"overwrite", true}}), privacy::BudgetError) << next;
    EXPECT_EQ(answers_.size(), 1U);
    EXPECT_EQ(charges(), 1U);
    EXPECT_EQ(book().refusals, 0U);
  }
}

TEST_F(LivePlaces, AnswerALineWhateverCameWithIt) {
  EXPECT_THROW(run({"lon,lat\n" + line_at(12) + std::string("\0\n", 2)}), DataError);
  EXPECT_EQ(answers_.size(), 1U);
}

/// A line that cannot even be read is refused as any other.
TEST_F(LivePlaces, ALineThatIsNoneIsRecordedAndGuardedPaidFor) {
  const std::vector<std::string> lines{"lon,lat\n", std::string("1,\0001\n", 5)};
  EXPECT_THROW(run(lines), DataError);
  EXPECT_EQ(book().refusals, 1U);
  EXPECT_EQ(charges(), 0U);
  const std::string long_line = "1," + std::string(200, '1') + "\n";
  std::uint64_t paid = 0;
  for (const auto& [last, limits] : std::vector<std::pair<std::string, std::string>>{
           {lines[1], "line=64M"}, {long_line, "line=100"}, {"5,oops\n", "line=64M"}}) {
    try {
      run({"lon,lat\n", last}, {{"guarded", true}, {"limits", limits}});
      FAIL() << "a line that is none was answered";
    } catch (const DataError& error) {
      EXPECT_THAT(error.what(), HasSubstr("does not say why"));
    }
    EXPECT_EQ(charges(), ++paid);
  }
  EXPECT_EQ(book().guarded_refusals, 3U);
  EXPECT_EQ(book().unsettled(), 0U) << "what was refused is not open";
}

TEST_F(LivePlaces, ABadLineIsNotPaidForAndTakesNothingBack) {
  EXPECT_THROW(run({"lon,lat\n", line_at(12), far_away, line_at(3)}), DataError);
  EXPECT_EQ(answers_.size(), 1U);
  EXPECT_EQ(charges(), 1U);
  EXPECT_EQ(book().refusals, 1U);
}

TEST_F(LivePlaces, AGuardedLineIsPaidForBeforeItIsLookedAt) {
  try {
    run({"lon,lat\n", line_at(12), "5,oops\n"}, {{"guarded", true}});
    FAIL() << "a position that is none was answered";
  } catch (const DataError& error) {
    EXPECT_THAT(error.what(), HasSubstr("does not say why"));
    EXPECT_THAT(error.what(), Not(HasSubstr("line 3")));
  }
  EXPECT_EQ(answers_.size(), 1U);
  EXPECT_EQ(charges(), 2U);
}

TEST_F(LivePlaces, AGuardedLineFarAwayIsAnsweredLikeAnyOther) {
  run({"lon,lat\n", far_away}, {{"guarded", true}});
  EXPECT_EQ(answers_.size(), 1U);
}

TEST_F(LivePlaces, NothingIsChargedForNothing) {
  EXPECT_THROW(run({"lon,lat\n"}), DataError);
  EXPECT_THROW(run({}, {{"overwrite", true}}), DataError);
  EXPECT_EQ(charges(), 0U);
}

TEST_F(LivePlaces, WhoStopsWhileNobodyAsksHasAllAnswers) {
  class Stopped : public TestCaller {
   public:
    bool is_wanted() const override { return wanted; }
    bool wanted = true;
  } caller;
  const auto request = place_release();
  const std::vector<std::string> lines{"lon,lat\n", line_at(12), line_at(3)};
  std::size_t next = 0;
  request->from.more = [&] {
    caller.wanted = next < 2;
    return lines[next++];
  };
  std::size_t answers = 0;
  request->to.output.receive = [&](std::string_view) { ++answers; };
  FieldTable table;
  declare_all(*request, table);
  set_fields(table, {{"network", "lattice:5x5:400"},
                     {"mechanism", "gem"},
                     {"epsilon", "0.01"},
                     {"anyway", true},
                     {"live", true},
                     {"dataset", "riders"},
                     {"statement", statements_file_},
                     {"ledger", ledger_file_}});
  EXPECT_EQ(release(*request, caller).answers, 1U);
  EXPECT_EQ(answers, 1U);
  EXPECT_EQ(charges(), 1U) << "the line that came with the wish to stop is not paid for";
}

/// A seed gives one key: two answers to the same position must not have the same noise.
TEST_F(LivePlaces, SeededAnswersHaveNoiseOfTheirOwn) {
  const std::vector<std::string> lines(20, line_at(12));
  std::vector<std::string> all{"lon,lat\n"};
  all.insert(all.end(), lines.begin(), lines.end());
  const auto request = place_release();
  std::size_t next = 0;
  request->from.more = [&] { return next < all.size() ? all[next++] : std::string(); };
  std::set<std::string> different;
  request->to.output.receive = [&](std::string_view piece) {
    different.emplace(piece.starts_with(header) ? piece.substr(header.size()) : piece);
  };
  FieldTable table;
  declare_all(*request, table);
  set_fields(table, {{"network", "lattice:5x5:400"},
                     {"mechanism", "gem"},
                     {"epsilon", "0.01"},
                     {"anyway", true},
                     {"live", true},
                     {"dataset", "riders"},
                     {"statement", statements_file_},
                     {"ledger", ledger_file_},
                     {"seed", "7"}});
  release(*request, caller_);
  EXPECT_GT(different.size(), 1U);
}

TEST_F(LivePlaces, RefusesWhatHasNoLineForEachLine) {
  for (const auto& [more, field] :
       std::vector<std::pair<Json, std::string>>{{{{"too-far", "leave-out"}}, "too-far"},
                                                 {{{"per-person", 2}, {"persons", "column"}}, "per-person"},
                                                 {{{"format", "gpx"}}, "format"},
                                                 {{{"statement", ""}}, "statement"},
                                                 {{{"statement", folder_.path("s.json")}}, "statement"}}) {
    try {
      run({"lon,lat\n", line_at(12)}, more);
      FAIL() << more.dump();
    } catch (const InvalidOption& error) {
      EXPECT_EQ(error.problem().field, field) << error.what();
    }
  }
  const auto request = place_release();
  request->from.columns = ColumnSet().hold("lon", std::vector<double>{1}).hold("lat", std::vector<double>{1});
  FieldTable table;
  declare_all(*request, table);
  set_fields(table, {{"network", "lattice:5x5:400"},
                     {"epsilon", "0.01"},
                     {"live", true},
                     {"dataset", "riders"},
                     {"ledger", ledger_file_},
                     {"output", folder_.path("safe.csv")}});
  EXPECT_THROW(release(*request, caller_), InvalidOption);
  EXPECT_EQ(charges(), 0U);
}

}  // namespace
}  // namespace fogline::release::live_places_test
