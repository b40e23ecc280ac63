// SPDX-License-Identifier: Apache-2.0
#include "privacy/subjects.hpp"

#include <atomic>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "privacy/file_hash.hpp"
#include "privacy/ledger_check.hpp"
#include "privacy/ledger_file.hpp"
#include "privacy/sqlite.hpp"
#include "privacy/test_folder.hpp"
#include "privacy/test_ledger.hpp"
#include "privacy/test_statement.hpp"

namespace fogline::privacy::subjects_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using enum SubjectDecision::Outcome;

constexpr std::int64_t noon = 1'700'000'000, hour = 3'600, day = 24 * hour;

std::string hex_of(const std::string& name) {
  return sha256_of_text(name).substr(0, 32);
}

SubjectLine line_of(const std::string& subject, const std::string& key = "",
                    const std::string& body = "here") {
  SubjectLine line{.subject = hex_of(subject)};
  if (!key.empty()) line.mark = RequestMark{hex_of(key), hex_of(body)};
  return line;
}

SubjectLine list_of(const std::string& subject, std::uint64_t reports) {
  return {.subject = hex_of(subject), .reports = reports, .is_list = true};
}

TEST(Cap, OfSubjectsIsWrittenAndRead) {
  for (const char* text :
       {"epsilon 0.1 per metre per subject in 24 h", "epsilon 2 per subject in 30 min",
        "epsilon 2 per subject in 7 d", "epsilon 0 per subject in 90 s", "epsilon 2 per subject in 36 h"})
    EXPECT_EQ(to_string(Cap::parse(text)), text);
  EXPECT_EQ(Cap::parse("epsilon 1 per subject in 1 d").subject_window_s, day);
  EXPECT_EQ(Cap::parse("epsilon 1 per subject in 366 d").subject_window_s, 366 * day);
  for (const char* bad : {"epsilon 1 per subject", "epsilon 1 per subject in", "epsilon 1 per subject in 0 h",
                          "epsilon 1 per subject in 367 d", "epsilon 1 per subject in 1.5 h",
                          "epsilon 1 per subject in 24h", "epsilon 1 per person per subject in 24 h",
                          "epsilon 1 per subject in 99999999999999999999 s", "epsilon 1 per subject in -1 s"})
    EXPECT_THROW(Cap::parse(bad), InvalidOption) << bad;
}

TEST(SubjectLines, AreWrittenInOneWay) {
  SubjectLine free = line_of("bo", "k2");
  free.reports = 0;
  free.stands_for = SubjectPlace{3, 7};
  const std::vector<SubjectLine> lines{line_of("anna"), list_of("anna", 12), line_of("bo", "k1"), free};
  const std::string text = to_text(lines);
  EXPECT_EQ(subject_lines_from(text), lines);
  EXPECT_TRUE(subject_lines_from("").empty());
  const std::string id = hex_of("anna");
  for (const std::string& bad :
       {id + " 1 one - -", id + " 01 one - -\n", id + " 1  one - -\n", id + " 0 one - -\n",
        id + " 2 one - -\n", id + " 1 two - -\n", id + " 100001 list - -\n", id + " 1 one " + id + " -\n",
        id + " 1 one - " + id + "\n", id + " 0 1/1 - -\n", id + " 1 1/1 " + id + " " + id + "\n",
        id + " 1 one - - \n", std::string("\n"), "A" + id.substr(1) + " 1 one - -\n",
        id.substr(1) + " 1 one - -\n", id + " 1 one - -\n\n"})
    EXPECT_THROW(subject_lines_from(bad), InvalidOption) << bad;
}

class SubjectLedger : public testing::Test {
 protected:
  SubjectLedger() {
    ledger_.add_dataset({.dataset = "app",
                         .caps = {Cap::parse("epsilon 0.03 per metre per subject in 24 h")},
                         .time_unix_s = noon});
  }

  static SubjectRequest request(std::vector<SubjectLine> lines, std::int64_t now = noon,
                                const SubjectPolicy& policy = {}) {
    return {.dataset = "app",
            .kind = "place",
            .mechanism = "tight",
            .guarantee = report_request().guarantee,
            .version = "0.1.0",
            .draft_sha256 = sha256_of_text("a promise"),
            .policy = policy,
            .lines = std::move(lines),
            .time_unix_s = now};
  }

  SubjectDecision::Outcome ask(const SubjectLine& line, std::int64_t now = noon,
                               const SubjectPolicy& policy = {}) {
    return ledger_.charge_subjects(request({line}, now, policy)).decisions().front().outcome;
  }

