// SPDX-License-Identifier: Apache-2.0
#include "path/attacks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "path/labels.hpp"
#include "path/recover.hpp"
#include "random/key.hpp"

namespace fogline::path::attacks_test {
namespace {

using graph::BitGraph;

PublicPath publication(PathForm form, std::vector<std::uint32_t> stops, std::uint64_t epsilon,
                       const std::vector<std::pair<StopId, StopId>>& candidates) {
  PublicPath shown;
  shown.form = form;
  shown.epsilon_edges = Rational(epsilon);
  shown.stops = Stops(std::move(stops));
  for (std::size_t v = 0; v < shown.stops.vertex_count(); ++v) shown.names.push_back(std::to_string(v));
  shown.candidates = BitGraph(shown.stops.size());
  for (const auto& [a, b] : candidates) shown.candidates.join(a, b);
  return shown;
}

double candidate_share(const PathLabels& labels, PairKind kind) {
  const LabelOdds odds = labels.odds(kind);
  return static_cast<double>(odds.candidate) / static_cast<double>(odds.total);
}

TEST(OneLabel, ReachesTheGuaranteeExactly) {
  const PublicPath shown = publication(PathForm::one_sided, {1, 1, 1}, 1, {{0, 1}});
  const OneLabel found = one_label(shown, {0, 1});
  EXPECT_EQ(found.belief.prior, 0.5);
  EXPECT_NEAR(found.belief.loss(), std::log(1 + std::exp(0.5)), 1e-12);
  EXPECT_NEAR(one_label(shown, {1, 0}, 0.01).belief.loss(), std::log(1 + std::exp(0.5)), 1e-12);
  EXPECT_EQ(one_label(shown, {0, 2}).belief.posterior, 0);
  EXPECT_EQ(one_label(shown, {0, 2}).belief.loss(), -std::numeric_limits<double>::infinity());
  const double stated =
      PathLabels({.epsilon_edges = privacy::Epsilon{1, 1}}).guarantee().epsilon().to_double();
  EXPECT_NEAR(found.belief.loss(), stated, 2e-9);
}

TEST(OneLabel, OfTheTwoSidedFormLosesEpsilonEitherWay) {
  const PublicPath shown = publication(PathForm::two_sided, {1, 1, 1}, 3, {{0, 1}});
  EXPECT_NEAR(one_label(shown, {0, 1}).belief.loss(), 3, 1e-12);
  EXPECT_NEAR(one_label(shown, {0, 2}, 0.2).belief.loss(), -3, 1e-12);
}

TEST(OneLabel, FollowsBayesWithSeveralStops) {
  EXPECT_TRUE(rc::check("labels of all pairs of stops, the step at any of them", [] {
    const PathForm form = *rc::gen::element(PathForm::one_sided, PathForm::two_sided);
    const auto epsilon = *rc::gen::inRange<std::uint64_t>(1, 5);
    const auto bits = *rc::gen::inRange<std::uint64_t>(0, 64);
    PublicPath shown = publication(form, {2, 3}, epsilon, {});
    for (StopId i = 0; i < 2; ++i)
      for (StopId j = 0; j < 3; ++j)
        if ((bits >> (3 * i + j) & 1) != 0) shown.candidates.join(i, 2 + j);
    const PathLabels labels({.form = form, .epsilon_edges = privacy::Epsilon{epsilon, 1}});
    const auto chance = [&](PairKind kind, StopId i, StopId j) {
      const double share = candidate_share(labels, kind);
      return shown.candidates.joined(i, 2 + j) ? share : 1 - share;
    };
    double with = 0, without = 1;
    for (StopId step = 0; step < 6; ++step) {
      double product = 1;
      for (StopId at = 0; at < 6; ++at)
        product *= chance(at == step ? PairKind::step : PairKind::other_road, at / 3, at % 3);
      with += product / 6;
    }
    for (StopId at = 0; at < 6; ++at) without *= chance(PairKind::no_road, at / 3, at % 3);
    RC_ASSERT(std::abs(one_label(shown, {0, 1}).belief.posterior - with / (with + without)) < 1e-9);
  }));
}

//   route 0 1 2 3 4 5 with other roads 0-2 and 1-5; the step 2-3 is missing
TEST(AllButOne, HasAtMostFourWaysToJoinThePieces) {
  const RouteMap map =
      make_map({"0", "1", "2", "3", "4", "5"}, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {0, 2}, {1, 5}});
  const std::vector<std::vector<StopId>> path = {{0, 1, 2, 3, 4, 5}};
  PublicPath shown = publication(PathForm::one_sided, {1, 1, 1, 1, 1, 1}, 1,
                                 {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {0, 5}});
  const auto found = all_but_one(map, shown, path, {3, 2});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->options, 4U);  // 0-3, 0-5, 2-3, 2-5
  EXPECT_EQ(found->left, 2U);     // 2-3 and 0-5 are candidates
  EXPECT_EQ(found->belief.prior, 0.25);
  EXPECT_EQ(found->belief.posterior, 0.5);

