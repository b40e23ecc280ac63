// SPDX-License-Identifier: Apache-2.0
#include "privacy/ledger_entry.hpp"

#include <functional>

#include <gtest/gtest.h>

namespace fogline::privacy::ledger_entry_test {
namespace {

LedgerEntry charge() {
  LedgerEntry entry;
  entry.number = 1;
  entry.time_unix_s = 1'700'000'000;
  entry.dataset = "riders";
  entry.kind = "place";
  entry.mechanism = "gem";
  entry.output = "safe.csv";
  entry.version = "0.1.0";
  entry.guarantee = Guarantee::metric(EpsilonPerMetre{1, 100}, "one report", Exactness::exact);
  entry.previous_hash = genesis_hash("id");
  entry.hash = hash_of(to_row(entry));
  return entry;
}

LedgerEntry cap() {
  LedgerEntry entry;
  entry.number = 2;
  entry.type = EntryType::cap;
  entry.dataset = "riders";
  entry.cap = Cap{EpsilonMeasure::per_metre, Rational(3)};
  return entry;
}

TEST(LedgerEntry, RowsRoundTrip) {
  EXPECT_EQ(from_row(to_row(charge())), charge());
  EXPECT_EQ(from_row(to_row(cap())), cap());
  LedgerEntry seeded = charge();
  seeded.type = EntryType::seeded_run;
  EXPECT_EQ(from_row(to_row(seeded)), seeded);
  LedgerEntry published = charge();
  published.guarantee = Guarantee::none("one weight", "the order is published");
  EXPECT_EQ(from_row(to_row(published)), published);
}

TEST(LedgerEntry, WhatIsOfAPersonIsPartOfTheHash) {
  LedgerEntry person = charge();
  person.guarantee = person.guarantee->for_person();
  EXPECT_EQ(from_row(to_row(person)), person);
  EXPECT_NE(hash_of(to_row(person)), hash_of(to_row(charge())));
  LedgerEntry present = charge();
  present.guarantee = present.guarantee->for_person(PersonCover::presence);
  EXPECT_EQ(from_row(to_row(present)), present);
  EXPECT_NE(hash_of(to_row(present)), hash_of(to_row(person)));
  LedgerEntry per_person = cap();
  per_person.cap->of_person = true;
  EXPECT_EQ(from_row(to_row(per_person)), per_person);
  EXPECT_NE(hash_of(to_row(per_person)), hash_of(to_row(cap())));
  for (const char* text :
       {"epsilon 2", "epsilon 0.5 per metre", "epsilon 2 per person", "epsilon 1 per metre per person"})
    EXPECT_EQ(to_string(Cap::parse(text)), text);
  EXPECT_THROW(Cap::parse("epsilon 2 per person per metre"), InvalidOption);
}

TEST(LedgerEntry, FractionsAreExactText) {
  EXPECT_EQ(to_row(charge()).epsilon, "1/100");
  EXPECT_EQ(to_row(charge()).delta, "0/1");
  EXPECT_EQ(to_row(cap()).epsilon, "3/1");
}

TEST(LedgerEntry, TheHashCoversEveryField) {
  const EntryRow row = to_row(charge());
  const std::string hash = hash_of(row);
  EntryRow other = row;
  ++other.sequence;
  EXPECT_NE(hash_of(other), hash);
  other = row;
  ++other.time_unix_s;
  EXPECT_NE(hash_of(other), hash);
  for (const auto& [name, member] : entry_columns) {
    other = row;
    other.*member += 'x';
    EXPECT_NE(hash_of(other), hash) << name;
  }
}

TEST(LedgerEntry, MovingTextBetweenFieldsChangesTheHash) {
  EntryRow row = to_row(charge());
  const std::string hash = hash_of(row);
  row.kind = "plac";
  row.mechanism = "egem";
  EXPECT_NE(hash_of(row), hash);
}

LedgerEntry settlement() {
  LedgerEntry entry;
  entry.number = 8;
  entry.type = EntryType::settlement;
  entry.dataset = "riders";
  entry.settlement =
      Settlement{.entry = 7, .output_sha256 = std::string(64, 'a'), .statement_sha256 = std::string(64, '0')};
  return entry;
}

TEST(LedgerEntry, MalformedRowsAreRefusedByColumn) {
  const auto refuses = [](const LedgerEntry& entry, const std::string& column,
                          const std::function<void(EntryRow&)>& spoil) {
    EntryRow row = to_row(entry);
    spoil(row);
    try {
      from_row(row);
      ADD_FAILURE() << "accepted a bad " << column;
    } catch (const InvalidOption& error) {
      EXPECT_EQ(std::string(error.what()).substr(0, column.size() + 1), column + ":");
    }
  };
  refuses(charge(), "epsilon", [](EntryRow& row) { row.epsilon = "0.01"; });
  refuses(charge(), "epsilon", [](EntryRow& row) { row.epsilon = "2/200"; });
  refuses(charge(), "epsilon", [](EntryRow& row) { row.epsilon = "-1/100"; });
  refuses(charge(), "epsilon", [](EntryRow& row) { row.epsilon = "0/1"; });
  refuses(charge(), "epsilon", [](EntryRow& row) { row.epsilon = ""; });
  refuses(charge(), "delta", [](EntryRow& row) { row.delta = "1/10"; });
  refuses(charge(), "measure", [](EntryRow& row) { row.measure = "plain"; });
  refuses(charge(), "notion", [](EntryRow& row) { row.notion = "better DP"; });
  refuses(charge(), "exactness", [](EntryRow& row) { row.exactness = "approximate"; });
  refuses(charge(), "event", [](EntryRow& row) { row.event = "refund"; });
  refuses(charge(), "dataset", [](EntryRow& row) { row.dataset = "x\x1b[31m\n  cap 5 plain"; });
  refuses(charge(), "output", [](EntryRow& row) { row.output = "../../x"; });
  refuses(charge(), "time", [](EntryRow& row) { row.time_unix_s = std::int64_t{1} << 62; });
  refuses(cap(), "cap", [](EntryRow& row) { row.epsilon = "18446744073709551615/1"; });
  refuses(charge(), "sequence", [](EntryRow& row) { row.sequence = 0; });
  refuses(cap(), "event", [](EntryRow& row) { row.unit = "one trip"; });
  refuses(cap(), "measure", [](EntryRow& row) { row.measure = "per mile"; });
  refuses(cap(), "details", [](EntryRow& row) { row.details = "{}"; });
  refuses(charge(), "details", [](EntryRow& row) { row.details = "{}"; });
  refuses(charge(), "details", [](EntryRow& row) { row.details = R"({"of_person":"part"})"; });
  refuses(charge(), "covers_person", [](EntryRow& row) {
    row.notion = "one-sided DP";
    row.measure = "plain";
    row.details = R"({"of_person":"records"})";
  });
  refuses(settlement(), "event", [](EntryRow& row) { row.epsilon = "1/1"; });
  refuses(settlement(), "details", [](EntryRow& row) { row.details = ""; });
  refuses(settlement(), "details", [](EntryRow& row) { row.details = "[1]"; });
  refuses(settlement(), "details", [](EntryRow& row) { row.details = "{\"entry\":1}"; });
  refuses(settlement(), "details", [](EntryRow& row) { row.details += " "; });
  refuses(settlement(), "details", [](EntryRow& row) {
    row.details.back() = ',';
    row.details += "\"more\":1}";
  });
  refuses(settlement(), "details", [](EntryRow& row) { row.sequence = 7; });  // settles itself
  refuses(settlement(), "details",
          [](EntryRow& row) { row.details.replace(row.details.find("aaaa"), 4, "AAAA"); });
  refuses(settlement(), "details",
          [](EntryRow& row) { row.details.replace(row.details.find("aaaa"), 4, "aaa"); });
}

TEST(LedgerEntry, ASettlementComesBackAsItWas) {
  EXPECT_EQ(from_row(to_row(settlement())), settlement());
  EntryRow other = to_row(settlement());
  other.details.replace(other.details.find("aaaa"), 4, "aaab");
  EXPECT_NE(hash_of(other), hash_of(to_row(settlement())));
}

}  // namespace
}  // namespace fogline::privacy::ledger_entry_test