  /// Charges and answers, as a service does, and gives the answer.
  std::string answer(const SubjectLine& line, const std::string& drawn, std::int64_t now = noon,
                     const SubjectPolicy& policy = {}) {
    SubjectReceipt receipt = ledger_.charge_subjects(request({line}, now, policy));
    if (!receipt.answers().empty()) return receipt.answers().at(0);
    if (receipt.to_draw().empty()) return "";
    receipt.draw_key();
    return ledger_.keep_answers({{receipt.decisions().front().place, drawn}}).front();
  }

  std::string findings() const {
    std::string all;
    for (const Finding& finding : verify_ledger(path_, {}).findings) all += finding.sentence + "\n";
    return all;
  }

  std::string edit(const std::string& sql) const {
    return tamper(path_,
                  "DROP TRIGGER subject_lines_no_UPDATE; DROP TRIGGER subject_lines_no_DELETE;" + sql +
                      ";CREATE TRIGGER subject_lines_no_UPDATE BEFORE UPDATE ON subject_lines BEGIN "
                      "SELECT RAISE(ABORT, 'a ledger only grows'); END;CREATE TRIGGER "
                      "subject_lines_no_DELETE BEFORE DELETE ON subject_lines BEGIN SELECT RAISE(ABORT, 'a "
                      "ledger only grows'); END");
  }

  TestFolder folder_;
  std::string path_ = folder_.path("service.ledger");
  Ledger ledger_{path_, {}};
};

TEST_F(SubjectLedger, EachSubjectHasItsOwnBudget) {
  for (int i = 0; i < 3; ++i) EXPECT_EQ(ask(line_of("anna")), charged);
  EXPECT_EQ(ask(line_of("anna")), over_budget);
  EXPECT_EQ(ask(line_of("bo")), charged);
  const SubjectBudget budget = ledger_.subject_budget("app", hex_of("anna"), noon + 5);
  EXPECT_EQ(budget.spent, Rational(3, 100));
  EXPECT_TRUE(budget.remaining().is_zero());
  EXPECT_EQ(budget.renews_s, noon + day + 1);
  EXPECT_EQ(ledger_.subject_budget("app", hex_of("cy"), noon).remaining(), Rational(3, 100));
  EXPECT_THAT(findings(), IsEmpty());
}

TEST_F(SubjectLedger, TheWindowRolls) {
  EXPECT_EQ(ask(line_of("anna"), noon), charged);
  EXPECT_EQ(ask(line_of("anna"), noon + hour), charged);
  EXPECT_EQ(ask(line_of("anna"), noon + 2 * hour), charged);
  EXPECT_EQ(ask(line_of("anna"), noon + day), over_budget);
  EXPECT_EQ(ledger_.subject_renewal("app", hex_of("anna"), Rational(1, 100), noon + day - 1), noon + day + 1);
  EXPECT_EQ(ledger_.subject_renewal("app", hex_of("anna"), Rational(2, 100), noon + day - 1),
            noon + day + hour + 1);
  EXPECT_EQ(ledger_.subject_renewal("app", hex_of("anna"), Rational(4, 100), noon), std::nullopt);
  EXPECT_EQ(ask(line_of("anna"), noon + day + 1), charged);
  EXPECT_EQ(ask(line_of("anna"), noon + day + 1), over_budget);
  EXPECT_EQ(ask(line_of("anna"), noon + day + hour + 1), charged);
  EXPECT_THAT(findings(), IsEmpty());
}

TEST_F(SubjectLedger, AClockThatIsSetBackRenewsNothing) {
  EXPECT_EQ(ask(line_of("bo"), noon + day), charged);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(ask(line_of("anna"), noon), charged);
  // Two entries later it is right again: what was charged meanwhile counts from the latest time that was known.
  EXPECT_EQ(ask(line_of("anna"), noon + day + hour), over_budget);
  EXPECT_EQ(ask(line_of("anna"), noon + 2 * day + 1), charged);
}

TEST_F(SubjectLedger, AnAnswerStandsForItsStretchOfTheClock) {
  const std::int64_t quarter = hour / 4, begin = noon - noon % quarter;
  EXPECT_EQ(answer(line_of("anna"), "first", begin, {.refresh_s = quarter}), "first");
  EXPECT_EQ(answer(line_of("anna", "k"), "second", begin + quarter - 1, {.refresh_s = quarter}), "first");
  EXPECT_EQ(answer(line_of("anna"), "third", begin + quarter, {.refresh_s = quarter}), "third");
  EXPECT_EQ(ledger_.subject_budget("app", hex_of("anna"), begin + quarter).spent, Rational(2, 100));
  // What stood then stands for that request for good.
  EXPECT_EQ(answer(line_of("anna", "k"), "fourth", begin + 3 * quarter, {.refresh_s = quarter}), "first");
  EXPECT_THROW(ledger_.charge_subjects(request({line_of("anna")}, begin, {.refresh_s = day + 1})),
               InvalidOption);
  EXPECT_THAT(findings(), IsEmpty());
}