  // The same from a network that lacks the road.
  RouteMap less = map;
  less.roads.part(2, 3);
  const std::vector<std::vector<StopId>> pieces = {{0, 1, 2}, {3, 4, 5}};
  EXPECT_EQ(all_but_one(less, shown, pieces, {2, 3})->belief.posterior, 0.5);
  EXPECT_EQ(all_but_one(less, shown, pieces, {2, 5})->belief.posterior, 0);
  EXPECT_FALSE(all_but_one(less, shown, pieces, {0, 2}));

  shown.form = PathForm::two_sided;
  const double lie = std::exp(-2.0);
  EXPECT_NEAR(all_but_one(map, shown, path, {2, 3})->belief.posterior, 1 / (2 + 2 * lie), 1e-12);
  shown.ends = {{5, 0}};
  EXPECT_EQ(all_but_one(map, shown, path, {2, 3})->options, 1U);
  EXPECT_EQ(all_but_one(map, shown, path, {2, 3})->belief.posterior, 1);
  EXPECT_FALSE(all_but_one(map, shown, path, {0, 5}));
}

TEST(AllButOne, LeadsAnywhereFromTheLastStopUnlessEveryVertexIsVisited) {
  const RouteMap map = make_map({"0", "1", "2", "3"}, {{0, 1}, {1, 2}, {0, 3}});
  PublicPath shown = publication(PathForm::one_sided, {1, 1, 1, 1}, 1, {{0, 1}, {1, 2}, {2, 3}});
  const std::vector<std::vector<StopId>> path = {{0, 1, 2}};
  // 1-2, 1-3 and 0-2; 0-3 is a known road.
  const auto found = all_but_one(map, shown, path, {1, 2});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->options, 3U);
  EXPECT_EQ(found->left, 1U);
  EXPECT_EQ(found->belief.posterior, 1);
  EXPECT_EQ(found->belief.loss(), std::numeric_limits<double>::infinity());

  shown.every_vertex = true;
  shown.candidates.join(0, 3);
  const std::vector<std::vector<StopId>> all = {{2, 1, 0, 3}};
  EXPECT_EQ(
      all_but_one(make_map({"0", "1", "2", "3"}, {{0, 1}, {1, 2}, {0, 3}}), shown, all, {0, 3})->options, 2U);
}

