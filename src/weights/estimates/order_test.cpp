// SPDX-License-Identifier: Apache-2.0
#include "weights/estimates/order.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error.hpp"
#include "io/test_text.hpp"
#include "weights/estimates/groups.hpp"

namespace fogline::weights::order_test {
namespace {

using io::TextSource;
using io::testing_text::message_of;

io::GraphTable square() {
  TextSource source =
      TextSource::from_memory("graph.csv", "source,target,weight\na,b,1\nb,c,1\nc,d,1\nd,a,1\n");
  return io::read_graph(source, {.format = io::GraphFormat::csv});
}

EdgeRanks ranks(const std::string& text) {
  TextSource source = TextSource::from_memory("ranks.csv", text);
  return read_ranks(source, square());
}

std::vector<OrderPair> order(const std::string& lines) {
  TextSource source =
      TextSource::from_memory("order.csv", "lower_source,lower_target,upper_source,upper_target\n" + lines);
  return read_order(source, square());
}

TEST(ReadRanks, TakesEdgesEitherWayRoundAndLeavesTheRestUnranked) {
  const EdgeRanks found = ranks("source,target,rank\nb,a,2\nc,d,-1.5\n");
  EXPECT_EQ(found[0], 2);
  EXPECT_TRUE(std::isnan(found[1]));
  EXPECT_EQ(found[2], -1.5);
  EXPECT_TRUE(std::isnan(found[3]));
}

TEST(ReadRanks, RefusesWithTheLine) {
  EXPECT_EQ(
      message_of([] { ranks("source,target,rank\na,b,1\na,c,2\n"); }),
      "ranks.csv, line 3: the graph has no edge between these ends; name edges as the graph's file does");
  EXPECT_EQ(
      message_of([] { ranks("source,target,rank\na,b,1\nx,b,2\n"); }),
      "ranks.csv, line 3: the graph has no edge between these ends; name edges as the graph's file does");
  EXPECT_EQ(message_of([] { ranks("source,target,rank\na,b,1\nb,a,2\n"); }),
            "ranks.csv, line 3: the edge was named before; remove one of the two lines");
  EXPECT_THROW(ranks("source,target,rank\na,b,first\n"), DataError);
  EXPECT_THROW(ranks("source,target,rank\na,b,nan\n"), DataError);
  EXPECT_THROW(ranks("source,target\na,b\n"), DataError);
}

TEST(ReadOrder, ReadsPairs) {
  const auto pairs = order("a,b,c,b\na,d,c,d\n");
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].lower, 0U);
  EXPECT_EQ(pairs[0].upper, 1U);
  EXPECT_EQ(pairs[1].lower, 3U);
  EXPECT_EQ(pairs[1].upper, 2U);
  EXPECT_EQ(pairs[1].line, 3U);
}

TEST(ReadOrder, RefusesCirclesAtThePairThatClosesThem) {
  EXPECT_EQ(message_of([] { order("a,b,b,c\nc,d,d,a\nb,c,c,d\nc,d,a,b\nd,a,a,b\n"); }),
            "order.csv, line 5: the pair closes a circle with those before it; remove one of the pairs of "
            "the circle");
  EXPECT_EQ(message_of([] { order("a,b,b,a\n"); }),
            "order.csv, line 2: an edge cannot be below itself; remove the line");
  EXPECT_EQ(
      message_of([] { order("a,b,a,c\n"); }),
      "order.csv, line 2: the graph has no edge between these ends; name edges as the graph's file does");
}

TEST(FollowRanks, PoolsViolatorsAndLeavesEqualRanksAlone) {
  std::vector<double> weights = {5, 1, 3, 9};
  follow_ranks(std::vector<double>{1, 2, 2, std::nan("")}, weights);
  EXPECT_EQ(weights, (std::vector<double>{3, 3, 3, 9}));
  std::vector<double> free = {5, 1, 3, 9};
  follow_ranks(std::vector<double>{1, 1, 1, 1}, free);
  EXPECT_EQ(free, (std::vector<double>{5, 1, 3, 9}));
  EXPECT_THROW(follow_ranks(std::vector<double>{1}, free), InvalidOption);
}

