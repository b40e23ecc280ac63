// SPDX-License-Identifier: Apache-2.0
#include "weights/estimates/groups.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "io/test_text.hpp"
#include "weights/graph/edge_lookup.hpp"

namespace fogline::weights::groups_test {
namespace {

using io::TextSource;
using io::testing_text::message_of;

io::GraphTable graph_of(const std::string& lines, bool directed = false) {
  TextSource source = TextSource::from_memory("graph.csv", "source,target,weight\n" + lines);
  return io::read_graph(source, {.format = io::GraphFormat::csv, .directed = directed});
}

TEST(EdgeLookup, FindsEdgesByTheNamesOfTheirEnds) {
  const io::GraphTable undirected = graph_of("a,b,1\nc,b,1\n");
  const EdgeLookup either(undirected);
  EXPECT_EQ(either.find("a", "b"), 0U);
  EXPECT_EQ(either.find("b", "c"), 1U);
  EXPECT_FALSE(either.find("a", "c"));
  EXPECT_FALSE(either.find("a", "nowhere"));
  const io::GraphTable directed = graph_of("a,b,1\nb,a,1\nc,b,1\n", true);
  const EdgeLookup one_way(directed);
  EXPECT_EQ(one_way.find("b", "a"), 1U);
  EXPECT_FALSE(one_way.find("b", "c"));
}

//   hub with 4 spokes, one of which goes on:   s1 - hub - s2,  s3 - hub - s4 - end
TEST(DegreeGroups, TellEdgesApartByBothEnds) {
  const EdgeGroups groups = degree_groups(graph_of("hub,s1,9\nhub,s2,1\nhub,s3,5\nhub,s4,7\ns4,end,2\n"));
  EXPECT_EQ(groups.of, (std::vector<std::uint32_t>{0, 0, 0, 0, 1}));  // degrees (1, 4), (2, 4); (1, 2)
  EXPECT_EQ(groups.count, 2U);
}

TEST(DegreeGroups, HaveTwoClassesToAFactorOfTen) {
  // Two stars share a group exactly if their hubs are of one class.
  const auto star = [](const std::string& hub, int degree) {
    std::string lines;
    for (int i = 0; i < degree; ++i) lines += hub + "," + hub + std::to_string(i) + ",1\n";
    return lines;
  };
  const auto together = [&](int a, int b) {
    return degree_groups(graph_of(star("a", a) + star("b", b))).count == 1;
  };
  EXPECT_TRUE(together(1, 3));
  EXPECT_FALSE(together(3, 4));
  EXPECT_TRUE(together(4, 9));
  EXPECT_FALSE(together(9, 10));
  EXPECT_TRUE(together(10, 31));
  EXPECT_FALSE(together(31, 32));
  EXPECT_TRUE(together(32, 99));
  EXPECT_FALSE(together(99, 100));
}

TEST(DegreeGroups, DoNotLookAtWeights) {
  EXPECT_EQ(degree_groups(graph_of("a,b,1\nb,c,2\nc,d,3\n")).of,
            degree_groups(graph_of("a,b,9\nb,c,9\nc,d,1\n")).of);
}

TEST(QuantileGroups, HaveEqualSizesAndNeverPartEqualNumbers) {
  EXPECT_EQ(quantile_groups(std::vector<double>{4, 1, 3, 2}, 2).of, (std::vector<std::uint32_t>{0, 1, 0, 1}));
  EXPECT_EQ(quantile_groups(std::vector<double>{1, 1, 1, 2}, 4).of, (std::vector<std::uint32_t>{0, 0, 0, 1}));
  EXPECT_EQ(quantile_groups(std::vector<double>{5, 5}, 9).count, 1U);
  EXPECT_THROW(quantile_groups(std::vector<double>{1}, 0), InvalidOption);
  EXPECT_THROW(quantile_groups(std::vector<double>{std::nan("")}, 1), InvalidOption);
}

EdgeGroups read(const std::string& lines) {
  TextSource source = TextSource::from_memory("groups.csv", "source,target,group\n" + lines);
  return read_groups(source, graph_of("a,b,1\nb,c,1\nc,d,1\n"));
}

TEST(ReadGroups, TakesNamesAndPutsTheRestTogether) {
  const EdgeGroups groups = read("c,b,motorway\na,b,street\n");
  EXPECT_EQ(groups.of, (std::vector<std::uint32_t>{1, 0, 2}));
  EXPECT_EQ(groups.count, 3U);
  EXPECT_EQ(read("a,b,x\nb,c,x\nc,d,x\n").count, 1U);
}

TEST(ReadGroups, RefusesWithTheLine) {
  EXPECT_EQ(
      message_of([] { read("a,b,x\na,c,x\n"); }),
      "groups.csv, line 3: the graph has no edge between these ends; name edges as the graph's file does");
  EXPECT_EQ(message_of([] { read("a,b,x\na,b,y\n"); }),
            "groups.csv, line 3: the edge was named before; remove one of the two lines");
  EXPECT_THROW(read("a,b,\n"), DataError);
}

TEST(FreeFlowTimes, NeedANetworkThatHasEveryEdge) {
  const io::GraphTable plain = graph_of("1,2,1\n");
  EXPECT_THROW(free_flow_times(plain, plain), DataError);
  const std::string net = io::testing_text::real_data("graphs/SiouxFalls_net.tntp");
  FOGLINE_NEEDS_REAL_DATA(net);
  const io::GraphTable network = io::read_graph(net, {});
  EXPECT_EQ(free_flow_times(network, network), network.free_flow_time);
  EXPECT_EQ(free_flow_times(graph_of("2,1,5\n", true), network), std::vector<double>{6});
  EXPECT_EQ(message_of([&] { free_flow_times(graph_of("1,24,5\n", true), network); }),
            "graph.csv, line 2: the network has no link between these ends; give the network that the graph "
            "belongs to");
}

}  // namespace
}  // namespace fogline::weights::groups_test