/// What a reader believes who tries every order of the vertices and weighs it with the mechanism's own odds. Pairs besides the route are
/// roads with probability 0.3.
double believed(const PublicPath& shown, const PathLabels& labels, VertexPair pair) {
  const std::size_t n = shown.stops.size();
  std::vector<StopId> order(n);
  std::iota(order.begin(), order.end(), StopId{0});
  const auto besides = [&](bool candidate) {
    const double share = 0.3 * candidate_share(labels, PairKind::other_road) +
                         0.7 * candidate_share(labels, PairKind::no_road);
    return candidate ? share : 1 - share;
  };
  double all = 0, here = 0;
  do {
    if (shown.ends && (order.front() != shown.ends->first || order.back() != shown.ends->second)) continue;
    double weight = 1;
    bool uses = false;
    for (std::size_t i = 1; i < n; ++i) {
      const bool candidate = shown.candidates.joined(order[i - 1], order[i]);
      const double share = candidate_share(labels, PairKind::step);
      weight *= (candidate ? share : 1 - share) / besides(candidate);
      uses = uses || std::minmax({order[i - 1], order[i]}) == std::minmax({pair.first, pair.second});
    }
    all += weight;
    here += uses ? weight : 0;
  } while (std::ranges::next_permutation(order).found);
  return all > 0 ? here / all : 0;
}

TEST(EveryVertex, IsWhatTheMechanismsOwnOddsLeave) {
  EXPECT_TRUE(rc::check("either form, with ends or not", [] {
    const PathForm form = *rc::gen::element(PathForm::one_sided, PathForm::two_sided);
    const auto epsilon = *rc::gen::inRange<std::uint64_t>(1, 4);
    auto noise = random::SeededKey(*rc::gen::arbitrary<std::uint64_t>()).stream("labels");
    PublicPath shown = publication(form, {1, 1, 1, 1, 1, 1}, epsilon, {});
    for (StopId u = 0; u < 6; ++u)
      for (StopId v = u + 1; v < 6; ++v)
        if (noise.below(3) > 0) shown.candidates.join(u, v);
    if (*rc::gen::arbitrary<bool>()) shown.ends = {{4, 1}};
    const PathLabels labels({.form = form, .epsilon_edges = privacy::Epsilon{epsilon, 1}});
    const std::vector<VertexPair> pairs = {{0, 1}, {2, 3}, {1, 4}};
    const auto found = every_vertex(shown, pairs);
    RC_ASSERT(found.has_value() && found->exact);
    for (std::size_t i = 0; i < pairs.size(); ++i)
      RC_ASSERT(std::abs(found->beliefs[i].posterior - believed(shown, labels, pairs[i])) < 1e-6);
  }));
}

TEST(EveryVertex, KnowsPriorsAndCertainSteps) {
  // A ring of candidates with a tail: 0-1-2-3-0 and 3-4. Every path ends in 3-4.
  PublicPath shown =
      publication(PathForm::one_sided, {1, 1, 1, 1, 1}, 1, {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {3, 4}});
  const std::vector<VertexPair> pairs = {{3, 4}, {0, 1}, {0, 2}};
  const auto found = every_vertex(shown, pairs);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->paths, 2);
  EXPECT_EQ(found->beliefs[0].posterior, 1);
  EXPECT_EQ(found->beliefs[1].posterior, 1);
  EXPECT_EQ(found->beliefs[2].posterior, 0);
  EXPECT_EQ(found->beliefs[0].prior, 0.4);
  EXPECT_EQ(found->certain, 3U);  // 3-4, 0-1, 1-2
  shown.ends = {{4, 2}};
  EXPECT_NEAR(every_vertex(shown, pairs)->beliefs[0].prior, 1.0 / 3, 1e-12);
  EXPECT_NEAR(every_vertex(shown, pairs)->beliefs[1].prior, 2.0 / 3, 1e-12);
}