TEST_F(SubjectLedger, ListsAreChargedByLengthAndStandForNothing) {
  EXPECT_EQ(ask(list_of("anna", 2), noon, {.refresh_s = hour}), charged);
  EXPECT_EQ(answer(line_of("anna"), "one", noon, {.refresh_s = hour}), "one");
  EXPECT_EQ(ask(list_of("anna", 1), noon, {.refresh_s = hour}), over_budget);
  EXPECT_EQ(ask(list_of("bo", 4)), over_budget);
  EXPECT_EQ(ask(list_of("bo", 3)), charged);
}

TEST_F(SubjectLedger, OverTheBudgetTheLatestAnswerIsThere) {
  EXPECT_EQ(answer(line_of("anna"), "first"), "first");
  EXPECT_EQ(answer(line_of("anna"), "second"), "second");
  EXPECT_EQ(answer(line_of("anna"), "third", noon + 1), "third");
  const SubjectPolicy policy{.gives_latest = true};
  EXPECT_EQ(ask(line_of("anna"), noon + 60), over_budget);
  EXPECT_EQ(ask(list_of("anna", 1), noon + 60, policy), over_budget);
  const SubjectReceipt receipt = ledger_.charge_subjects(request({line_of("anna", "k")}, noon + 60, policy));
  EXPECT_EQ(receipt.decisions().front().outcome, latest);
  EXPECT_EQ(receipt.decisions().front().time_unix_s, noon + 1);
  EXPECT_EQ(receipt.answers().at(0), "third");
  EXPECT_TRUE(receipt.to_draw().empty());
  // For good, and as old as it is: also when there is budget again, and in another process.
  Ledger other(path_, {});
  for (Ledger* ledger : {&ledger_, &other}) {
    const SubjectReceipt again =
        ledger->charge_subjects(request({line_of("anna", "k")}, noon + day + 30, policy));
    EXPECT_EQ(again.decisions().front().outcome, repeated);
    EXPECT_EQ(again.decisions().front().time_unix_s, noon + 1);
    EXPECT_EQ(again.answers().at(0), "third");
  }
  EXPECT_THAT(findings(), IsEmpty());
}

TEST_F(SubjectLedger, TheSameRequestIsPaidOnce) {
  EXPECT_EQ(answer(line_of("anna", "k"), "first"), "first");
  EXPECT_EQ(answer(line_of("anna", "k"), "second", noon + hour), "first");
  EXPECT_EQ(ask(line_of("anna", "k", "elsewhere")), other_body);
  Ledger again(path_, {});
  EXPECT_EQ(again.charge_subjects(request({line_of("anna", "k")})).answers().at(0), "first");
  EXPECT_EQ(again.subject_budget("app", hex_of("anna"), noon).spent, Rational(1, 100));
}

TEST_F(SubjectLedger, TwiceInOneBlockItIsPaidOnceAsWell) {
  SubjectReceipt receipt = ledger_.charge_subjects(
      request({line_of("anna", "k"), line_of("anna", "k"), line_of("anna", "k", "b")}));
  EXPECT_EQ(receipt.decisions()[0].outcome, charged);
  EXPECT_EQ(receipt.decisions()[1].outcome, repeated);
  EXPECT_EQ(receipt.decisions()[1].place, receipt.decisions()[0].place);
  EXPECT_EQ(receipt.decisions()[2].outcome, other_body);
  EXPECT_THAT(receipt.to_draw(), ElementsAre(0));
}

TEST_F(SubjectLedger, WhatWasPaidAndNeverAnsweredIsDrawnOnceMore) {
  EXPECT_EQ(ask(line_of("anna", "k")), charged);
  Ledger after_a_crash(path_, {});
  SubjectReceipt receipt = after_a_crash.charge_subjects(request({line_of("anna", "k")}));
  EXPECT_EQ(receipt.decisions().front().outcome, repeated);
  EXPECT_THAT(receipt.to_draw(), ElementsAre(0));
  receipt.draw_key();
  EXPECT_THROW(receipt.draw_key(), Error);
  // Two did so at once: one answer is kept, and both give that.
  const SubjectPlace place = receipt.decisions().front().place;
  EXPECT_EQ(ledger_.keep_answers({{place, "mine"}}).front(), "mine");
  EXPECT_EQ(after_a_crash.keep_answers({{place, "his"}}).front(), "mine");
  EXPECT_EQ(ledger_.subject_budget("app", hex_of("anna"), noon).spent, Rational(1, 100));
}

