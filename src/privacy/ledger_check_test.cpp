// SPDX-License-Identifier: Apache-2.0
// Everything somebody might do to a ledger behind its back, and that it is found.
#include "privacy/ledger_check.hpp"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "privacy/composition.hpp"
#include "privacy/release.hpp"
#include "privacy/sqlite.hpp"
#include "privacy/test_folder.hpp"
#include "privacy/test_ledger.hpp"
#include "privacy/test_statement.hpp"

namespace fogline::privacy::ledger_check_test {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

constexpr auto drop_triggers =
    "DROP TRIGGER entries_no_UPDATE; DROP TRIGGER entries_no_DELETE; DROP TRIGGER head_moves_on;"
    "DROP TRIGGER head_no_DELETE; DROP TRIGGER ledger_no_UPDATE; DROP TRIGGER ledger_no_DELETE;";

class LedgerCheck : public testing::Test {
 protected:
  // Entry 1 is a cap of 0.1 per metre, entries 2 to 7 are reports of 0.01.
  LedgerCheck() {
    Ledger ledger(path_, {});
    ledger.set_cap(report_cap(Rational(1, 10)));
    for (int i = 0; i < 6; ++i) references_.push_back(ledger.charge(report_request()).reference());
  }

  std::string findings(const LedgerCheckOptions& options = {}) const {
    std::string all;
    for (const Finding& finding : verify_ledger(path_, options).findings) {
      all += std::to_string(finding.entry) + ": " + finding.sentence + "\n";
    }
    return all;
  }

  /// Changes the file as somebody would who also puts the triggers back.
  void edit(const std::string& sql) const {
    sqlite3* file = nullptr;
    sqlite3_open(path_.c_str(), &file);
    std::string triggers;
    const auto keep = [](void* all, int, char** values, char**) {
      *static_cast<std::string*>(all) += std::string(values[0]) + ";";
      return 0;
    };
    sqlite3_exec(file, "SELECT sql FROM sqlite_schema WHERE type = 'trigger'", keep, &triggers, nullptr);
    sqlite3_close(file);
    ASSERT_EQ(tamper(path_, drop_triggers + sql + ";" + triggers), "");
  }

  void expect_refused() const {
    EXPECT_THROW(Ledger(path_, {}).charge(report_request()), DataError);
    EXPECT_THROW(Ledger(path_, {}).books(), DataError);
  }

  Statement statement_of(std::size_t charge) const {
    Statement statement = sample_statement();
    statement.ledger = references_[charge];
    return statement;
  }

