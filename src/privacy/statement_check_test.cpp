// SPDX-License-Identifier: Apache-2.0
#include "privacy/statement_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "privacy/composition.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/release.hpp"
#include "privacy/test_folder.hpp"
#include "privacy/test_ledger.hpp"
#include "privacy/test_statement.hpp"

namespace fogline::privacy::statement_check_test {
namespace {

using testing::HasSubstr;

class StatementCheck : public testing::Test {
 protected:
  StatementCheck() {
    std::ofstream(folder_.path("prior.csv")) << "prior";
    std::ofstream(folder_.path("safe.csv")) << "output";
    declare(folder_.path("project.ledger"));
    statement_.ledger = ledger_.charge(report_request()).reference();
  }

  Check check(const std::string& name, Ledger* ledger = nullptr) const {
    for (const Check& one :
         verify(statement_, {.folder = folder_.name(), .files = {}, .ledger = ledger, .trusted = trusted_})) {
      if (one.name == name) return one;
    }
    return {"missing", Outcome::failed, ""};
  }

  TestFolder folder_;
  Ledger ledger_{folder_.path("project.ledger"), {}};
  Statement statement_ = sample_statement();
  TrustedKeys trusted_;
};

TEST_F(StatementCheck, NamesWhoSignedItIfHeIsTrusted) {
  EXPECT_EQ(check("signature").outcome, Outcome::not_checked);
  EXPECT_THAT(check("signature").sentence, HasSubstr("nobody signed"));
  make_key_files({.path = folder_.path("office.key")});
  const SigningKey office = SigningKey::read(folder_.path("office.key"));
  sign(statement_, &office);
  EXPECT_EQ(check("signature").outcome, Outcome::not_checked);
  EXPECT_THAT(check("signature").sentence, HasSubstr("`trust`"));
  trusted_ = TrustedKeys::read({folder_.path("office.pub")});
  EXPECT_EQ(check("signature").outcome, Outcome::passed);
  EXPECT_THAT(check("signature").sentence, HasSubstr("signed by office"));
  // As it comes back from a file.
  statement_ = parse_statement(to_json(statement_), "again");
  EXPECT_EQ(check("signature").outcome, Outcome::passed);
  const Statement honest = statement_;
  statement_.outputs[0].records = 4;
  EXPECT_EQ(check("signature").outcome, Outcome::failed) << "changed after it was signed";
  statement_ = honest;
  statement_.signature->by.signer = "the mayor";
  EXPECT_THAT(check("signature").sentence, HasSubstr("signed by office"))
      << "what a key calls itself is hearsay";
  statement_ = honest;
  const SigningKey stranger = SigningKey::make("office");
  sign(statement_, &stranger);
  EXPECT_EQ(check("signature").outcome, Outcome::not_checked) << "a key of the same name";
}

TEST_F(StatementCheck, TellsWhatWasSettledFromEverythingElse) {
  EXPECT_EQ(check("settled", &ledger_).outcome, Outcome::not_checked);
  EXPECT_EQ(check("settled").name, "missing") << "without a ledger it is not asked";
  settle(statement_, ledger_, 1);
  EXPECT_EQ(check("settled", &ledger_).outcome, Outcome::passed);
  const Statement honest = statement_;
  statement_.outputs[0].sha256 = sha256_of_text("written by hand");
  EXPECT_EQ(check("settled", &ledger_).outcome, Outcome::failed);
  statement_ = honest;
  statement_.not_protected.emplace_back("Anything.");
  EXPECT_EQ(check("settled", &ledger_).outcome, Outcome::failed);
  statement_ = honest;
  statement_.guarantee = seeded(statement_.guarantee);
  EXPECT_EQ(check("settled", &ledger_).name, "missing") << "what promises nothing is not settled";
}

TEST_F(StatementCheck, EverythingInOrderPasses) {
  settle(statement_, ledger_, 1);
  const auto checks = verify(statement_, {.folder = folder_.name(), .files = {}, .ledger = &ledger_});
  ASSERT_EQ(checks.size(), 6U);
  EXPECT_EQ(checks[0].name, "consistency");
  EXPECT_EQ(checks[1].name, "public input prior.csv");
  EXPECT_EQ(checks[2].name, "output safe.csv");
  EXPECT_EQ(checks[3].name, "ledger entry");
  EXPECT_EQ(checks[4].name, "settled");
  EXPECT_EQ(checks[5].name, "signature");
  for (const Check& one : checks)
    EXPECT_EQ(one.outcome, one.name == "signature" ? Outcome::not_checked : Outcome::passed)
        << one.name << ": " << one.sentence;
}

TEST_F(StatementCheck, ChangedFilesFailAndMissingInputsAreNotChecked) {
  std::ofstream(folder_.path("safe.csv")) << "outpuT";
  EXPECT_EQ(check("output safe.csv").outcome, Outcome::failed);
  EXPECT_THAT(check("output safe.csv").sentence, HasSubstr("its hash differs"));
  std::filesystem::remove(folder_.path("prior.csv"));
  EXPECT_EQ(check("public input prior.csv").outcome, Outcome::not_checked);
  EXPECT_THAT(check("public input prior.csv").sentence, HasSubstr("`file` prior.csv=PATH"));
  std::ofstream(folder_.path("prior.csv")) << "other";
  EXPECT_EQ(check("public input prior.csv").outcome, Outcome::failed);
  std::filesystem::remove(folder_.path("safe.csv"));
  EXPECT_EQ(check("output safe.csv").outcome, Outcome::failed);
}

TEST_F(StatementCheck, FilesMayLieElsewhere) {
  std::filesystem::rename(folder_.path("prior.csv"), folder_.path("renamed.csv"));
  const auto checks = verify(
      statement_,
      {.folder = folder_.name(), .files = {{"prior.csv", folder_.path("renamed.csv")}}, .ledger = nullptr});
  EXPECT_EQ(checks[1].outcome, Outcome::passed);
}

TEST_F(StatementCheck, WhatCannotBeCheckedIsSaidSo) {
  EXPECT_EQ(check("ledger entry").outcome, Outcome::not_checked);
  statement_.ledger = NoLedgerEntry{"no ledger was used"};
  EXPECT_EQ(check("ledger entry").outcome, Outcome::not_checked);
  EXPECT_EQ(check("ledger entry", &ledger_).outcome, Outcome::failed);
  statement_.outputs[0].name = "-";
  EXPECT_EQ(check("output -").outcome, Outcome::not_checked);
}

TEST_F(StatementCheck, ALedgerThatDisagreesFails) {
  std::get<LedgerReference>(statement_.ledger).entry = 3;
  EXPECT_THAT(check("ledger entry", &ledger_).sentence, HasSubstr("no entry 3"));
  Ledger other(folder_.path("other.ledger"), {});
  EXPECT_EQ(check("ledger entry", &other).sentence, "the statement belongs to another ledger");
  std::get<LedgerReference>(statement_.ledger).entry = 2;
  statement_.guarantee = Guarantee::metric(EpsilonPerMetre{1, 1000}, "one report", Exactness::exact);
  EXPECT_EQ(check("ledger entry", &ledger_).outcome, Outcome::failed);
  EXPECT_EQ(check("ledger entry", &ledger_).sentence, "its entry has another guarantee");
}

TEST_F(StatementCheck, ASeededRunMatchesItsEntry) {
  statement_.ledger = ledger_.record_seeded_run(report_request(), 1).reference();
  EXPECT_EQ(check("ledger entry", &ledger_).outcome, Outcome::failed);
  statement_.randomness = random::Source::seeded;
  statement_.guarantee = seeded(statement_.guarantee);
  EXPECT_EQ(check("ledger entry", &ledger_).outcome, Outcome::passed);
}

TEST_F(StatementCheck, AStatementThatContradictsItselfFails) {
  statement_.randomness = random::Source::seeded;
  EXPECT_EQ(check("consistency").outcome, Outcome::failed);
}

TEST_F(StatementCheck, AnAlteredLedgerFails) {
  ASSERT_EQ(tamper(folder_.path("project.ledger"), "DROP TRIGGER entries_no_UPDATE"), "");
  EXPECT_EQ(check("ledger entry", &ledger_).outcome, Outcome::failed);
}

}  // namespace
}  // namespace fogline::privacy::statement_check_test
