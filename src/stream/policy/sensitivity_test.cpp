// SPDX-License-Identifier: Apache-2.0
#include "stream/policy/sensitivity.hpp"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "stream/policy/group_shapes.hpp"
#include "stream/policy/protection.hpp"
#include "stream/policy/repair.hpp"

namespace fogline::stream::sensitivity_test {
namespace {

using geometry::LatticeBody;
using geometry::LatticePoints;
using Point = std::vector<std::int64_t>;
using testing::ElementsAre;
using testing::IsEmpty;

std::set<Point> corners_of(const LatticeBody& body) {
  std::set<Point> set;
  for (std::size_t i = 0; i < body.vertices().size(); ++i)
    set.emplace(body.vertices()[i].begin(), body.vertices()[i].end());
  return set;
}

mobility::StateSpace space_of(std::size_t dimension, const std::vector<double>& values) {
  mobility::StateSpace space;
  for (std::size_t j = 0; j < dimension; ++j) space.columns.push_back("c" + std::to_string(j));
  for (std::size_t i = 0; i < values.size() / dimension; ++i) space.names.intern("s" + std::to_string(i));
  space.values = values;
  return space;
}

LatticeQuery random_query(std::size_t dimension, std::size_t states, int reach) {
  std::vector<double> values;
  for (std::size_t i = 0; i < states * dimension; ++i) values.push_back(*rc::gen::inRange(-reach, reach + 1));
  return LatticeQuery(space_of(dimension, values), 1);
}

PolicyGraph random_policy(std::uint32_t states) {
  std::vector<std::pair<StateId, StateId>> pairs;
  for (int i = *rc::gen::inRange(0, 12); i > 0; --i) {
    const auto a = *rc::gen::inRange<StateId>(0, states), b = *rc::gen::inRange<StateId>(0, states);
    if (a != b) pairs.emplace_back(a, b);
  }
  std::vector<std::uint32_t> category;
  for (std::uint32_t i = 0; i < states; ++i) category.push_back(*rc::gen::inRange<std::uint32_t>(0, 12));
  return PolicyGraph::pairs(states, pairs).joined_with(PolicyGraph::categories(category));
}

std::vector<StateId> random_subset(std::uint32_t states) {
  std::vector<StateId> subset;
  for (StateId s = 0; s < states; ++s) {
    if (*rc::gen::inRange(0, 4) != 0) subset.push_back(s);
  }
  if (subset.empty()) subset.push_back(0);
  return subset;
}

Situation situation_of(const PolicyGraph& policy, const LatticeQuery& query,
                       const std::vector<StateId>& states) {
  Situation situation{.states = states, .policy = constrained(policy, states)};
  situation.prior.assign(states.size(), 1.0 / static_cast<double>(states.size()));
  situation.points.dimension = query.dimension();
  for (const StateId s : states) situation.points.add(query.at(s));
  return situation;
}

/// As Definition 5.1 says it: every joined pair.
LatticeBody hull_by_pairs(const PolicyGraph& policy, const Situation& situation) {
  LatticePoints differences{.dimension = situation.points.dimension};
  for (std::uint32_t a = 0; a < situation.states.size(); ++a) {
    for (std::uint32_t b = 0; b < a; ++b) {
      if (policy.joined(situation.states[a], situation.states[b]))
        differences.add_difference(situation.points[a], situation.points[b]);
    }
  }
  return LatticeBody::hull(differences);
}

TEST(SensitivityHulls, AreThoseOfAllJoinedPairs) {
  const auto same = [](std::size_t dimension) {
    const auto states = *rc::gen::inRange<std::uint32_t>(1, 30);
    const LatticeQuery query = random_query(dimension, states, *rc::gen::element(3, 100));
    const PolicyGraph policy = random_policy(states);
    const SensitivityHulls hulls(policy, query);
    for (int i = 0; i < 3; ++i) {
      const Situation situation = situation_of(policy, query, random_subset(states));
      const auto expected = corners_of(hull_by_pairs(policy, situation));
      RC_ASSERT(corners_of(sensitivity_hull(situation.policy, situation.points)) == expected);
      RC_ASSERT(corners_of(*hulls.hull(situation)) == expected);
    }
  };
  EXPECT_TRUE(rc::check("plane", [&] { same(2); }));
  EXPECT_TRUE(rc::check("line", [&] { same(1); }));
  EXPECT_TRUE(rc::check("space", [&] { same(3); }));
}

TEST(SensitivityHulls, AreTheSameObjectWhileNothingIsMissing) {
  // A walk on a 20 x 20 grid: the middle of the map is enough for the whole hull.
  std::vector<double> values;
  std::vector<std::pair<StateId, StateId>> pairs;
  for (StateId s = 0; s < 400; ++s) {
    values.push_back(s % 20);
    values.push_back(s / 20);
    if (s % 20 != 19) pairs.emplace_back(s, s + 1);
    if (s / 20 != 19) pairs.emplace_back(s, s + 20);
  }
  const LatticeQuery query(space_of(2, values), 1);
  const PolicyGraph policy = PolicyGraph::pairs(400, pairs);
  const SensitivityHulls hulls(policy, query);
  std::vector<StateId> middle;
  for (StateId s = 0; s < 400; ++s) {
    if (s % 20 > 5 && s % 20 < 15 && s / 20 > 5 && s / 20 < 15) middle.push_back(s);
  }
  EXPECT_EQ(hulls.hull(situation_of(policy, query, middle)), hulls.whole());
  EXPECT_EQ(hulls.hull(situation_of(policy, query, {1, 2, 3}))->rank(), 1U);
  EXPECT_EQ(hulls.hull(situation_of(policy, query, {5}))->rank(), 0U);
}

TEST(GroupShapes, SeesShiftedCopies) {
  const LatticePoints points{.dimension = 2, .coordinates = {0, 0, 1, 0, 5, 5, 6, 5, 7, 7, 7, 8}};
  EXPECT_THAT(distinct_shapes({{0, 1}, {2, 3}, {4, 5}, {2, 3, 4}}, points), ElementsAre(0, 2, 3));
}

TEST(Protection, CountsTheStatesThatTheHullHolds) {
  EXPECT_TRUE(rc::check("degrees", [] {
    const auto dimension = *rc::gen::inRange<std::size_t>(1, 4);
    const auto states = *rc::gen::inRange<std::uint32_t>(1, 25);
    const LatticeQuery query = random_query(dimension, states, 6);
    const PolicyGraph policy = random_policy(states);
    const Situation situation = situation_of(policy, query, random_subset(states));
    const LatticeBody body = sensitivity_hull(situation.policy, situation.points);
    const Protection protection(situation.points);
    const auto degrees = protection.degrees(body);
    const auto alone = situation.policy.disconnected();
    std::vector<std::uint32_t> exposed;
    for (std::uint32_t a = 0; a < situation.states.size(); ++a) {
      std::uint32_t count = 0;
      for (std::uint32_t b = 0; b < situation.states.size(); ++b) {
        LatticePoints difference{.dimension = dimension};
        difference.add_difference(situation.points[a], situation.points[b]);
        count += body.contains(difference[0]) ? 1U : 0U;
      }
      RC_ASSERT(degrees[a] == count);
      RC_ASSERT(protection.nearest_within(a, body).has_value() == (count > 1));
      if (count == 1 && std::ranges::binary_search(alone, a)) exposed.push_back(a);
    }
    RC_ASSERT(protection.exposed(situation.policy, body) == exposed);
  }));
}

TEST(Protection, FindsTheNearest) {
  const LatticePoints points{.dimension = 2, .coordinates = {0, 0, 5, 0, 0, 4, -4, 0, 100, 1}};
  const Protection protection(points);
  EXPECT_EQ(protection.nearest(0), 2U);  // as far as state 3, and before it
  EXPECT_EQ(protection.nearest(4), 1U);
  const LatticePoints single{.dimension = 2, .coordinates = {3, 3}};
  EXPECT_EQ(Protection(single).nearest(0), std::nullopt);
}

/// By trying every partner: the area of the hull with it.
double least_area(const Situation& situation, std::uint32_t state) {
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t other = 0; other < situation.states.size(); ++other) {
    if (other == state) continue;
    LocalPolicy with = situation.policy;
    with.pairs.emplace_back(state, other);
    const LatticeBody body = sensitivity_hull(with, situation.points);
    least = std::min(least, body.rank() == 2 ? body.volume() : 0);
  }
  return least;
}

TEST(Repair, TakesThePartnerOfLeastArea) {
  EXPECT_TRUE(rc::check("least area", [] {
    const auto states = *rc::gen::inRange<std::uint32_t>(2, 20);
    const LatticeQuery query = random_query(2, states, *rc::gen::element(8, 1000));
    const PolicyGraph policy = random_policy(states);
    Situation situation = situation_of(policy, query, random_subset(states));
    Situation given = situation;
    repair(situation, Repair::least_area, {});
    // The first exposed state met the hull as it was.
    if (situation.repairs.empty()) return;
    const double least = least_area(given, situation.exposed.front());
    given.policy.pairs.push_back(situation.repairs.front());
    const LatticeBody body = sensitivity_hull(given.policy, given.points);
    RC_ASSERT((body.rank() == 2 ? body.volume() : 0) == least);
  }));
}

TEST(Repair, LeavesNobodyExposed) {
  EXPECT_TRUE(rc::check("repair", [] {
    const auto dimension = *rc::gen::inRange<std::size_t>(1, 4);
    const auto states = *rc::gen::inRange<std::uint32_t>(2, 20);
    const LatticeQuery query = random_query(dimension, states, 20);
    const PolicyGraph policy = random_policy(states);
    const SensitivityHulls hulls(policy, query);
    Situation situation = situation_of(policy, query, random_subset(states));
    const Situation given = situation;
    const auto how = *rc::gen::element(Repair::nearest, Repair::least_area, Repair::none);
    const auto body = repair(situation, how, {}, &hulls);
    const LatticeBody expected = sensitivity_hull(situation.policy, situation.points);
    if (body) RC_ASSERT(corners_of(*body) == corners_of(expected));
    RC_ASSERT(situation.policy.groups == given.policy.groups);
    for (const auto& pair : situation.repairs)
      RC_ASSERT(std::ranges::find(situation.policy.pairs, pair) != situation.policy.pairs.end());
    const auto left = situation.policy.disconnected();
    if (how == Repair::none) {
      RC_ASSERT(left == situation.exposed);
      RC_ASSERT(situation.repairs.empty());
    } else if (situation.states.size() > 1) {
      RC_ASSERT(left.empty());
    }
  }));
}

TEST(Repair, FollowsTheUser) {
  const LatticeQuery query(space_of(2, {0, 0, 1, 0, 10, 0, 0, 10, 10, 10}), 1);
  const PolicyGraph policy = PolicyGraph::pairs(5, {{0, 1}});
  Situation situation = situation_of(policy, query, {0, 1, 2, 3, 4});
  repair(situation, Repair::partners, std::vector<StateId>{0, 1, 0, 3, 1});
  EXPECT_THAT(situation.exposed, ElementsAre(2, 3, 4));
  // State 3 names none: the nearest. State 2 names 0, state 4 names 1.
  EXPECT_THAT(situation.repairs, ElementsAre(std::pair(0U, 2U), std::pair(0U, 3U), std::pair(1U, 4U)));
  // A partner outside the set is none.
  situation = situation_of(policy, query, {1, 2, 4});
  repair(situation, Repair::partners, std::vector<StateId>{0, 1, 0, 3, 1});
  EXPECT_THAT(situation.exposed, ElementsAre(0, 1, 2));
  EXPECT_EQ(situation.repairs.front(), std::pair(0U, 1U));
  EXPECT_THROW(repair(situation, Repair::partners, {}), InvalidOption);
}

TEST(Repair, CannotHideTheOnlyState) {
  const LatticeQuery query(space_of(1, {0, 4}), 1);
  Situation situation = situation_of(PolicyGraph::complete(2), query, {1});
  repair(situation, Repair::nearest, {});
  EXPECT_THAT(situation.exposed, ElementsAre(0));
  EXPECT_THAT(situation.repairs, IsEmpty());
}

}  // namespace
}  // namespace fogline::stream::sensitivity_test
