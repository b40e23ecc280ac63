// SPDX-License-Identifier: Apache-2.0
#include "stream/policy/policy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::stream::policy_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

mobility::StateSpace line(std::size_t states) {
  mobility::StateSpace space{.columns = {"x"}};
  for (std::size_t i = 0; i < states; ++i) {
    space.names.intern("s" + std::to_string(i));
    space.values.push_back(static_cast<double>(i));
  }
  return space;
}

TEST(PolicyGraph, CompleteJoinsAllAndKeepsOneGroup) {
  const PolicyGraph policy = PolicyGraph::complete(4);
  EXPECT_EQ(policy.groups(), 1U);
  EXPECT_TRUE(policy.joined(0, 3));
  EXPECT_FALSE(policy.joined(2, 2));
  EXPECT_EQ(PolicyGraph::complete(1).groups(), 0U);
}

TEST(PolicyGraph, CategoriesJoinTheirMembersOnly) {
  const std::vector<std::uint32_t> category{7, 1, 7, 3, 1};
  const PolicyGraph policy = PolicyGraph::categories(category);
  EXPECT_EQ(policy.groups(), 2U);  // the category of one state joins nothing
  EXPECT_TRUE(policy.joined(0, 2));
  EXPECT_TRUE(policy.joined(1, 4));
  EXPECT_FALSE(policy.joined(0, 1));
  EXPECT_FALSE(policy.joined(3, 4));
}

TEST(PolicyGraph, WithinJoinsUpToAndIncludingTheDistance) {
  const mobility::StateSpace space = line(6);
  const PolicyGraph policy = PolicyGraph::within(space, 2);
  EXPECT_THAT(policy.neighbours(0), ElementsAre(1, 2));
  EXPECT_THAT(policy.neighbours(3), ElementsAre(1, 2, 4, 5));
  EXPECT_THROW(PolicyGraph::within(space, 0), InvalidOption);
}

TEST(PolicyGraph, TransitionJoinsWhatOneStateLeadsTo) {
  const mobility::MarkovModel chain({0, 2, 4, 5}, {{0, 0.5}, {1, 0.5}, {1, 0.5}, {2, 0.5}, {2, 1.0}},
                                    {1, 0, 0});
  const PolicyGraph policy = PolicyGraph::transition(chain);
  EXPECT_TRUE(policy.joined(0, 1));
  EXPECT_TRUE(policy.joined(1, 2));
  EXPECT_FALSE(policy.joined(0, 2));
}

TEST(PolicyGraph, UnionHasTheEdgesOfBoth) {
  const std::vector<std::uint32_t> category{0, 0, 1, 2};
  const PolicyGraph both =
      PolicyGraph::categories(category).joined_with(PolicyGraph::pairs(4, {{3, 2}, {2, 3}}));
  EXPECT_TRUE(both.joined(0, 1));
  EXPECT_TRUE(both.joined(2, 3));
  EXPECT_FALSE(both.joined(1, 2));
  EXPECT_THAT(both.neighbours(2), ElementsAre(3));
  EXPECT_THROW(both.joined_with(PolicyGraph::complete(5)), InvalidOption);
}

TEST(PolicyGraph, RefusesUnknownStatesAndLoops) {
  EXPECT_THROW(PolicyGraph::pairs(3, {{0, 3}}), InvalidOption);
  EXPECT_THROW(PolicyGraph::pairs(3, {{1, 1}}), InvalidOption);
  EXPECT_THROW(PolicyGraph::complete(0), InvalidOption);
}

TEST(LocalPolicy, KeepsWhatIsLeftWithinTheSet) {
  const std::vector<std::uint32_t> category{0, 0, 0, 1, 1, 2};
  const PolicyGraph policy =
      PolicyGraph::categories(category).joined_with(PolicyGraph::pairs(6, {{2, 5}, {3, 5}}));
  const std::vector<StateId> states{0, 2, 3, 5};
  const LocalPolicy local = constrained(policy, states);
  ASSERT_EQ(local.groups.size(), 1U);
  EXPECT_THAT(local.groups[0], ElementsAre(0, 1));
  EXPECT_THAT(local.pairs, ElementsAre(Pair(1, 3), Pair(2, 3)));
  EXPECT_THAT(local.disconnected(), IsEmpty());
  const std::vector<StateId> fewer{0, 3};
  EXPECT_THAT(constrained(policy, fewer).disconnected(), ElementsAre(0, 1));
}

TEST(LatticeQuery, RoundsToTheStepAndRefusesOneTooFine) {
  mobility::StateSpace space = line(3);
  space.values = {0, 0.26, 1.0};
  const LatticeQuery query(space, 0.25);
  EXPECT_THAT(query.at(1), ElementsAre(1));
  EXPECT_DOUBLE_EQ(query.point(query.at(2))[0], 1.0);
  EXPECT_DOUBLE_EQ(query.distance(0, 2), 1.0);
  EXPECT_THROW(LatticeQuery(space, -1), InvalidOption);
  EXPECT_THROW(LatticeQuery(space, 1e-300), InvalidOption);
}

TEST(LatticeQuery, ChoosesAStepThatFits) {
  mobility::StateSpace space = line(2);
  EXPECT_DOUBLE_EQ(LatticeQuery(space).step(), 1e-5);
  space.values = {5, 5};
  EXPECT_GT(LatticeQuery(space).step(), 0);  // all alike: any step will do
}

}  // namespace
}  // namespace fogline::stream::policy_test
