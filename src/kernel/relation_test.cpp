// SPDX-License-Identifier: Apache-2.0
#include "kernel/relation.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::kernel::relation_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Pairs = std::vector<RelatedPair>;

template <class Make>
std::string refusal(const Make& make) {
  try {
    make();
  } catch (const InvalidOption& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Relation, OfAGraphIsItsEdgesInMillimetres) {
  const auto map =
      graph::Graph::from_edges(4, std::vector<graph::Edge>{{2, 1, 700}, {0, 1, 500}, {1, 0, 400}});
  const Relation relation = Relation::metric(map);
  EXPECT_EQ(relation.kind(), Relation::Kind::metric);
  EXPECT_EQ(relation.inputs(), 4U);
  EXPECT_THAT(relation.pairs(), ElementsAre(RelatedPair{0, 1, 400}, RelatedPair{1, 2, 700}));
  EXPECT_EQ(relation.pair_count(), 2U);
}

TEST(Relation, CompleteCountsEveryPairAndStoresNone) {
  EXPECT_THAT(Relation::complete(5).pairs(), IsEmpty());
  EXPECT_EQ(Relation::complete(5).pair_count(), 10U);
  EXPECT_EQ(Relation::complete(6).pair_count(), 15U);
  EXPECT_EQ(Relation::complete(1).pair_count(), 0U);
  EXPECT_EQ(Relation::complete(4'294'967'295U).pair_count(), 9'223'372'030'412'324'865U);
}

TEST(Relation, KeepsTheDirectionOfOneSidedPairs) {
  EXPECT_THAT(Relation::one_sided(3, Pairs{{2, 0}, {0, 1}}).pairs(),
              ElementsAre(RelatedPair{0, 1, 1}, RelatedPair{2, 0, 1}));
}

TEST(Relation, NamesWhatIsWrong) {
  EXPECT_THAT(refusal([] { Relation::complete(0); }), HasSubstr("has no input"));
  EXPECT_THAT(refusal([] { Relation::metric(graph::Graph()); }), HasSubstr("has no input"));
  EXPECT_THAT(refusal([] { Relation::complete(std::size_t{1} << 32); }), HasSubstr("fewer than"));
  EXPECT_THAT(refusal([] { Relation::policy(3, Pairs{{0, 3}}); }), HasSubstr("names input 3"));
  EXPECT_THAT(refusal([] { Relation::one_sided(3, Pairs{{7, 0}}); }), HasSubstr("names input 7"));
  EXPECT_THAT(refusal([] { Relation::policy(3, Pairs{{1, 1}}); }), HasSubstr("paired with itself"));
  EXPECT_THAT(refusal([] { Relation::metric(2, Pairs{{0, 1, 0}}); }), HasSubstr("distance 0"));
  EXPECT_THAT(refusal([] { Relation::policy(2, Pairs{{0, 1, 2}}); }), HasSubstr("must be 1"));
  EXPECT_EQ(refusal([] { Relation::metric(2, Pairs{{0, 1, 2}}); }), "accepted");
}

TEST(Relation, KindsHaveNames) {
  EXPECT_EQ(to_string(Relation::Kind::metric), "metric");
  EXPECT_EQ(to_string(Relation::Kind::complete), "complete");
  EXPECT_EQ(to_string(Relation::Kind::policy), "policy");
  EXPECT_EQ(to_string(Relation::Kind::one_sided), "one-sided");
}

}  // namespace
}  // namespace fogline::kernel::relation_test
