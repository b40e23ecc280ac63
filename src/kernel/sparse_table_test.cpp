// SPDX-License-Identifier: Apache-2.0
#include "kernel/sparse_table.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "random/key.hpp"

namespace fogline::kernel::sparse_table_test {
namespace {

using Entry = SparseTable::Entry;
using Rows = std::vector<std::vector<Entry>>;

/// Four outputs, of which one or two stand out.
SparseTable small() {
  return SparseTable(Rows{{{1, 0x1p99}, {3, 0x1p98}}, {{0, 0x1p99}}, {}}, 4);
}

TEST(SparseTable, RowsListEveryOutput) {
  const SparseTable table = small();
  const Uint128 floor = SparseTable::floor_weight;
  const WeightRow row = table.row(0);
  EXPECT_EQ(row.weights, (std::vector<Uint128>{floor, Uint128{1} << 99, floor, Uint128{1} << 98}));
  EXPECT_EQ(row.total, (Uint128{1} << 99) + (Uint128{1} << 98) + 2 * floor);
  EXPECT_EQ(table.row(2).total, 4 * floor);
  EXPECT_EQ(table.entry_count(), 3U);
  for (InputId input = 0; input < 3; ++input) EXPECT_NO_THROW(require_distribution(table.row(input), input));
}

/// As numbers of a file, which are not looked at before they are drawn from.
TEST(SparseTable, IsTheSameFromItsNumbers) {
  const SparseTable table = small();
  const SparseTable found(table.numbers(), table.outputs(), nullptr);
  EXPECT_TRUE(found.is_sound());
  for (InputId v = 0; v < table.inputs(); ++v) EXPECT_EQ(found.row(v).weights, table.row(v).weights);
  std::vector<Uint128> total(table.numbers().total.begin(), table.numbers().total.end());
  SparseTable::Numbers changed = table.numbers();
  changed.total = total;
  ++total[1];
  EXPECT_FALSE(SparseTable(changed, 4, nullptr).is_sound());
  total[1] = 0;
  EXPECT_THROW(SparseTable(changed, 4, nullptr), InvalidOption);
}

TEST(SparseTable, NumbersThatDoNotFitAreRefusedOrFoundUnsound) {
  const SparseTable table = small();
  const auto with = [&](auto member, auto numbers) {
    SparseTable::Numbers changed = table.numbers();
    changed.*member = numbers;
    return changed;
  };
  using Numbers = SparseTable::Numbers;
  const std::vector<std::uint64_t> backwards{2, 1, 3}, beyond{2, 3, 4};
  EXPECT_THROW(SparseTable(with(&Numbers::end, std::span(backwards)), 4, nullptr), InvalidOption);
  EXPECT_THROW(SparseTable(with(&Numbers::end, std::span(beyond)), 4, nullptr), InvalidOption);
  const std::vector<std::uint32_t> outside{1, 9, 0}, twice{1, 1, 0};
  EXPECT_FALSE(SparseTable(with(&Numbers::output, std::span(outside)), 4, nullptr).is_sound());
  EXPECT_FALSE(SparseTable(with(&Numbers::output, std::span(twice)), 4, nullptr).is_sound());
  // Even before anybody asks, no draw leaves the table.
  const SparseTable unsound(with(&Numbers::output, std::span(outside)), 4, nullptr);
  const random::SeededKey key(1);
  bool is_refused = false;
  for (std::uint64_t draw = 0; draw < 100; ++draw) {
    random::Stream noise = key.stream("table", draw);
    try {
      EXPECT_LT(unsound.draw(0, noise), 4U);
    } catch (const Error&) {
      is_refused = true;
    }
  }
  EXPECT_TRUE(is_refused);
}

TEST(SparseTable, OddsAgreeWithTheRow) {
  const SparseTable table = small();
  for (InputId input = 0; input < 3; ++input) {
    const WeightRow row = table.row(input);
    for (std::size_t output = 0; output < 4; ++output) {
      EXPECT_EQ(table.odds(output, input).weight, row.weights[output]);
      EXPECT_EQ(table.odds(output, input).total, row.total);
    }
    EXPECT_EQ(table.odds(4, input).weight, 0U);
  }
}

TEST(SparseTable, DrawsFollowTheWeights) {
  // Weights of a few floors, so that outputs that are not listed come up too.
  const SparseTable table(Rows{{{2, 0x1p66}, {5, 0x1p65}}}, 8);
  const WeightRow row = table.row(0);
  constexpr int draws = 60'000;
  std::vector<int> count(8, 0);
  random::Stream noise = random::SeededKey(3).stream("table");
  for (int i = 0; i < draws; ++i) ++count[table.draw(0, noise)];
  for (std::size_t o = 0; o < 8; ++o) {
    const double p = static_cast<double>(row.weights[o]) / static_cast<double>(row.total);
    EXPECT_NEAR(count[o], draws * p, 6 * std::sqrt(draws * p)) << o;
  }
}

TEST(SparseTable, BadEntriesAreRefused) {
  EXPECT_THROW(SparseTable(Rows{}, 4), InvalidOption);
  EXPECT_THROW(SparseTable(Rows{{}}, 0), InvalidOption);
  EXPECT_THROW(SparseTable(Rows{{{4, 0x1p80}}}, 4), InvalidOption);
  EXPECT_THROW(SparseTable(Rows{{{1, 0x1p80}, {1, 0x1p80}}}, 4), InvalidOption);
  EXPECT_THROW(SparseTable(Rows{{{1, 0x1p63}}}, 4), InvalidOption);
  EXPECT_THROW(SparseTable(Rows{{{1, 0x1p102}}}, 4), InvalidOption);
  EXPECT_THROW(SparseTable(Rows{{{1, NAN}}}, 4), InvalidOption);
}

Rows random_rows(std::size_t inputs, std::uint32_t outputs) {
  Rows rows(inputs);
  for (auto& row : rows) {
    for (std::uint32_t o = 0; o < outputs; ++o) {
      if (*rc::gen::inRange(0, 3) > 0)
        row.push_back({o, std::ldexp(1.0 + *rc::gen::inRange(0, 1000) / 1024.0, *rc::gen::inRange(64, 100))});
    }
  }
  return rows;
}

TEST(SparseTable, ItsCertificateIsThatOfTheRowsWrittenOut) {
  EXPECT_TRUE(rc::check([] {
    const SparseTable table(random_rows(5, 6), 6);
    const Relation relation = Relation::metric(5, {{0, 1, 3}, {1, 2, 10}, {0, 3, 1}, {3, 4, 7}});
    const Certificate sparse = certify(relation, table);
    const Certificate dense = certify(relation, [&](InputId input) { return table.row(input); });
    RC_ASSERT(sparse.loss.low == dense.loss.low);
    RC_ASSERT(sparse.loss.high == dense.loss.high);
    RC_ASSERT(sparse.loss.at == dense.loss.at);
    RC_ASSERT(sparse.pairs == dense.pairs);
  }));
}

TEST(SparseTable, AGroupIsCertifiedAsAllItsPairs) {
  EXPECT_TRUE(rc::check([] {
    const SparseTable table(random_rows(5, 6), 6);
    const std::vector<InputId> members{0, 2, 3};
    const Certificate group = certify_group(members, table);
    const Certificate pairs = certify(Relation::policy(5, {{0, 2}, {0, 3}, {2, 3}}), table);
    RC_ASSERT(std::abs(group.loss.high - pairs.loss.high) < 1e-12);
    RC_ASSERT(group.pairs == 3U);
    const Certificate complete = certify(Relation::complete(5), table);
    const Certificate written =
        certify(Relation::complete(5), [&](InputId input) { return table.row(input); });
    RC_ASSERT(complete.loss.high == written.loss.high);
    RC_ASSERT(complete.loss.at == written.loss.at);
    RC_ASSERT(complete.pairs == 10U);
  }));
  const SparseTable table(Rows{{}, {}}, 2);
  EXPECT_THROW(certify_group(std::vector<InputId>{0, 2}, table), InvalidOption);
  EXPECT_EQ(certify_group(std::vector<InputId>{1}, table).pairs, 0U);
}

TEST(SparseTable, TheOnePairThatBreaksItIsFoundWhereverItIs) {
  // 0 with 1, 2 with 3, ...; all rows list outputs 1 and 3 of five, and one row has one weight four times as large.
  constexpr InputId inputs = 50;
  std::vector<RelatedPair> pairs;
  std::vector<InputId> everybody;
  for (InputId i = 0; i < inputs; i += 2) pairs.push_back({i, i + 1});
  for (InputId i = 0; i < inputs; ++i) everybody.push_back(i);
  for (InputId input = 0; input < inputs; ++input) {
    for (std::uint32_t output = 0; output < 5; ++output) {
      Rows rows(inputs, {{1, 0x1p65}, {3, 0x1p65}});
      rows[input] =
          output % 2 == 1 ? rows[input] : std::vector<Entry>{{1, 0x1p65}, {3, 0x1p65}, {output, 0x1p66}};
      if (output % 2 == 1) rows[input][output / 2].weight = 0x1p67;
      std::ranges::sort(rows[input], {}, &Entry::output);
      const SparseTable table(rows, 5);
      for (const Certificate& found :
           {certify(Relation::policy(inputs, pairs), table, {.threads = 3}), certify_group(everybody, table),
            certify(Relation::complete(inputs), table)}) {
        EXPECT_GT(found.loss.low, 0.6) << input << " " << output;
        EXPECT_EQ(found.loss.output, output);
        EXPECT_EQ(found.loss.at.from, input);
      }
    }
  }
}

TEST(SparseTable, OutputsThatNoRowListsCountInItsCertificate) {
  // All that one row lists it has half as often again as the other, so the rest, which has the floor in both, is what differs.
  for (const std::uint32_t rest : {0U, 2U, 4U}) {
    Rows rows(2);
    for (std::uint32_t o = 0; o < 5; ++o) {
      if (o == rest) continue;
      rows[0].push_back({o, 0x1p70});
      rows[1].push_back({o, 0x1.8p70});
    }
    const SparseTable table(rows, 5);
    for (const Certificate& found :
         {certify(Relation::metric(2, {{0, 1, 1}}), table), certify(Relation::complete(2), table)}) {
      EXPECT_NEAR(found.loss.low, std::log(1.5), 0.01) << rest;
      EXPECT_EQ(found.loss.output, rest);
    }
  }
}

TEST(SparseTable, ColumnsContinueAtThePromisedRate) {
  // A line of 5, 10 apart; the only column is free at inputs 1 and 2.
  const Relation line = Relation::metric(5, {{0, 1, 10}, {1, 2, 10}, {2, 3, 10}, {3, 4, 10}});
  const double epsilon = 0.05;
  OptimalTable columns;
  columns.columns.push_back({.inputs = {1, 2}, .probability = {0.5, 0.4}});
  const SparseTable table = sparse_table(columns, line, epsilon);
  const double fall = std::exp(-0.5);
  const std::vector<double> expected{0.5 * fall, 0.5, 0.4, 0.4 * fall, 0.4 * fall * fall};
  for (InputId v = 0; v < 5; ++v) EXPECT_NEAR(table.entries(v)[0].weight / 0x1p100, expected[v], 1e-15) << v;
}

TEST(SparseTable, WhatIsBelowTheFloorStaysOnIt) {
  const Relation pair = Relation::metric(2, {{0, 1, 10}});
  OptimalTable columns;
  columns.columns.push_back({.probability = {1.0, 0x1p-40}});
  columns.columns.push_back({.probability = {0.0, 1.0}});
  const SparseTable table = sparse_table(columns, pair, 0.1);
  EXPECT_EQ(table.row(1).weights[0], SparseTable::floor_weight);
  EXPECT_EQ(table.row(0).weights[1], SparseTable::floor_weight);
  EXPECT_EQ(table.entry_count(), 2U);
}

TEST(SparseTable, ABrokenTableIsNotCertified) {
  const Relation pair = Relation::metric(2, {{0, 1, 100}});
  const SparseTable honest(Rows{{{0, 0x1p99}, {1, 0x1p98}}, {{0, 0x1p98}, {1, 0x1p99}}}, 2);
  EXPECT_TRUE(holds(certify(pair, honest), Rational(7, 1000)));  // ln 2 per 100
  EXPECT_FALSE(holds(certify(pair, honest), Rational(69, 10'000)));
}

}  // namespace
}  // namespace fogline::kernel::sparse_table_test
