// SPDX-License-Identifier: Apache-2.0
#include "random/weight_table.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "random/chi_square.hpp"
#include "random/key.hpp"

namespace fogline::random::weight_table_test {
namespace {

template <class Table>
class WeightTables : public testing::Test {};
using Tables = testing::Types<CumulativeTable, AliasTable>;
TYPED_TEST_SUITE(WeightTables, Tables);

/// Deviations of 200,000 draws from the weights; 5 would be passed by chance once in three million runs.
template <class Table>
double misfit(const std::vector<Uint128>& weights) {
  const Table table(weights);
  Stream noise = SeededKey(30).stream("table");
  constexpr std::uint64_t samples = 200'000;
  std::vector<std::uint64_t> counts(weights.size());
  for (std::uint64_t i = 0; i < samples; ++i) ++counts[table.draw(noise)];
  std::vector<double> expected;
  for (const Uint128 weight : weights) {
    expected.push_back(static_cast<double>(weight) / static_cast<double>(table.total()));
  }
  return chi_square(counts, expected, samples).deviations;
}

TYPED_TEST(WeightTables, DrawInProportion) {
  EXPECT_LT(misfit<TypeParam>({1, 2, 7}), 5);
  EXPECT_LT(misfit<TypeParam>({0, 5, 0, 1, 0}), 5);
  EXPECT_LT(misfit<TypeParam>({Uint128{1} << 100, Uint128{3} << 99, Uint128{1} << 90}), 5);
  EXPECT_LT(misfit<TypeParam>({42}), 5);
}

TYPED_TEST(WeightTables, NeverDrawWeightZero) {
  const TypeParam table(std::vector<Uint128>{0, 1, 0, 0, 3, 0});
  Stream noise = SeededKey(31).stream("table");
  for (int i = 0; i < 20'000; ++i) {
    const std::size_t drawn = table.draw(noise);
    ASSERT_TRUE(drawn == 1 || drawn == 4) << drawn;
  }
}

TYPED_TEST(WeightTables, RefuseEmptyZeroAndOverflowingWeights) {
  EXPECT_THROW(TypeParam(std::vector<Uint128>{}), InvalidOption);
  EXPECT_THROW(TypeParam(std::vector<Uint128>{0, 0}), InvalidOption);
  EXPECT_THROW(TypeParam(std::vector<Uint128>{~Uint128{0}, 1}), InvalidOption);
}

TEST(CumulativeTable, GivesItsWeightsBack) {
  const CumulativeTable table(std::vector<Uint128>{3, 0, 4});
  EXPECT_EQ(table.total(), Uint128{7});
  EXPECT_EQ(table.weight(0), Uint128{3});
  EXPECT_EQ(table.weight(1), Uint128{0});
  EXPECT_EQ(table.weight(2), Uint128{4});
}

TEST(AliasTable, AgreesWithTheCumulativeTableOnRandomWeights) {
  EXPECT_TRUE(rc::check("alias columns carry exactly the weights", [] {
    const auto small =
        *rc::gen::nonEmpty(rc::gen::container<std::vector<std::uint8_t>>(rc::gen::arbitrary<std::uint8_t>()));
    std::vector<Uint128> weights(small.begin(), small.end());
    weights.push_back(1);
    RC_ASSERT(misfit<AliasTable>(weights) < 6);
  }));
}

}  // namespace
}  // namespace fogline::random::weight_table_test