TEST(FollowRanks, IsTheProjectionOntoAllPairsOfDifferentRank) {
  EXPECT_TRUE(rc::check("ranks against pairs", [] {
    const auto raw = *rc::gen::container<std::vector<std::pair<int, int>>>(
        rc::gen::pair(rc::gen::inRange(0, 4), rc::gen::inRange(1, 20)));
    std::vector<double> rank, by_rank;
    std::vector<OrderPair> pairs;
    for (const auto& [r, w] : raw) {
      rank.push_back(r);
      by_rank.push_back(w);
    }
    for (std::uint32_t a = 0; a < rank.size(); ++a)
      for (std::uint32_t b = 0; b < rank.size(); ++b)
        if (rank[a] < rank[b]) pairs.push_back({.lower = a, .upper = b});
    std::vector<double> by_pairs = by_rank;
    follow_ranks(rank, by_rank);
    follow_order(pairs, by_pairs);
    for (std::size_t e = 0; e < rank.size(); ++e) RC_ASSERT(std::abs(by_rank[e] - by_pairs[e]) < 1e-8);
  }));
}

TEST(FollowRanks, ErrorsShrinkWhenTheTruthFollowsTheRanks) {
  const std::vector<double> truth = {1, 2, 2, 5, 7, 7};
  EXPECT_TRUE(rc::check("sum of squares", [&] {
    std::vector<double> weights;
    double before = 0, after = 0;
    for (const double value : truth) weights.push_back(value + *rc::gen::inRange(-5, 6));
    for (std::size_t e = 0; e < truth.size(); ++e) before += std::pow(weights[e] - truth[e], 2);
    follow_ranks(truth, weights);
    for (std::size_t e = 0; e < truth.size(); ++e) after += std::pow(weights[e] - truth[e], 2);
    RC_ASSERT(after <= before + 1e-9);
  }));
}

TEST(FollowOrder, StaysWithinTheRangeAndRefusesCircles) {
  std::vector<double> weights = {4, 1, 8, 2};
  follow_order(std::vector<OrderPair>{{.lower = 0, .upper = 1}, {.lower = 1, .upper = 3}}, weights);
  EXPECT_NEAR(weights[0], 7.0 / 3, 1e-9);
  EXPECT_NEAR(weights[1], 7.0 / 3, 1e-9);
  EXPECT_EQ(weights[2], 8);
  EXPECT_NEAR(weights[3], 7.0 / 3, 1e-9);
  EXPECT_THROW(
      follow_order(std::vector<OrderPair>{{.lower = 0, .upper = 1}, {.lower = 1, .upper = 0}}, weights),
      InvalidOption);
  EXPECT_THROW(follow_order(std::vector<OrderPair>{{.lower = 0, .upper = 9}}, weights), InvalidOption);
}

TEST(FollowRanks, TakesTheFreeFlowTimesOfANetwork) {
  const std::string flow = io::testing_text::real_data("graphs/SiouxFalls_flow.tntp");
  FOGLINE_NEEDS_REAL_DATA(flow);
  const auto graph = io::read_graph(flow, {});
  const auto network = io::read_graph(io::testing_text::real_data("graphs/SiouxFalls_net.tntp"), {});
  const std::vector<double> times = free_flow_times(graph, network);
  std::vector<double> weights = graph.cost;
  follow_ranks(times, weights);
  for (std::size_t a = 0; a < times.size(); ++a)
    for (std::size_t b = 0; b < times.size(); ++b)
      if (times[a] < times[b]) {
        EXPECT_LE(weights[a], weights[b]);
      }
}

}  // namespace
}  // namespace fogline::weights::order_test
