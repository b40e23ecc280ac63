// SPDX-License-Identifier: Apache-2.0
#include "privacy/ledger.hpp"

#include <type_traits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "privacy/file_hash.hpp"
#include "privacy/ledger_file.hpp"
#include "privacy/test_folder.hpp"
#include "privacy/test_ledger.hpp"

namespace fogline::privacy::ledger_test {
namespace {

using testing::HasSubstr;

// A receipt, and with it a key, comes from a ledger only and cannot be copied.
static_assert(!std::is_default_constructible_v<Receipt>);
static_assert(!std::is_copy_constructible_v<Receipt>);
static_assert(!std::is_constructible_v<Receipt, LedgerReference, std::optional<std::uint64_t>>);

Settlement settlement_of(std::uint64_t entry) {
  return {.entry = entry, .output_sha256 = sha256_of_text("7\n"), .statement_sha256 = sha256_of_text("{}")};
}

class LedgerTest : public testing::Test {
 protected:
  TestFolder folder_;
  std::string path_ = folder_.path("project.ledger");
};

TEST_F(LedgerTest, AChargeIsThereForTheNextProgram) {
  LedgerReference reference;
  {
    declare(path_);
    Ledger ledger(path_, {});
    reference = ledger.charge(report_request()).reference();
  }
  Ledger again(path_, {.access = Ledger::Access::existing});
  const auto entry = again.entry(2);
  ASSERT_TRUE(entry);
  EXPECT_EQ(reference.entry, 2U);
  EXPECT_EQ(reference.ledger_id, again.id());
  EXPECT_EQ(reference.entry_hash, entry->hash);
  EXPECT_EQ(reference.dataset, "riders");
  EXPECT_EQ(entry->guarantee, report_request().guarantee);
  EXPECT_EQ(entry->output, "safe.csv");
  EXPECT_EQ(entry->time_unix_s, 1'700'000'000);
  EXPECT_EQ(again.books().dataset("riders").per_metre.spent, Rational(1, 100));
  EXPECT_FALSE(again.entry(0));
  EXPECT_FALSE(again.entry(3));
}

TEST_F(LedgerTest, EntriesFormAChain) {
  declare(path_);
  Ledger ledger(path_, {});
  for (int i = 0; i < 2; ++i) ledger.charge(report_request());
  const auto entries = ledger.entries();
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[0].previous_hash, genesis_hash(ledger.id()));
  EXPECT_EQ(entries[1].previous_hash, entries[0].hash);
  EXPECT_EQ(entries[2].previous_hash, entries[1].hash);
  EXPECT_EQ(ledger.head().entries, 3U);
  EXPECT_EQ(ledger.head().hash, entries[2].hash);
}

TEST_F(LedgerTest, ACapIsHeldExactlyAndARefusalWritesNothing) {
  Ledger ledger(path_, {});
  EXPECT_EQ(ledger.set_cap(report_cap(Rational(3, 100))).remaining(), Rational(3, 100));
  for (int i = 0; i < 3; ++i) ledger.charge(report_request());
  const LedgerHead before = ledger.head();
  try {
    ledger.charge(report_request());
    FAIL() << "expected a refusal";
  } catch (const BudgetError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("asks for epsilon 0.01 per metre, 0 of the cap of 0.03 remains, 0.01 too"));
  }
  EXPECT_EQ(ledger.head().hash, before.hash);
  EXPECT_EQ(ledger.entries().size(), 4U);
}

TEST_F(LedgerTest, ACapBelowWhatIsSpentSaysThatNothingRemains) {
  declare(path_);
  Ledger ledger(path_, {});
  ledger.charge(report_request());
  EXPECT_EQ(ledger.set_cap(report_cap(Rational(1, 1000))).remaining(), Rational());
  EXPECT_THROW(ledger.charge(report_request()), BudgetError);
  EXPECT_THROW(ledger.set_cap(report_cap(Rational(1'000'001))), InvalidOption);
}

TEST_F(LedgerTest, TwoOpenLedgersSeeEachOther) {
  Ledger one(path_, {});
  Ledger two(path_, {});
  EXPECT_EQ(one.id(), two.id());
  one.set_cap(report_cap(Rational(2, 100)));
  two.charge(report_request());
  one.charge(report_request());
  EXPECT_THROW(two.charge(report_request()), BudgetError);
}

TEST_F(LedgerTest, OnlyADeclaredDatasetIsCharged) {
  Ledger ledger(path_, {});
  try {
    ledger.charge(report_request());
    FAIL() << "a slip of the pen is a fresh budget";
  } catch (const BudgetError& error) {
    EXPECT_EQ(error.why(), BudgetError::Why::not_declared);
    EXPECT_EQ(error.problem().code, "undeclared-dataset");
  }
  EXPECT_EQ(ledger.head().entries, 0U);
  ledger.record_seeded_run(report_request(), 5);  // costs nothing, and needs no budget
  const auto add = [&](const std::string& name, std::vector<Cap> caps, bool is_uncapped) {
    ledger.add_dataset(
        {.dataset = name, .caps = std::move(caps), .is_uncapped = is_uncapped, .time_unix_s = 1});
  };
  EXPECT_THROW(add("riders", {}, false), InvalidOption) << "neither a cap nor the word that there is none";
  EXPECT_THROW(add("riders", {Cap::parse("epsilon 2")}, true), InvalidOption) << "both";
  EXPECT_THROW(add("riders", {Cap::parse("epsilon 2"), Cap::parse("epsilon 3")}, false), InvalidOption);
  add("riders", {Cap::parse("epsilon 2"), Cap::parse("epsilon 0.01 per metre")}, false);
  EXPECT_EQ(ledger.head().entries, 4U);
  EXPECT_EQ(ledger.books().dataset("riders").plain.cap, Rational(2));
  EXPECT_NO_THROW(ledger.charge(report_request()));
  EXPECT_THROW(ledger.charge(report_request()), BudgetError) << "its cap counts at once";
  EXPECT_THROW(add("riders", {}, true), InvalidOption) << "a cap is not talked away";
  EXPECT_EQ(Ledger(path_, {}).entry(2)->type, EntryType::dataset);
}

/// The three names that an attacker bought three budgets with.
TEST_F(LedgerTest, ANameThatLooksLikeAnotherBuysNoBudget) {
  declare(path_, "d");
  Ledger ledger(path_, {});
  for (const std::string name : {"D", "d.", "d ", " d", "d-", "\u0501", "d_"}) {
    EXPECT_THROW(ledger.set_cap({name, {EpsilonMeasure::plain, Rational(1)}, 1}), InvalidOption) << name;
    EXPECT_THROW(declare(path_, name), InvalidOption) << name;
    ReleaseRequest request = report_request();
    request.dataset = name;
    EXPECT_ANY_THROW(ledger.charge(request)) << name;
  }
  EXPECT_EQ(ledger.head().entries, 1U);
  declare(path_, "modern 01");
  EXPECT_THROW(declare(path_, "Modem-ol"), InvalidOption);
  EXPECT_NO_THROW(declare(path_, "modern 02"));
}

/// Digits for letters, and letters that run together.
TEST_F(LedgerTest, NamesThatReadAlikeBuyNoBudget) {
  const std::vector<std::pair<std::string, std::string>> pairs{
      {"riders", "rider5"}, {"Sales", "5ales"},    {"BoxB", "Box8"},    {"Z00", "2oo"},
      {"gg", "g9"},         {"window", "vvindow"}, {"modern", "modem"}, {"riders north", "riclers-north"}};
  for (const auto& [name, other] : pairs) {
    declare(path_, name);
    EXPECT_THROW(declare(path_, other), InvalidOption) << other;
  }
  // Years and numbers name datasets: no digit is another.
  for (const char digit : std::string("0123456789"))
    EXPECT_NO_THROW(declare(path_, std::string("year 201") + digit)) << digit;
}

/// A guarded request may tell one bit by being refused, or broken off; one that is settled tells what it paid for.
TEST_F(LedgerTest, GuardedRequestsAreRefusedOnlySoOften) {
  declare(path_);
  Ledger ledger(path_, {});
  EXPECT_THROW(ledger.set_refusals("rider", 2, 1), InvalidOption) << "not declared";
  EXPECT_THROW(ledger.set_refusals("riders", 2'000'000, 1), InvalidOption);
  ledger.set_refusals("riders", 2, 1'700'000'000);
  ReleaseRequest request = report_request();
  request.is_guarded = true;
  const LedgerReference settled = ledger.charge(request).reference();
  ledger.settle(settled, settlement_of(settled.entry), 1'700'000'000);
  EXPECT_EQ(ledger.books().dataset("riders").answers_that_may_tell(), 0U);
  const LedgerReference refused = ledger.charge(request).reference();
  ledger.record_refusal("riders", "place", 1'700'000'000, refused.entry);
  EXPECT_EQ(ledger.books().dataset("riders").guarded_refusals, 1U);
  EXPECT_EQ(ledger.books().dataset("riders").unsettled(),
            ledger.books().dataset("riders").guarded_open.size())
      << "what was refused is not still running";
  ledger.charge(request);  // still running, or broken off
  EXPECT_EQ(Ledger(path_, {}).books().dataset("riders").answers_that_may_tell(), 2U);
  try {
    ledger.charge(request);
    FAIL() << "a third may be refused as well";
  } catch (const BudgetError& error) {
    EXPECT_EQ(error.why(), BudgetError::Why::refused_too_often);
    EXPECT_EQ(error.problem().code, "refused-too-often");
  }
  EXPECT_NO_THROW(ledger.charge(report_request())) << "who knows the records is told by them";
  ledger.record_refusal("riders", "place", 1'700'000'000);
  ledger.set_refusals("riders", 3, 1'700'000'000);
  EXPECT_NO_THROW(ledger.charge(request));
  for (const LedgerEntry& entry : Ledger(path_, {}).entries()) EXPECT_EQ(from_row(to_row(entry)), entry);
}

/// An output that went out before its records turned out wrong is settled, and was refused all the same.
TEST_F(LedgerTest, ASettledReleaseMayHaveBeenRefusedLater) {
  declare(path_);
  Ledger ledger(path_, {});
  ReleaseRequest request = report_request();
  request.is_guarded = true;
  const LedgerReference paid = ledger.charge(request).reference();
  ledger.settle(paid, settlement_of(paid.entry), 1'700'000'000);
  ledger.record_refusal("riders", "stream", 1'700'000'000, paid.entry);
  EXPECT_EQ(ledger.books().dataset("riders").answers_that_may_tell(), 1U);
}

TEST_F(LedgerTest, AClockThatRunsBackwardsIsTold) {
  declare(path_);
  Ledger ledger(path_, {});
  ReleaseRequest request = report_request();
  request.time_unix_s = 1'700'000'100;
  EXPECT_EQ(ledger.charge(request).clock_behind_s(), 0);
  request.time_unix_s = 1'700'000'040;
  const Receipt receipt = ledger.charge(request);
  EXPECT_EQ(receipt.clock_behind_s(), 60);
  // Whatever is written.
  ledger.record_refusal("riders", "place", 1'700'000'090);
  EXPECT_EQ(ledger.clock_behind_s(), 10);
  ledger.set_cap({"riders", {EpsilonMeasure::per_metre, Rational(1)}, 1'700'000'080});
  EXPECT_EQ(ledger.clock_behind_s(), 20);
  ledger.settle(receipt.reference(), settlement_of(receipt.reference().entry), 1'700'000'070);
  EXPECT_EQ(ledger.clock_behind_s(), 30);
  ledger.add_dataset({.dataset = "drivers", .is_uncapped = true, .time_unix_s = 1'700'000'060});
  EXPECT_EQ(ledger.clock_behind_s(), 40);
  ledger.accept("restored", 1'700'000'050);
  EXPECT_EQ(ledger.clock_behind_s(), 50);
  ledger.record_refusal("riders", "place", 1'700'000'100);
  EXPECT_EQ(ledger.clock_behind_s(), 0);
}

TEST_F(LedgerTest, AReceiptGivesOneKeyOnce) {
  declare(path_);
  Ledger ledger(path_, {});
  Receipt receipt = ledger.charge(report_request());
  EXPECT_EQ(receipt.draw_key().source(), random::Source::operating_system);
  EXPECT_THROW(receipt.draw_key(), Error);
  Receipt first = ledger.charge(report_request());
  Receipt moved = std::move(first);
  EXPECT_THROW(first.draw_key(), Error);  // NOLINT(bugprone-use-after-move): that it refuses is the point
  EXPECT_NO_THROW(moved.draw_key());
}

TEST_F(LedgerTest, TwoChargesGiveDifferentKeys) {
  declare(path_);
  Ledger ledger(path_, {});
  const random::Key one = ledger.charge(report_request()).draw_key();
  const random::Key two = ledger.charge(report_request()).draw_key();
  EXPECT_NE(one.stream("x").next64(), two.stream("x").next64());
}

TEST_F(LedgerTest, ASeededRunIsRefusedOnADatasetWithACap) {
  Ledger ledger(path_, {});
  ledger.set_cap(report_cap(Rational(1)));
  EXPECT_THROW(ledger.record_seeded_run(report_request(), 42), BudgetError);
  EXPECT_EQ(ledger.head().entries, 1U);
}

TEST_F(LedgerTest, ASeededRunIsRecordedCostsNothingAndIsRepeatable) {
  Ledger ledger(path_, {});
  Receipt receipt = ledger.record_seeded_run(report_request(), 42);
  EXPECT_EQ(receipt.source(), random::Source::seeded);
  const random::Key key = receipt.draw_key();
  EXPECT_EQ(key.source(), random::Source::seeded);
  EXPECT_EQ(key.stream("x").next64(), random::SeededKey(42).stream("x").next64());
  EXPECT_EQ(ledger.entry(1)->type, EntryType::seeded_run);
  EXPECT_EQ(ledger.books().dataset("riders").seeded_runs, 1U);
  EXPECT_TRUE(ledger.books().dataset("riders").per_metre.spent.is_zero());
}

TEST_F(LedgerTest, AReleaseWithoutGuaranteeIsRecordedAndMarksTheDataset) {
  declare(path_);
  Ledger ledger(path_, {});
  ReleaseRequest request = report_request();
  request.guarantee = Guarantee::none("one trip", "starts from the originals");
  ledger.charge(request);
  EXPECT_EQ(ledger.books().dataset("riders").releases_without_guarantee, 1U);
  EXPECT_EQ(ledger.books().dataset("riders").together()->notion(), Notion::none);
  ledger.set_cap(report_cap(Rational(1)));
  EXPECT_THROW(ledger.charge(request), BudgetError);
}

TEST_F(LedgerTest, MalformedRequestsAreRefusedBeforeAnythingIsWritten) {
  Ledger ledger(path_, {});
  const auto with = [](auto member, const std::string& text) {
    ReleaseRequest request = report_request();
    request.*member = text;
    return request;
  };
  EXPECT_THROW(ledger.charge(with(&ReleaseRequest::dataset, "")), InvalidOption);
  EXPECT_THROW(ledger.charge(with(&ReleaseRequest::dataset, std::string(201, 'x'))), InvalidOption);
  EXPECT_THROW(ledger.charge(with(&ReleaseRequest::dataset, "a\nb")), InvalidOption);
  EXPECT_THROW(ledger.charge(with(&ReleaseRequest::kind, "\xFF")), InvalidOption);
  EXPECT_THROW(ledger.charge(with(&ReleaseRequest::mechanism, "")), InvalidOption);
  EXPECT_THROW(ledger.charge(with(&ReleaseRequest::version, "")), InvalidOption);
  EXPECT_THROW(ledger.charge(with(&ReleaseRequest::output, "/home/me/safe.csv")), InvalidOption);
  EXPECT_EQ(ledger.head().entries, 0U);
}

// Charges are added exactly where 64 bits can keep the sum, and rounded up where they cannot: never less than was spent.
TEST_F(LedgerTest, ATotalThatCannotBeKeptExactlyIsRoundedUp) {
  declare(path_);
  Ledger ledger(path_, {});
  ReleaseRequest request = report_request();
  for (const std::uint64_t prime : {999'999'937U, 999'999'929U, 999'999'893U}) {
    request.guarantee = Guarantee::pure(Epsilon{1, prime}, "one trip", Exactness::exact);
    ledger.charge(request);
  }
  EXPECT_EQ(ledger.head().entries, 4U);
  const double spent = ledger.books().dataset(request.dataset).total(EpsilonMeasure::plain).spent.to_double();
  EXPECT_GE(spent, 3.0 / 999'999'937);
  EXPECT_LE(spent, 3.0 / 999'999'893 + 3e-9);
  EXPECT_NO_THROW(ledger.charge(report_request()));
}

TEST_F(LedgerTest, IdsAreRandom) {
  const Ledger one(path_, {});
  const Ledger two(folder_.path("other.ledger"), {});
  EXPECT_EQ(one.id().size(), 32U);
  EXPECT_NE(one.id(), two.id());
}

TEST_F(LedgerTest, NothingButTheLedgerStaysInTheFolder) {
  {
    declare(path_);
    Ledger ledger(path_, {});
    ledger.charge(report_request());
  }
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(folder_.name())) {
    names.push_back(file.path().filename().string());
  }
  EXPECT_THAT(names, testing::ElementsAre("project.ledger"));
}

TEST_F(LedgerTest, TheTriggersStopAnHonestTool) {
  declare(path_);
  { Ledger(path_, {}).charge(report_request()); }
  EXPECT_THAT(tamper(path_, "UPDATE entries SET epsilon = '1/1000'"), HasSubstr("a ledger only grows"));
  EXPECT_THAT(tamper(path_, "DELETE FROM entries"), HasSubstr("a ledger only grows"));
  EXPECT_THAT(tamper(path_, "UPDATE ledger SET id = 'x'"), HasSubstr("a ledger only grows"));
  EXPECT_THAT(tamper(path_, "UPDATE head SET entries = 0"), HasSubstr("a ledger only grows"));
  EXPECT_THAT(tamper(path_, "DELETE FROM head"), HasSubstr("a ledger only grows"));
}

TEST_F(LedgerTest, AnEntryIsSettledOnceByWhatWasWritten) {
  declare(path_);
  Ledger ledger(path_, {});
  const LedgerReference first = ledger.charge(report_request()).reference(),
                        second = ledger.charge(report_request()).reference(),
                        seeded = ledger.record_seeded_run(report_request(), 5).reference();
  EXPECT_EQ(ledger.settlement_of(2), std::nullopt);
  ledger.settle(second, settlement_of(3), 1'700'000'001);
  EXPECT_EQ(ledger.books().dataset("riders").unsettled(), 1U);
  ledger.settle(first, settlement_of(2), 1'700'000'002);
  EXPECT_EQ(ledger.settlement_of(2), settlement_of(2));
  EXPECT_EQ(ledger.settlement_of(3), settlement_of(3));
  EXPECT_EQ(ledger.settlement_of(4), std::nullopt);
  EXPECT_EQ(ledger.head().entries, 6U);
  EXPECT_EQ(ledger.books().dataset("riders").settled, 2U);
  EXPECT_EQ(ledger.books().dataset("riders").unsettled(), 0U);
  EXPECT_EQ(ledger.books().dataset("riders").per_metre.spent, Rational(2, 100));
  EXPECT_THROW(ledger.settle(first, settlement_of(2), 1'700'000'003), Error) << "settled twice";
  EXPECT_THROW(ledger.settle(seeded, settlement_of(4), 1'700'000'003), Error) << "promises nothing";
  EXPECT_EQ(ledger.head().entries, 6U);
}

/// Whoever can write the file can add a line with a right hash; what it says must still fit the lines before.
TEST_F(LedgerTest, AForgedSettlementIsRefused) {
  const auto forge = [&](const LedgerEntry& forged) {
    LedgerEntry line = forged;
    const LedgerHead head = Ledger(path_, {}).head();
    line.number = head.entries + 1;
    line.previous_hash = head.hash;
    line.hash = hash_of(to_row(line));
    LedgerFile file(path_, {});
    sqlite::Transaction transaction(file.database(), sqlite::Transaction::Kind::write);
    file.append(to_row(line));
    transaction.commit();
  };
  {
    declare(path_);
    Ledger ledger(path_, {});
    const LedgerReference settled = ledger.charge(report_request()).reference();
    ledger.charge(report_request());  // never settled
    ledger.settle(settled, settlement_of(2), 1'700'000'001);
  }
  LedgerEntry second;
  second.type = EntryType::settlement;
  second.dataset = "riders";
  second.settlement = settlement_of(2);
  second.settlement->output_sha256 = sha256_of_text("written by hand");
  forge(second);
  EXPECT_THROW(Ledger(path_, {}).settlement_of(2), DataError);
  EXPECT_THROW(Ledger(path_, {}).charge(report_request()), DataError);
}

TEST_F(LedgerTest, NothingButAReleaseOfThisLedgerIsSettled) {
  Ledger ledger(path_, {});
  ledger.set_cap(report_cap(Rational(1)));
  const LedgerReference paid = ledger.charge(report_request()).reference();
  const auto refused = [&](const LedgerReference& reference, const Settlement& written) {
    EXPECT_THROW(ledger.settle(reference, written, 1'700'000'001), Error);
    EXPECT_EQ(ledger.head().entries, 2U);
  };
  refused({paid.ledger_id, 1, paid.entry_hash, "riders"}, settlement_of(1));  // a cap
  refused({paid.ledger_id, 3, paid.entry_hash, "riders"}, settlement_of(3));  // not there yet
  refused({paid.ledger_id, 2, paid.entry_hash, "drivers"}, settlement_of(2));
  refused({std::string(32, '0'), 2, paid.entry_hash, "riders"}, settlement_of(2));
  refused({paid.ledger_id, 2, std::string(64, '0'), "riders"}, settlement_of(2));  // of another copy
  refused(paid, settlement_of(1));
  refused(paid, {.entry = 2, .output_sha256 = "none", .statement_sha256 = sha256_of_text("")});
}

TEST_F(LedgerTest, ARefusalIsCountedAndCostsNothing) {
  Ledger ledger(path_, {});
  ledger.set_cap(report_cap(Rational(1)));
  ledger.record_refusal("riders", "place", 1'700'000'001);
  EXPECT_EQ(ledger.books().dataset("riders").refusals, 1U);
  EXPECT_EQ(ledger.books().dataset("riders").per_metre.spent, Rational());
  EXPECT_EQ(ledger.books().dataset("riders").releases(), 0U);
  EXPECT_THROW(ledger.settle({ledger.id(), 2, ledger.head().hash, "riders"}, settlement_of(2), 1), Error);
  EXPECT_THROW(ledger.record_refusal("riders", "", 1), InvalidOption);
  EXPECT_EQ(Ledger(path_, {}).entry(2)->kind, "place");
}

/// A ledger as the first format had it: without the column for details.
void make_first_format(const std::string& path) {
  ASSERT_EQ(tamper(path, "ALTER TABLE entries DROP COLUMN details; PRAGMA user_version = 1"), "");
}

TEST_F(LedgerTest, ALedgerOfTheFirstFormatIsReadAsItIsAndGrowsIntoTheSecond) {
  LedgerReference first;
  {
    Ledger ledger(path_, {});
    ledger.set_cap(report_cap(Rational(1)));
    first = ledger.charge(report_request()).reference();
  }
  make_first_format(path_);
  const std::string before = sha256_of_file(path_);
  {
    Ledger known(path_, {.access = Ledger::Access::read_only});
    EXPECT_EQ(known.entries().size(), 2U);
    EXPECT_EQ(known.entry(2)->hash, first.entry_hash);
    EXPECT_EQ(known.settlement_of(2), std::nullopt);
    Ledger existing(path_, {.access = Ledger::Access::existing});
    EXPECT_EQ(existing.books().dataset("riders").per_metre.spent, Rational(1, 100));
  }
  EXPECT_EQ(sha256_of_file(path_), before) << "reading changed the file";
  Ledger ledger(path_, {.access = Ledger::Access::existing});
  Ledger other(
      path_, {.access = Ledger::Access::existing});  // another program, which does not see the change happen
  EXPECT_EQ(other.head().entries, 2U);
  ledger.settle(first, settlement_of(2), 1'700'000'001);
  EXPECT_EQ(other.head().entries, 3U);
  EXPECT_EQ(other.settlement_of(2), settlement_of(2));
  EXPECT_EQ(other.charge(report_request()).reference().entry, 4U);
  EXPECT_EQ(Ledger(path_, {}).head().entries, 4U);
}

TEST_F(LedgerTest, ALedgerOfTheFirstFormatThatWasAlteredIsRefused) {
  { Ledger(path_, {}).set_cap(report_cap(Rational(1))); }
  make_first_format(path_);
  ASSERT_EQ(tamper(path_, "ALTER TABLE entries ADD COLUMN details TEXT"), "");
  EXPECT_THROW(Ledger(path_, {}).charge(report_request()), DataError);
}

}  // namespace
}  // namespace fogline::privacy::ledger_test