TEST(EveryVertex, SamplesWhatIsTooLargeToCountAndAgrees) {
  auto noise = random::SeededKey(8).stream("labels");
  PublicPath shown = publication(PathForm::one_sided, std::vector<std::uint32_t>(13, 1), 1, {});
  std::vector<VertexPair> pairs;
  for (StopId u = 0; u < 13; ++u)
    for (StopId v = u + 1; v < 13; ++v)
      if (v == u + 1 || noise.below(5) < 2) {
        shown.candidates.join(u, v);
        pairs.emplace_back(u, v);
      }
  const auto counted = every_vertex(shown, pairs);
  const auto sampled = every_vertex(shown, pairs, {.exact_up_to = 12, .sweeps = 2'000});
  ASSERT_TRUE(counted && sampled && !sampled->exact);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    EXPECT_NEAR(sampled->beliefs[i].posterior, counted->beliefs[i].posterior,
                9 * std::max(sampled->standard_error[i], 0.002));
}

/// How likely the labels of two vertices are, given the pair of stops that is a step between them, or that there is no road.
double chance_of_labels(const PublicPath& shown, const PathLabels& labels, VertexPair pair,
                        std::optional<std::pair<StopId, StopId>> step) {
  const Stops& stops = shown.stops;
  double chance = 1;
  for (StopId i = stops.first(pair.first); i < stops.first(pair.first) + stops.of_vertex(pair.first); ++i)
    for (StopId j = stops.first(pair.second); j < stops.first(pair.second) + stops.of_vertex(pair.second);
         ++j) {
      const PairKind kind = !step ? PairKind::no_road
                            : std::minmax({i, j}) == std::minmax({step->first, step->second})
                                ? PairKind::step
                                : PairKind::other_road;
      const double share = candidate_share(labels, kind);
      chance *= shown.candidates.joined(i, j) ? share : 1 - share;
    }
  return chance;
}

/// Every order of the vertices at every choice of their stops, weighed with the mechanism's own odds; pairs besides the route have no road.
double believed_over_stops(const PublicPath& shown, const PathLabels& labels, VertexPair pair) {
  const std::size_t n = shown.stops.vertex_count();
  std::vector<VertexId> order(n);
  std::iota(order.begin(), order.end(), VertexId{0});
  double all = 0, here = 0;
  do {
    if (shown.ends && (order.front() != shown.ends->first || order.back() != shown.ends->second)) continue;
    bool uses = false;
    for (std::size_t i = 1; i < n; ++i)
      uses = uses || std::minmax({order[i - 1], order[i]}) == std::minmax({pair.first, pair.second});
    std::vector<std::uint32_t> at(n, 0);
    for (std::size_t turned = 0; turned < n;) {
      double weight = 1;
      for (std::size_t i = 1; i < n; ++i) {
        const VertexId u = order[i - 1], v = order[i];
        const std::pair step{shown.stops.first(u) + at[u], shown.stops.first(v) + at[v]};
        weight *= chance_of_labels(shown, labels, {u, v}, step) / chance_of_labels(shown, labels, {u, v}, {});
      }
      all += weight;
      here += uses ? weight : 0;
      for (turned = 0; turned < n && ++at[turned] == shown.stops.of_vertex(static_cast<VertexId>(turned));
           ++turned)
        at[turned] = 0;
    }
  } while (std::ranges::next_permutation(order).found);
  return all > 0 ? here / all : 0;
}

TEST(EveryVertex, IsWhatTheOddsLeaveWithSeveralStops) {
  EXPECT_TRUE(rc::check("one-sided, one to three stops, with ends or not", [] {
    const auto epsilon = *rc::gen::inRange<std::uint64_t>(1, 4);
    auto noise = random::SeededKey(*rc::gen::arbitrary<std::uint64_t>()).stream("labels");
    std::vector<std::uint32_t> counts{2};
    while (counts.size() < 5) counts.push_back(static_cast<std::uint32_t>(noise.below(3)) + 1);
    PublicPath shown = publication(PathForm::one_sided, counts, epsilon, {});
    for (StopId a = 0; a < shown.stops.size(); ++a)
      for (StopId b = a + 1; b < shown.stops.size(); ++b)
        if (noise.below(3) == 0) shown.candidates.join(a, b);
    if (*rc::gen::arbitrary<bool>()) shown.ends = {{4, 1}};
    const PathLabels labels({.epsilon_edges = privacy::Epsilon{epsilon, 1}, .most_visits = 3});
    const std::vector<VertexPair> pairs = {{0, 1}, {2, 3}, {1, 4}};
    const auto found = every_vertex(shown, pairs);
    RC_ASSERT(found.has_value() && found->exact);
    for (std::size_t i = 0; i < pairs.size(); ++i)
      RC_ASSERT(std::abs(found->beliefs[i].posterior - believed_over_stops(shown, labels, pairs[i])) < 1e-6);
  }));
}

TEST(EveryVertex, TakesBothStepsOfAVertexAtOneStop) {
  // Vertex 1 has stops 1 and 2. 0-1 would be at stop 1 and 1-2 at stop 2, so that no path has both.
  //   vertices 0, 1, 2, stops 0 | 1 2 | 3
  const PublicPath shown = publication(PathForm::one_sided, {1, 2, 1}, 1, {{0, 1}, {2, 3}, {0, 3}});
  const std::vector<VertexPair> pairs = {{0, 1}, {0, 2}, {1, 2}};
  const auto found = every_vertex(shown, pairs);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->paths, 2);  // 1 0 2 and 0 2 1
  EXPECT_NEAR(found->beliefs[0].posterior, 0.5, 1e-12);
  EXPECT_EQ(found->beliefs[1].posterior, 1);
  EXPECT_EQ(found->certain, 1U);
  PublicPath lying = shown;
  lying.form = PathForm::two_sided;
  EXPECT_FALSE(every_vertex(lying, pairs));
  EXPECT_FALSE(every_vertex(shown, pairs, {.exact_up_to = 2}));
}

/// Of all ways to join the pieces, or to go on to one more visit, what the mechanism's own odds leave.
double believed_missing(const RouteMap& known, const PublicPath& shown, const PathLabels& labels,
                        const std::vector<StopId>& route, std::size_t cut, VertexPair pair) {
  const Stops& stops = shown.stops;
  const std::vector<StopId> first(route.begin(), route.begin() + static_cast<std::ptrdiff_t>(cut)),
      second(route.begin() + static_cast<std::ptrdiff_t>(cut), route.end());
  double all = 0, here = 0;
  const auto weigh = [&](StopId a, StopId b, double prior) {
    const VertexId u = stops.vertex(a), v = stops.vertex(b);
    if (u == v || known.roads.joined(u, v)) return;
    const double weight = prior * chance_of_labels(shown, labels, {u, v}, std::pair{a, b}) /
                          chance_of_labels(shown, labels, {u, v}, {});
    all += weight;
    here += std::minmax({u, v}) == std::minmax({pair.first, pair.second}) ? weight : 0;
  };
  if (first.size() > 1 && second.size() > 1) {
    for (const StopId a : {first.front(), first.back()})
      for (const StopId b : {second.front(), second.back()}) weigh(a, b, 1);
    return here / all;
  }
  const std::vector<StopId>& piece = first.size() > 1 ? first : second;
  for (const StopId a : {piece.front(), piece.back()})
    for (StopId b = 0; b < stops.size(); ++b) {
      if (std::ranges::find(piece, b) != piece.end()) continue;
      const auto used =
          std::ranges::count_if(piece, [&](StopId s) { return stops.vertex(s) == stops.vertex(b); });
      weigh(a, b, 1 / static_cast<double>(stops.of_vertex(stops.vertex(b)) - used));
    }
  return here / all;
}

TEST(AllButOne, IsWhatTheOddsLeaveWithSeveralStops) {
  EXPECT_TRUE(rc::check("one-sided, each step of a route of one or two visits a vertex", [] {
    const auto epsilon = *rc::gen::inRange<std::uint64_t>(1, 4);
    auto noise = random::SeededKey(*rc::gen::arbitrary<std::uint64_t>()).stream("labels");
    const RouteMap map =
        make_map({"0", "1", "2", "3", "4"}, {{0, 1}, {1, 2}, {2, 3}, {3, 1}, {1, 4}, {0, 3}});
    const Route route = {0, 1, 2, 3, 1, 4};
    const PathLabels labels({.epsilon_edges = privacy::Epsilon{epsilon, 1},
                             .epsilon_vertices = privacy::Epsilon{1, 1},
                             .most_visits = 3});
    const PublicPath shown = labels.release({map, route}, noise);
    const Recovered read = recover(map, shown);
    RC_ASSERT(read.complete);
    const std::vector<StopId>& path = read.pieces.front();
    for (std::size_t cut = 1; cut < path.size(); ++cut) {
      const VertexPair pair{shown.stops.vertex(path[cut - 1]), shown.stops.vertex(path[cut])};
      RouteMap less = map;
      less.roads.part(pair.first, pair.second);
      const auto found = all_but_one(map, shown, read.pieces, pair);
      RC_ASSERT(found.has_value());
      RC_ASSERT(std::abs(found->belief.posterior - believed_missing(less, shown, labels, path, cut, pair)) <
                1e-6);
    }
  }));
}

TEST(AllButOne, SeesASingleVisitIfEveryVertexIsVisited) {
  //   vertices 0, 1, 2 with two stops each; the route is at stops 0, 2, 4, and 1-2 is missing
  const RouteMap map = make_map({"0", "1", "2"}, {{0, 1}, {1, 2}});
  PublicPath shown = publication(PathForm::one_sided, {2, 2, 2}, 1, {{0, 2}, {2, 4}, {0, 5}});
  const std::vector<std::vector<StopId>> path = {{0, 2, 4}};
  // From stops 0 and 2 to stops 4 and 5 of vertex 2; from stop 0 to stop 3 of vertex 1 is a known road.
  const auto found = all_but_one(map, shown, path, {1, 2});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->options, 4U);
  EXPECT_EQ(found->left, 2U);
  EXPECT_NEAR(found->belief.posterior, 0.5, 1e-12);
  shown.every_vertex = true;
  EXPECT_EQ(all_but_one(map, shown, path, {1, 2})->options, 4U);
  // Another candidate of the same two vertices: they are joined by no road.
  shown.candidates.join(1, 4);
  EXPECT_EQ(all_but_one(map, shown, path, {1, 2})->belief.posterior, 1);
}

