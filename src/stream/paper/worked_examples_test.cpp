// SPDX-License-Identifier: Apache-2.0
// The worked examples of the paper (Xiao, Shen, Liu, Xiong, Jin, Xu: DPHMM), with its numbers. Where a number there does not follow from its
// own definitions, the right one stands here and a comment says so.
#include <cmath>
#include <limits>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mobility/markov_model.hpp"
#include "stream/policy/policy.hpp"
#include "stream/policy/protection.hpp"
#include "stream/policy/repair.hpp"
#include "stream/policy/sensitivity.hpp"
#include "stream/steps/k_norm.hpp"
#include "stream/steps/laplace.hpp"

namespace fogline::stream::worked_examples_test {
namespace {

using geometry::LatticeBody;
using geometry::LatticePoints;
using Point = std::vector<std::int64_t>;
using testing::ElementsAre;
constexpr double infinity = std::numeric_limits<double>::infinity();

// The states s1 to s6 of the running example, by number from 0.
enum : StateId { s1, s2, s3, s4, s5, s6 };

/// Example 3.2: temperature and noise level of each state.
///
///     2 |     s6          s5
///     1 | s4      s2
///     0 |     s1      s3
///       +--0---1---2---3---4
const std::vector<Point> answer = {{1, 0}, {2, 1}, {3, 0}, {0, 1}, {4, 2}, {1, 2}};

/// Figure 3b: cafeteria s1, school s2 and s3, grocery s4 to s6.
PolicyGraph categories() {
  return PolicyGraph::categories(std::vector<std::uint32_t>{0, 1, 1, 2, 2, 2});
}

Situation situation_of(const PolicyGraph& policy, const std::vector<StateId>& states) {
  Situation situation{.states = states, .policy = constrained(policy, states), .points = {.dimension = 2}};
  situation.prior.assign(states.size(), 1.0 / static_cast<double>(states.size()));
  for (const StateId s : states) situation.points.add(answer[s]);
  return situation;
}

LatticeBody hull_of(const Situation& situation) {
  return sensitivity_hull(situation.policy, situation.points);
}

std::set<Point> corners_of(const LatticeBody& body) {
  std::set<Point> set;
  for (std::size_t i = 0; i < body.vertices().size(); ++i)
    set.emplace(body.vertices()[i].begin(), body.vertices()[i].end());
  return set;
}

std::vector<double> log_weights(const StepMechanism& mechanism, const Point& z, std::size_t states) {
  std::vector<double> out(states);
  mechanism.log_weights(z, out);
  return out;
}

TEST(WorkedExamples, Example31KnowsTheFirstState) {
  // Moves that the introduction names: s1 to s2 or s4, then s2 to s3 or s5, s4 to s5; a state at rest elsewhere. The figure's own numbers are
  // not in the text.
  const mobility::MarkovModel model(
      {0, 2, 4, 5, 6, 7, 8},
      {{s2, 0.5}, {s4, 0.5}, {s3, 0.5}, {s5, 0.5}, {s3, 1.0}, {s5, 1.0}, {s5, 1.0}, {s6, 1.0}},
      {1, 0, 0, 0, 0, 0});
  EXPECT_THAT(model.initial(), ElementsAre(1, 0, 0, 0, 0, 0));
  std::vector<double> next(6), after(6);
  model.forward(model.initial(), next);
  EXPECT_THAT(next, ElementsAre(0, 0.5, 0, 0.5, 0, 0));
  model.forward(next, after);
  EXPECT_THAT(after, ElementsAre(0, 0, 0.25, 0, 0.75, 0));
  // One-step transition protection (section 4.2): what can be reached from the same state.
  const PolicyGraph transition = PolicyGraph::transition(model);
  EXPECT_TRUE(transition.joined(s2, s4));
  EXPECT_TRUE(transition.joined(s3, s5));
  EXPECT_FALSE(transition.joined(s2, s3));
}

TEST(WorkedExamples, Example41CutsThePolicyToTheConstraint) {
  // Figure 3c and 3d: only s2, s3 and s5 are possible, and s5 loses both its neighbours.
  const LocalPolicy cut = constrained(categories(), std::vector<StateId>{s2, s3, s5});
  EXPECT_EQ(cut.groups, (GroupList{{0, 1}}));
  EXPECT_THAT(cut.disconnected(), ElementsAre(2));
  EXPECT_TRUE(constrained(PolicyGraph::complete(6), std::vector<StateId>{s2, s3, s5}).disconnected().empty());
}

TEST(WorkedExamples, Example51HasThisSensitivityHull) {
  const Situation all = situation_of(categories(), {s1, s2, s3, s4, s5, s6});
  const LatticeBody body = hull_of(all);
  // Four pairs of differences; (1, 1) and (-1, -1) lie inside, the other six are corners.
  EXPECT_EQ(corners_of(body), (std::set<Point>{{-1, 1}, {1, -1}, {-4, -1}, {4, 1}, {3, 0}, {-3, 0}}));
  EXPECT_TRUE(body.contains(Point{1, 1}));
  EXPECT_DOUBLE_EQ(body.volume(), 11);
  // The l1-norm sensitivity is 5, that of s4 and s5: at z = f(s5) the loss between them is all of epsilon.
  const auto laplace = make_laplace(all, {1, 1});
  const auto weights = log_weights(*laplace, answer[s5], 6);
  EXPECT_NEAR(weights[s5] - weights[s4], 1, 1e-12);
  EXPECT_NEAR(weights[s5] - weights[s6], 3.0 / 5, 1e-12);
  // Corollary 5.1: the cross-polytope of that size holds the hull.
  const LatticeBody diamond = LatticeBody::hull({.dimension = 2, .coordinates = {5, 0, 0, 5}});
  for (const Point& corner : corners_of(body)) EXPECT_TRUE(diamond.contains(corner));
}

TEST(WorkedExamples, Example52ExposesS5) {
  const Situation situation = situation_of(categories(), {s2, s3, s5});
  // Laplace: sensitivity 2; at z = f(s5) the ratio is exp(3/2 epsilon) against s3, and against s2.
  const auto laplace = make_laplace(situation, {1, 1});
  auto weights = log_weights(*laplace, answer[s5], 3);
  EXPECT_NEAR(weights[2] - weights[1], 1.5, 1e-12);
  EXPECT_NEAR(weights[2] - weights[0], 1.5, 1e-12);
  EXPECT_DOUBLE_EQ(laplace->certify().any_two_loss, 1.5);
  // K-norm: answers for s2 and s3 lie on one line, those for s5 on another.
  const auto k_norm = make_k_norm(situation, {1, 1});
  weights = log_weights(*k_norm, answer[s5], 3);
  EXPECT_EQ(weights[1], -infinity);
  EXPECT_EQ(weights[0], -infinity);
  EXPECT_EQ(weights[2], 0);
  EXPECT_EQ(k_norm->certify().any_two_loss, infinity);
  EXPECT_TRUE(k_norm->certify().kept);
  const LatticeBody body = hull_of(situation);
  EXPECT_EQ(body.rank(), 1U);
  EXPECT_THAT(Protection(situation.points).exposed(situation.policy, body), ElementsAre(2));
}

TEST(WorkedExamples, Figure9aHidesS2Twice) {
  const Situation situation = situation_of(categories(), {s2, s4, s5, s6});
  const LatticeBody body = hull_of(situation);
  EXPECT_THAT(situation.policy.disconnected(), ElementsAre(0));
  const Protection protection(situation.points);
  EXPECT_EQ(protection.degree(0, body), 3U);  // itself, s4 and s5
  EXPECT_TRUE(body.contains(Point{-2, 0}));   // f(s4) - f(s2)
  EXPECT_TRUE(body.contains(Point{2, 1}));    // f(s5) - f(s2), on the boundary
  EXPECT_FALSE(body.contains(Point{-1, 1}));  // f(s6) - f(s2)
  EXPECT_TRUE(protection.exposed(situation.policy, body).empty());
}

/// Example 5.3 and 11.1: what adding a patient's row does to the counts of cancer and diabetes.
const std::vector<Point> patient = {{1, 0}, {0, 0}, {1, 0}, {0, 1}, {1, 0}, {0, 1}};

TEST(WorkedExamples, Example53And111TellTheUnboundedLosses) {
  // Figure 2b joins the two secrets of Alice (s1, s2) and of Bob (s3, s4).
  const LocalPolicy policy{.states = 6, .pairs = {{0, 1}, {2, 3}}};
  LatticePoints points{.dimension = 2};
  for (const Point& change : patient) points.add(change);
  const LatticeBody body = sensitivity_hull(policy, points);
  EXPECT_EQ(corners_of(body), (std::set<Point>{{1, 0}, {-1, 1}, {-1, 0}, {1, -1}}));
  const std::vector<double> losses = {1, 0, 1, 2, 1, 2};
  for (std::size_t i = 0; i < patient.size(); ++i) EXPECT_DOUBLE_EQ(body.norm(patient[i]), losses[i]) << i;
  // s6 is protected by Laplace noise (its sum 1 is within the sensitivity 2), not by the K-norm mechanism.
  EXPECT_FALSE(body.contains(patient[5]));
  const LatticeBody diamond = LatticeBody::hull({.dimension = 2, .coordinates = {2, 0, 0, 2}});
  EXPECT_TRUE(diamond.contains(patient[5]));
}

TEST(WorkedExamples, Example61JoinsS3WithS4) {
  Situation situation = situation_of(categories(), {s3, s4, s5, s6});
  const LatticeBody body = hull_of(situation);
  EXPECT_DOUBLE_EQ(body.volume(), 9);
  EXPECT_THAT(Protection(situation.points).exposed(situation.policy, body), ElementsAre(0));
  // Figures 9c to 9e show the three hulls without their areas: 14 with s4, 16 with s5, 20 with s6.
  const std::vector<double> areas = {14, 16, 20};
  for (std::uint32_t partner = 1; partner <= 3; ++partner) {
    Situation with = situation;
    with.policy.pairs.emplace_back(0, partner);
    EXPECT_DOUBLE_EQ(hull_of(with).volume(), areas[partner - 1]);
  }
  Situation least = situation;
  EXPECT_DOUBLE_EQ(repair(least, Repair::least_area, {})->volume(), 14);
  EXPECT_THAT(least.repairs, ElementsAre(std::pair(0U, 1U)));
  EXPECT_THAT(least.exposed, ElementsAre(0));
  // Algorithm 1 takes the nearest, s5, and a larger hull.
  EXPECT_DOUBLE_EQ(repair(situation, Repair::nearest, {})->volume(), 16);
  EXPECT_THAT(situation.repairs, ElementsAre(std::pair(0U, 2U)));
}

TEST(WorkedExamples, Example112BreaksLocalPrivacy) {
  // The example's lines fit a policy that joins s4 with s6 and s6 with s5. It says that the answer for s4 lies on the line of f(s4) and f(s5);
  // but K = Conv((-1, -1), (1, 1)), as it says too, is f(s6) - f(s4), so the line is that of f(s4) and f(s6). And the state whose answers lie on the
  // line of f(s6) and f(s5) is s5, not s6. Its conclusions are right.
  const LatticeBody for_s4 = LatticeBody::hull({.dimension = 2, .coordinates = {1, 1}});
  const LatticeBody for_s5 = LatticeBody::hull({.dimension = 2, .coordinates = {3, 0}});
  const LatticeBody for_s6 = LatticeBody::hull({.dimension = 2, .coordinates = {1, 1, 3, 0}});
  const auto possible = [](const LatticeBody& body, StateId s, const Point& z) {
    return body.in_span(Point{z[0] - answer[s][0], z[1] - answer[s][1]});
  };
  const auto who = [&](const Point& z) {
    return std::vector<bool>{possible(for_s4, s4, z), possible(for_s5, s5, z), possible(for_s6, s6, z)};
  };
  EXPECT_EQ(who({2, 3}), (std::vector<bool>{true, false, true}));   // on the line of s4 and s6: not s5
  EXPECT_EQ(who({3, 2}), (std::vector<bool>{false, true, true}));   // on the line of s6 and s5: not s4
  EXPECT_EQ(who({5, 5}), (std::vector<bool>{false, false, true}));  // on neither: s6 for certain
  // The sensitivity hull of the whole constrained policy, the same for all states, gives none of this away.
  const Situation situation = situation_of(PolicyGraph::pairs(6, {{s4, s6}, {s5, s6}}), {s4, s5, s6});
  EXPECT_EQ(hull_of(situation).rank(), 2U);
  EXPECT_LT(make_k_norm(situation, {1, 1})->certify().any_two_loss, infinity);
}

TEST(WorkedExamples, Theorem53QuantifiesAnyTwoStates) {
  const Situation situation = situation_of(categories(), {s3, s4, s5, s6});
  const StepCertificate certificate = make_k_norm(situation, {1, 1})->certify();
  EXPECT_DOUBLE_EQ(certificate.joined_loss, 1);
  EXPECT_EQ(certificate.pairs, 3U);
  // f(s3) - f(s6) = (2, -2): beyond the edge from (1, 1) to (-3, 0), at level 10 of 3.
  EXPECT_DOUBLE_EQ(certificate.any_two_loss, 10.0 / 3);
}

}  // namespace
}  // namespace fogline::stream::worked_examples_test