/// Another promise would be a release that nobody paid for.
TEST_F(SubjectLedger, WhatWasPaidForUnderAnotherPromiseIsNotDrawn) {
  EXPECT_EQ(ask(line_of("anna", "k")), charged);
  SubjectRequest other =
      request({line_of("anna", "k"), line_of("anna", "another")}, noon, {.refresh_s = hour});
  other.draft_sha256 = sha256_of_text("another promise");
  SubjectReceipt receipt = ledger_.charge_subjects(other);
  EXPECT_EQ(receipt.decisions()[0].outcome, lost);
  EXPECT_EQ(receipt.decisions()[1].outcome, lost);
  EXPECT_TRUE(receipt.to_draw().empty());
  EXPECT_THROW(receipt.draw_key(), Error);
  // An answer that was kept is what was paid for, whoever asks.
  EXPECT_EQ(answer(line_of("anna", "k"), "first"), "first");
  EXPECT_EQ(ledger_.charge_subjects(other).answers().at(0), "first");
}

/// Who waits for the ledger is charged when he has it: else his window would end before it began.
TEST_F(SubjectLedger, TheClockIsAskedWhenTheLedgerIsOurs) {
  SubjectRequest late = request({list_of("anna", 3)}, noon);
  bool is_held = false;
  late.now = [&] {
    Ledger::Options at_once;
    at_once.busy_timeout = std::chrono::milliseconds(0);
    try {
      Ledger(path_, at_once).set_cap({"app", Cap::parse("epsilon 1 per metre per subject in 24 h"), noon});
    } catch (const FileError&) {
      is_held = true;
    }
    return noon + hour;
  };
  ledger_.charge_subjects(late);
  EXPECT_TRUE(is_held);
  EXPECT_EQ(ask(line_of("anna"), noon + day + 1), over_budget);
  EXPECT_EQ(ask(line_of("anna"), noon + day + hour + 1), charged);
}

TEST_F(SubjectLedger, WhereNothingIsPaidThereIsNoKeyAndNoEntry) {
  for (int i = 0; i < 3; ++i) ask(list_of("anna", 1));
  const std::uint64_t entries = ledger_.head().entries;
  SubjectReceipt receipt = ledger_.charge_subjects(request({line_of("anna")}));
  EXPECT_THROW(receipt.draw_key(), Error);
  EXPECT_EQ(ledger_.head().entries, entries);
}

TEST_F(SubjectLedger, ADatasetIsOfSubjectsOrIsNot) {
  EXPECT_THROW(ledger_.charge({.dataset = "app",
                               .kind = "place",
                               .mechanism = "gem",
                               .guarantee = report_request().guarantee,
                               .output = "safe.csv",
                               .version = "0.1.0"}),
               BudgetError);
  EXPECT_THROW(ledger_.set_cap({"app", {EpsilonMeasure::per_metre, Rational(1)}, noon}), InvalidOption);
  EXPECT_THROW(ledger_.set_cap({"app", Cap::parse("epsilon 1 per metre per subject in 1 h"), noon}),
               InvalidOption);
  EXPECT_THROW(ledger_.set_cap({"app", Cap::parse("epsilon 1 per subject in 24 h"), noon}), InvalidOption);
  ledger_.set_cap({"app", Cap::parse("epsilon 0.01 per metre per subject in 24 h"), noon});
  EXPECT_EQ(ask(line_of("anna")), charged);
  EXPECT_EQ(ask(line_of("anna")), over_budget);

  declare_in(ledger_, "files");
  SubjectRequest of_files = request({line_of("anna")});
  of_files.dataset = "files";
  EXPECT_THROW(ledger_.charge_subjects(of_files), BudgetError);
  of_files.dataset = "nobody declared this";
  EXPECT_THROW(ledger_.charge_subjects(of_files), BudgetError);
  EXPECT_THROW(ledger_.set_cap({"files", Cap::parse("epsilon 1 per subject in 24 h"), noon}), InvalidOption);
  EXPECT_THROW(ledger_.add_dataset(
                   {.dataset = "both",
                    .caps = {Cap::parse("epsilon 1 per subject in 24 h"), Cap::parse("epsilon 1 per metre")},
                    .time_unix_s = noon}),
               InvalidOption);
  SubjectRequest of_another_measure = request({line_of("anna")});
  of_another_measure.guarantee = Guarantee::pure({1, 2}, "one answer", Exactness::exact);
  EXPECT_THROW(ledger_.charge_subjects(of_another_measure), BudgetError);
}