TEST(AllButOne, OfARouteOfOneStepKnowsNoStep) {
  const RouteMap map = make_map({"0", "1", "2"}, {{0, 1}});
  const PublicPath shown = publication(PathForm::one_sided, {1, 1, 1}, 1, {{0, 1}, {1, 2}});
  const std::vector<std::vector<StopId>> path = {{0, 1}};
  const auto found = all_but_one(map, shown, path, {0, 1});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->options, 3U);
  EXPECT_EQ(found->belief.posterior, 0.5);
}

TEST(Belief, IsNotNewlyCertainOfWhatItKnew) {
  EXPECT_TRUE((Belief{0.5, 1}.became_certain()));
  EXPECT_FALSE((Belief{1, 1}.became_certain()));
  EXPECT_FALSE((Belief{0.5, 0.9}.became_certain()));
}

TEST(Attacks, RefuseWhatIsNoPair) {
  const PublicPath shown = publication(PathForm::one_sided, {1, 1}, 1, {});
  EXPECT_THROW(one_label(shown, {0, 0}), InvalidOption);
  EXPECT_THROW(one_label(shown, {0, 2}), InvalidOption);
  EXPECT_THROW(one_label(shown, {0, 1}, 1), InvalidOption);
  EXPECT_THROW(every_vertex(shown, {}, {.exact_up_to = 21}), InvalidOption);
}

}  // namespace
}  // namespace fogline::path::attacks_test
