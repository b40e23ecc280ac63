// SPDX-License-Identifier: Apache-2.0
#include "io/tntp.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/test_text.hpp"

namespace fogline::io::tntp_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_text::message_of;
using testing_text::real_data;

GraphTable read(const std::string& text) {
  auto source = TextSource::from_memory("t.tntp", text);
  return read_tntp(source, {});
}

std::string refusal(const std::string& text) {
  return message_of([&] { read(text); });
}

const std::string head =
    "<NUMBER OF ZONES> 2\t\t\n<NUMBER OF NODES> 2\n<NUMBER OF LINKS> 2\n<END OF "
    "METADATA>\n\n~\tinit_node\t;\n";

TEST(Tntp, ReadsANetwork) {
  const GraphTable graph =
      read(head + "\t1\t2\t25900\t6.5\t4\t0.15\t4\t0\t0\t1\t;\n\t2\t1\t25900\t6\t5\t0.15\t4\t0\t0\t1\t;\n");
  EXPECT_TRUE(graph.directed);
  EXPECT_THAT(graph.source, ElementsAre(0, 1));
  EXPECT_THAT(graph.length, ElementsAre(6.5, 6));
  EXPECT_THAT(graph.free_flow_time, ElementsAre(4, 5));
  EXPECT_THAT(graph.weight, ElementsAre(4, 5));
  EXPECT_THAT(graph.line, ElementsAre(7, 8));
}

TEST(Tntp, ReadsAFlow) {
  const GraphTable graph = read("From \tTo \tVolume \tCost \n1 \t2 \t4494.5 \t6.25 \n2 \t1 \t0 \t6 \n");
  EXPECT_TRUE(graph.directed);
  EXPECT_THAT(graph.weight, ElementsAre(4494.5, 0));
  EXPECT_THAT(graph.cost, ElementsAre(6.25, 6));
  EXPECT_TRUE(graph.length.empty());
}

TEST(Tntp, BadFilesAreRefused) {
  EXPECT_THAT(refusal(""), HasSubstr("holds no edges"));
  EXPECT_THAT(refusal(head + "1 2 1 1 1;\n"), HasSubstr("has 1 links where its head says 2"));
  EXPECT_THAT(refusal(head + "1 2 1 1 1\n"), HasSubstr("line 7: the link does not end in ;"));
  EXPECT_THAT(refusal(head + "1 2 1 1;\n"), HasSubstr("a link needs at least"));
  EXPECT_THAT(refusal(head + "1 2 1 1 1 1 1 1 1 1 1;\n"), HasSubstr("more than 10 values"));
  EXPECT_THAT(refusal(head + "1 3 1 1 1;\n"), HasSubstr("a node exceeds the number of nodes"));
  EXPECT_THAT(refusal(head + "0 1 1 1 1;\n"), HasSubstr("a node is not a whole number from 1 on"));
  EXPECT_THAT(refusal(head + "1 2 1 x 1;\n"), HasSubstr("the length is not a number"));
  EXPECT_THAT(refusal(head + "1 2 1 1 nan;\n"), HasSubstr("the weight is not a finite number"));
  EXPECT_THAT(refusal("<NUMBER OF LINKS> many\n"), HasSubstr("does not give a whole number"));
  EXPECT_THAT(refusal("<NUMBER OF LINKS 2\n"), HasSubstr("has no >"));
  EXPECT_THAT(refusal("1 2 3 4\n"), HasSubstr("comes before the header"));
  EXPECT_THAT(refusal("From To Volume Cost\n1 2 3\n"), HasSubstr("line 2: does not hold the four values"));
  EXPECT_THAT(refusal("From To Volume Cost\n1 2 3 x\n"), HasSubstr("the cost is not a finite number"));
}

TEST(Tntp, ReadsCitiesOfRealLife) {
  for (const auto& [city, nodes, links] :
       {std::tuple{"SiouxFalls", 24U, 76U}, {"ChicagoSketch", 933U, 2'950U}}) {
    for (const char* part : {"_net.tntp", "_flow.tntp"}) {
      const std::string file = real_data(std::string("graphs/") + city + part);
      FOGLINE_NEEDS_REAL_DATA(file);
      const GraphTable graph = read_graph(file, {});
      EXPECT_EQ(graph.vertex_count(), nodes) << file;
      EXPECT_EQ(graph.edge_count(), links) << file;
    }
  }
}

}  // namespace
}  // namespace fogline::io::tntp_test