/// What the cap says must hold whoever asks how often, and at the same moment.
TEST_F(SubjectLedger, ParallelRequestsNeverPassTheCap) {
  constexpr int threads = 4, requests = 250;
  std::atomic<int> paid = 0;
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&, t] {
      // Two of them share a connection, the others are processes of their own as far as the file knows.
      std::unique_ptr<Ledger> own = t < 2 ? nullptr : std::make_unique<Ledger>(path_, Ledger::Options{});
      Ledger& ledger = own ? *own : ledger_;
      for (int i = 0; i < requests; i += 10) {
        const SubjectReceipt receipt =
            ledger.charge_subjects(request(std::vector<SubjectLine>(10, line_of("anna"))));
        for (const SubjectDecision& decision : receipt.decisions()) paid += decision.outcome == charged;
      }
    });
  for (std::thread& one : all) one.join();
  EXPECT_EQ(paid, 3);
  EXPECT_THAT(findings(), IsEmpty());
}

TEST_F(SubjectLedger, EditsAreFound) {
  ask(line_of("anna"));
  ask(line_of("bo"));
  ASSERT_EQ(edit("UPDATE subject_lines SET lines = replace(lines, '" + hex_of("anna") + "', '" +
                 hex_of("cy") + "')"),
            "");
  EXPECT_THAT(findings(), HasSubstr("its lines were changed"));
  EXPECT_THROW(Ledger(path_, {}).charge_subjects(request({line_of("anna")})), DataError);
}

/// Hashes that fit tell nothing of whether a rule was kept.
TEST_F(SubjectLedger, LinesThatNoLedgerWouldHaveWrittenAreFound) {
  ask(line_of("anna"));
  const std::vector<SubjectLine> lines(3, line_of("anna"));
  LedgerEntry forged = *ledger_.entry(ledger_.head().entries);
  const std::string text = to_text(lines);
  forged.subjects = {lines.size(), sha256_of_text(text), forged.subjects->draft_sha256};
  forged.previous_hash = forged.hash;
  ++forged.number;
  forged.hash = hash_of(to_row(forged));
  LedgerFile file(path_, {});
  sqlite::Transaction transaction(file.database(), sqlite::Transaction::Kind::write);
  file.append(to_row(forged));
  file.append_subjects(forged.number, text);
  transaction.commit();
  EXPECT_THAT(findings(), HasSubstr("its line 3 exceeds the cap of its subject"));
  EXPECT_THAT(findings(), testing::Not(HasSubstr("its line 2")));
}

TEST_F(SubjectLedger, LostLinesAreFound) {
  ask(line_of("anna"));
  ASSERT_EQ(edit("DELETE FROM subject_lines"), "");
  EXPECT_THAT(findings(), HasSubstr("has lost the lines of entry"));
  EXPECT_THROW(Ledger(path_, {}).charge_subjects(request({line_of("anna")})), DataError);
}

TEST_F(SubjectLedger, AnswersCannotBeTakenBackByAccident) {
  answer(line_of("anna", "k"), "first");
  EXPECT_THAT(tamper(path_, "DELETE FROM subject_answers"), HasSubstr("only grows"));
  EXPECT_THAT(tamper(path_, "UPDATE subject_answers SET answer = 'x'"), HasSubstr("only grows"));
}

TEST_F(SubjectLedger, AStatementNamesItsLine) {
  ask(line_of("bo"));
  const SubjectReceipt receipt = ledger_.charge_subjects(request({line_of("anna"), line_of("bo")}));
  const auto reference = ledger_.reference_of(receipt.decisions()[1].place);
  ASSERT_TRUE(reference);
  EXPECT_EQ(reference->line, 2);
  Statement statement = sample_statement();
  statement.ledger = *reference;
  const Statement read = parse_statement(to_json(statement), "sample");
  EXPECT_EQ(std::get<LedgerReference>(read.ledger), *reference);
  EXPECT_EQ(ledger_.reference_of({receipt.decisions()[1].place.entry, 3}), std::nullopt);
  EXPECT_EQ(ledger_.reference_of({1, 1}), std::nullopt);
}

TEST_F(SubjectLedger, LedgersWithoutSubjectsStayAsTheyWere) {
  const std::string other = folder_.path("other.ledger");
  declare(other);
  sqlite::Database file(other, {});
  EXPECT_EQ(file.integer("PRAGMA user_version"), 3);
  EXPECT_EQ(file.integer("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'subject%'"), 0);
}

}  // namespace
}  // namespace fogline::privacy::subjects_test