  TestFolder folder_;
  std::string path_ = folder_.path("project.ledger");
  std::vector<LedgerReference> references_;
};

TEST_F(LedgerCheck, ASoundLedgerHasNoFindings) {
  const LedgerVerdict verdict = verify_ledger(path_);
  EXPECT_TRUE(verdict.sound()) << findings();
  EXPECT_EQ(verdict.head.entries, 7U);
  EXPECT_EQ(verdict.head.hash, references_.back().entry_hash);
}

/// Somebody's clock was wrong, and nobody edited anything.
TEST_F(LedgerCheck, TimesThatRunBackwardsAreToldAndAreNoEdit) {
  EXPECT_TRUE(verify_ledger(path_).remarks.empty());
  Ledger(path_, {}).set_cap({"riders", {EpsilonMeasure::per_metre, Rational(2)}, 1'699'999'940});
  const LedgerVerdict verdict = verify_ledger(path_);
  EXPECT_TRUE(verdict.sound());
  ASSERT_EQ(verdict.remarks.size(), 1U);
  EXPECT_EQ(verdict.remarks.front().entry, 8U);
  EXPECT_THAT(verdict.remarks.front().sentence, HasSubstr("60 s before"));
}

TEST_F(LedgerCheck, WhatSettlesNoReleaseIsFound) {
  Ledger ledger(path_, {});
  const auto settle = [&](std::size_t charge) {
    ledger.settle(references_[charge],
                  {.entry = references_[charge].entry,
                   .output_sha256 = std::string(64, '1'),
                   .statement_sha256 = std::string(64, '2')},
                  1'700'000'000);
  };
  settle(0);
  settle(1);
  EXPECT_EQ(findings(), "");
  const std::string entry_of_second = "'{\"entry\":3,'", entry_of_first = "'{\"entry\":2,'";
  edit("UPDATE entries SET details = replace(details, " + entry_of_second + ", " + entry_of_first + ")");
  EXPECT_THAT(findings(), HasSubstr("9: it was changed"));
  EXPECT_THAT(findings(),
              HasSubstr("9: it settles no release of its dataset, or one that was settled before"));
  expect_refused();
}

TEST_F(LedgerCheck, AStatementOfWhatWasNotWrittenIsFound) {
  Statement honest = statement_of(2);
  settle(honest, *std::make_unique<Ledger>(path_, Ledger::Options{}), 1'700'000'000);
  EXPECT_EQ(findings({.statements = {{"honest", honest}}, .known_head = {}}), "");
  honest.outputs[0].sha256 = std::string(64, '7');
  EXPECT_THAT(findings({.statements = {{"forged", honest}}, .known_head = {}}),
              HasSubstr("its entry was settled with another output or statement"));
}

TEST_F(LedgerCheck, AnEditedChargeIsFound) {
  edit("UPDATE entries SET epsilon = '1/1000' WHERE sequence = 4");
  EXPECT_EQ(findings(), "4: it was changed: its content does not have its hash\n");
  expect_refused();
}

TEST_F(LedgerCheck, EveryColumnIsCovered) {
  const std::string original = content_of(path_);
  for (const auto& [name, member] : entry_columns) {
    std::ofstream(path_, std::ios::binary) << original;
    edit(std::string("UPDATE entries SET ") + name + " = " + name + " || ' ' WHERE sequence = 3");
    EXPECT_THAT(findings(), HasSubstr("3: it was changed")) << name;
  }
  std::ofstream(path_, std::ios::binary) << original;
  edit("UPDATE entries SET time_unix_s = 0 WHERE sequence = 3");
  EXPECT_THAT(findings(), HasSubstr("3: it was changed"));
}

TEST_F(LedgerCheck, AnEditedCapIsFound) {
  edit("UPDATE entries SET epsilon = '1000/1' WHERE sequence = 1");
  EXPECT_THAT(findings(), HasSubstr("1: it was changed"));
  expect_refused();
}

TEST_F(LedgerCheck, AnEditWithItsOwnHashBreaksTheChain) {
  EntryRow row = to_row(*Ledger(path_, {}).entry(4));
  row.epsilon = "1/1000";
  edit("UPDATE entries SET epsilon = '1/1000', hash = '" + hash_of(row) + "' WHERE sequence = 4");
  EXPECT_EQ(findings(), "5: the chain is broken: it does not continue the entry before\n");
  expect_refused();
}

TEST_F(LedgerCheck, ADeletedMiddleIsFound) {
  edit("DELETE FROM entries WHERE sequence IN (3, 4)");
  EXPECT_EQ(findings(), "3: entries 3 to 4 are missing\n");
  expect_refused();
}

TEST_F(LedgerCheck, ARenumberedMiddleIsFound) {
  edit(
      "DELETE FROM entries WHERE sequence = 3; UPDATE entries SET sequence = sequence - 1 WHERE sequence > 3;"
      "UPDATE head SET entries = 6");
  EXPECT_THAT(findings(), HasSubstr("3: the chain is broken"));
  expect_refused();
}

TEST_F(LedgerCheck, ADeletedTailIsFound) {
  edit("DELETE FROM entries WHERE sequence > 5");
  EXPECT_EQ(findings(), "6: the last 2 entries are missing: the ledger was cut off\n");
  expect_refused();
}

TEST_F(LedgerCheck, ADeletedFirstEntryIsFound) {
  edit("DELETE FROM entries WHERE sequence = 1");
  EXPECT_THAT(findings(), HasSubstr("1: entries 1 to 1 are missing"));
  expect_refused();
}

TEST_F(LedgerCheck, AllEntriesDeletedIsFound) {
  edit("DELETE FROM entries");
  EXPECT_THAT(findings(), HasSubstr("1: the last 7 entries are missing"));
  expect_refused();
}

TEST_F(LedgerCheck, AnEntryNumberedBelowOneIsFound) {
  edit("UPDATE entries SET sequence = -1 WHERE sequence = 1");
  EXPECT_THAT(findings(), HasSubstr("numbered below 1"));
  expect_refused();
}

TEST_F(LedgerCheck, AChangedHeadOrIdIsFound) {
  edit("UPDATE head SET hash = 'x'");
  EXPECT_EQ(findings(), "0: the head does not match the last entry\n");
  expect_refused();
  edit(
      "UPDATE head SET hash = (SELECT hash FROM entries WHERE sequence = 7); UPDATE ledger SET id = "
      "'00000000000000000000000000000001'");
  EXPECT_THAT(findings(), HasSubstr("1: the chain is broken"));
  expect_refused();
}

TEST_F(LedgerCheck, MissingTriggersAndStrangeTablesAreFound) {
  ASSERT_EQ(tamper(path_, "DROP TRIGGER entries_no_DELETE"), "");
  EXPECT_EQ(findings(), "0: the tables were altered: its part \"entries_no_DELETE\" is missing\n");
  expect_refused();
  ASSERT_EQ(tamper(path_, "CREATE TABLE other (x)"), "");
  EXPECT_THAT(findings(), HasSubstr("that is not ours"));
}

/// A forger who knows the format: rewrites rows from `first` on with right hashes and a right head.
void forge(const std::string& path, std::uint64_t first, const std::function<void(EntryRow&)>& change) {
  std::vector<LedgerEntry> entries = Ledger(path, {}).entries();
  std::string sql = drop_triggers;
  std::string hash = entries[first - 2].hash;
  for (std::uint64_t number = first; number <= entries.size(); ++number) {
    EntryRow row = to_row(entries[number - 1]);
    row.previous_hash = hash;
    if (number == first) change(row);
    hash = hash_of(row);
    sql += "UPDATE entries SET previous_hash = '" + row.previous_hash + "', epsilon = '" + row.epsilon +
           "', hash = '" + hash + "' WHERE sequence = " + std::to_string(number) + ";";
  }
  ASSERT_EQ(tamper(path, sql + "UPDATE head SET hash = '" + hash + "'"), "");
}

TEST_F(LedgerCheck, ACapExceededIsFoundEvenInAConsistentForgery) {
  forge(path_, 3, [](EntryRow& row) { row.epsilon = "1/2"; });
  EXPECT_THAT(findings(), HasSubstr("3: it exceeds the cap of its dataset"));
}

TEST_F(LedgerCheck, AMalformedNumberIsFoundEvenInAConsistentForgery) {
  forge(path_, 3, [](EntryRow& row) { row.epsilon = "0.01"; });
  EXPECT_THAT(findings(), HasSubstr("3: it is malformed: epsilon: is not a fraction in lowest terms"));
}

TEST_F(LedgerCheck, AConsistentForgeryIsFoundOnlyByAnchors) {
  const std::string known_head = references_.back().entry_hash;
  const std::string schema_only = "0: the tables were altered: its part \"entries_no_DELETE\" is missing\n";
  forge(path_, 3, [](EntryRow& row) { row.epsilon = "1/1000"; });
  EXPECT_EQ(findings(), schema_only);
  EXPECT_THAT(findings({.statements = {{"a.json", statement_of(1)}}, .known_head = {}}),
              HasSubstr("3: statement a.json: its entry has another hash: the statement was changed or the "
                        "ledger rewritten"));
  EXPECT_THAT(findings({.statements = {}, .known_head = known_head}),
              HasSubstr("the known head is not in the chain"));
}

TEST_F(LedgerCheck, AnOlderCopyIsFoundByAStatementOrAKnownHead) {
  fs::copy_file(path_, folder_.path("older"));
  const LedgerReference newest = Ledger(path_, {}).charge(report_request()).reference();
  fs::rename(folder_.path("older"), path_);
  EXPECT_EQ(findings(), "");
  Statement statement = sample_statement();
  statement.ledger = newest;
  EXPECT_THAT(findings({.statements = {{"a.json", statement}}, .known_head = {}}),
              HasSubstr("8: statement a.json: its entry 8 is not there: the ledger was cut off or replaced"));
  EXPECT_THAT(findings({.statements = {}, .known_head = newest.entry_hash}), HasSubstr("older copy"));
}

TEST_F(LedgerCheck, AnchorsThatAgreeRaiseNothing) {
  std::vector<NamedStatement> statements;
  for (std::size_t i = 0; i < references_.size(); ++i) statements.push_back({"s", statement_of(i)});
  statements.push_back({"none", sample_statement()});
  statements.back().statement.ledger = NoLedgerEntry{"no ledger was used"};
  for (const LedgerReference& reference : references_) {
    EXPECT_EQ(findings({.statements = statements, .known_head = reference.entry_hash}), "");
  }
}

TEST_F(LedgerCheck, AStatementThatSaysOtherThanItsEntryIsFound) {
  const auto with = [&](auto change) {
    Statement statement = statement_of(0);
    change(statement);
    return findings({.statements = {{"s", statement}}, .known_head = {}});
  };
  EXPECT_THAT(with([](Statement& s) { s.mechanism = "tight"; }), HasSubstr("another kind or mechanism"));
  EXPECT_THAT(with([](Statement& s) { s.version = "9"; }), HasSubstr("another version"));
  EXPECT_THAT(with([](Statement& s) { s.outputs[0].name = "b.csv"; }), HasSubstr("another output"));
  EXPECT_THAT(with([](Statement& s) { std::get<LedgerReference>(s.ledger).dataset = "x"; }),
              HasSubstr("another dataset"));
  EXPECT_THAT(with([](Statement& s) { std::get<LedgerReference>(s.ledger).entry = 1; }),
              HasSubstr("another hash"));
  EXPECT_THAT(
      with([](Statement& s) { std::get<LedgerReference>(s.ledger).ledger_id = std::string(32, 'b'); }),
      HasSubstr("another ledger"));
  EXPECT_THAT(with([](Statement& s) {
                s.guarantee = Guarantee::metric(EpsilonPerMetre{1, 1000}, "one report", Exactness::exact);
              }),
              HasSubstr("another guarantee"));
  EXPECT_THAT(with([](Statement& s) {
                s.randomness = random::Source::seeded;
                s.guarantee = seeded(s.guarantee);
              }),
              HasSubstr("seeded run"));
}

TEST_F(LedgerCheck, TwoReleasesThatClaimOneEntryAreFound) {
  const Statement original = statement_of(0);
  Statement forged = original;
  forged.outputs[0].sha256 = std::string(64, 'a');
  EXPECT_EQ(findings({.statements = {{"a", original}, {"copy", original}}, .known_head = {}}), "");
  EXPECT_THAT(findings({.statements = {{"a", original}, {"b", forged}}, .known_head = {}}),
              HasSubstr("statements a and b claim one entry"));
}

TEST_F(LedgerCheck, ATruncatedFileIsFoundWhereverItIsCut) {
  const std::string original = content_of(path_);
  for (std::size_t size = 0; size < original.size(); size += 1000) {
    std::ofstream(path_, std::ios::binary) << original.substr(0, size);
    EXPECT_NE(findings(), "") << size;
    EXPECT_THROW(Ledger(path_, {}).charge(report_request()), Error) << size;
  }
}

TEST_F(LedgerCheck, OverwrittenBytesAreFoundOrChangeNothing) {
  const std::string original = content_of(path_);
  const std::vector<LedgerEntry> entries = Ledger(path_, {}).entries();
  std::mt19937 random(7);  // where to write, not a secret
  int found = 0;
  for (int i = 0; i < 400; ++i) {
    std::string spoiled = original;
    for (std::size_t at = random() % original.size(), end = at + 4; at < end && at < spoiled.size(); ++at) {
      spoiled[at] = static_cast<char>(random());
    }
    std::ofstream(path_, std::ios::binary) << spoiled;
    try {
      if (verify_ledger(path_).sound()) {
        EXPECT_EQ(Ledger(path_, {}).entries(), entries);
        continue;
      }
    } catch (const FileError&) {  // the byte that says which format it is
    }
    ++found;
  }
  EXPECT_GT(found, 50);
}

}  // namespace
}  // namespace fogline::privacy::ledger_check_test
