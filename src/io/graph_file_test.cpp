// SPDX-License-Identifier: Apache-2.0
#include "io/graph_file.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/test_text.hpp"

namespace fogline::io::graph_file_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_text::message_of;
using testing_text::real_data;

GraphTable read(const std::string& name, const std::string& text, const GraphReadOptions& options = {}) {
  auto source = TextSource::from_memory(name, text);
  return read_graph(source, options);
}

std::string refusal(const std::string& name, const std::string& text) {
  return message_of([&] { read(name, text); });
}

TEST(GraphFile, TheSuffixTellsTheFormat) {
  EXPECT_EQ(graph_format_of("g.csv.gz"), GraphFormat::csv);
  EXPECT_EQ(graph_format_of("g.TSV"), GraphFormat::csv);
  EXPECT_EQ(graph_format_of("g_net.tntp"), GraphFormat::tntp);
  EXPECT_EQ(graph_format_of("g.net"), GraphFormat::edge_list);
}

TEST(GraphFile, TheFirstLineTellsTheFormatOfStandardInput) {
  EXPECT_EQ(graph_format_of_text("a b 1\nb c 3\n"), GraphFormat::edge_list);
  EXPECT_EQ(graph_format_of_text("# made by hand, in a hurry\n0\t1\n"), GraphFormat::edge_list);
  EXPECT_EQ(graph_format_of_text("% x\n"), GraphFormat::edge_list);
  EXPECT_EQ(graph_format_of_text("\xEF\xBB\xBF\n source,target,weight\na,b,1\n"), GraphFormat::csv);
  EXPECT_EQ(graph_format_of_text("source\ttarget\tweight\n"), GraphFormat::csv);
  EXPECT_EQ(graph_format_of_text("0;1;2\n"), GraphFormat::csv);
  EXPECT_EQ(graph_format_of_text("<NUMBER OF ZONES> 24\n"), GraphFormat::tntp);
  EXPECT_EQ(graph_format_of_text("~ \tInit node\tTerm node\n"), GraphFormat::tntp);
  EXPECT_EQ(graph_format_of_text(""), GraphFormat::csv);
  TextSource source = TextSource::from_memory("standard input", "a b 1\n");
  EXPECT_EQ(graph_format_of_start(source), GraphFormat::edge_list);
  EXPECT_EQ(source.read_all(), "a b 1\n");
}

TEST(GraphFile, ReadsCsvWithNamesAndAliases) {
  const GraphTable graph = read("g.csv", "From;To;Volume\nhome;work;3.5\nwork;shop;0\n");
  EXPECT_THAT(graph.vertices.names(), ElementsAre("home", "work", "shop"));
  EXPECT_THAT(graph.source, ElementsAre(0, 1));
  EXPECT_THAT(graph.target, ElementsAre(1, 2));
  EXPECT_THAT(graph.weight, ElementsAre(3.5, 0));
  EXPECT_THAT(graph.line, ElementsAre(2, 3));
  EXPECT_FALSE(graph.directed);
}

TEST(GraphFile, NumbersNeedNoHeader) {
  EXPECT_THAT(read("g.csv", "0,1,2.0\n1,2,0.5\n").weight, ElementsAre(2, 0.5));
  EXPECT_FALSE(read("g.csv", "0,1\n1,2\n").weighted);
  EXPECT_THAT(refusal("g.csv", "home,work,3\nwork,shop,4\n"),
              HasSubstr("header such as source,target,weight"));
  EXPECT_THAT(refusal("g.csv", "0,1,2,3\n"), HasSubstr("has no header"));
}

TEST(GraphFile, BadCsvIsRefused) {
  EXPECT_THAT(refusal("g.csv", ""), HasSubstr("the file is empty"));
  EXPECT_THAT(refusal("g.csv", "u,v,w\n"), HasSubstr("holds no edges"));
  EXPECT_THAT(refusal("g.csv", "u,v,w\na,b,1\nb,c\n"), HasSubstr("g.csv, line 3: has 2 fields"));
  EXPECT_THAT(refusal("g.csv", "u,v,w\na,b,many\n"), HasSubstr("line 2: the weight is not a finite number"));
  EXPECT_THAT(refusal("g.csv", "u,v,w\na,b,\n"), HasSubstr("line 2: the weight is not a finite number"));
  EXPECT_THAT(refusal("g.csv", "u,v,w\na,,1\n"), HasSubstr("line 2: an end of the edge is missing"));
}

TEST(GraphFile, ReadsEdgeLists) {
  const GraphTable graph = read("g.txt", "# u v w\n% too\n\n10\t2  5.5\r\n2 0 1\r\n");
  EXPECT_THAT(graph.vertices.names(), ElementsAre("0", "2", "10"));
  EXPECT_THAT(graph.weight, ElementsAre(5.5, 1));
  EXPECT_THAT(graph.line, ElementsAre(4, 5));
}

TEST(GraphFile, BadEdgeListsAreRefused) {
  EXPECT_THAT(refusal("g.txt", ""), HasSubstr("holds no edges"));
  EXPECT_THAT(refusal("g.txt", "1 2 3 4\n"), HasSubstr("more than three values"));
  EXPECT_THAT(refusal("g.txt", "1 2 3\n2 3\n"), HasSubstr("line 2: has a weight where others have none"));
  EXPECT_THAT(refusal("g.txt", "1 2\n3\n"), HasSubstr("line 2: an end of the edge is missing"));
  EXPECT_THAT(refusal("g.net", "*Vertices 3\n"), HasSubstr("Pajek"));
}

TEST(GraphFile, ReadsCoAuthorsOfRealLife) {
  const std::string file = real_data("graphs/CA-GrQc.txt");
  FOGLINE_NEEDS_REAL_DATA(file);
  const GraphTable graph = read_graph(file, {});
  EXPECT_EQ(graph.vertex_count(), 5'242U);
  EXPECT_EQ(graph.edge_count(), 14'484U);
  EXPECT_EQ(graph.warnings.count("the edge is a self-loop (edge left out)"), 12U);
  EXPECT_EQ(graph.warnings.count("repeated edge left out"), 14'484U);
  EXPECT_FALSE(graph.weighted);
}

TEST(GraphFile, ReadsFlightsOfRealLife) {
  const std::string file = real_data("graphs/openflights_weighted_undirected.txt");
  FOGLINE_NEEDS_REAL_DATA(file);
  const GraphTable graph = read_graph(file, {});
  EXPECT_EQ(graph.vertex_count(), 3'425U);
  EXPECT_EQ(graph.edge_count(), 19'256U);
  EXPECT_EQ(std::set<double>(graph.weight.begin(), graph.weight.end()).size(), 25U);
}

TEST(GraphFile, ReadsCallsAndSeatsOfRealLife) {
  const std::string calls = real_data("graphs/milano_telecom_G278.csv");
  FOGLINE_NEEDS_REAL_DATA(calls);
  EXPECT_EQ(read_graph(calls, {}).vertex_count(), 278U);
  EXPECT_EQ(read_graph(calls, {}).edge_count(), 38'503U);
  const GraphTable seats = read_graph(real_data("graphs/US_airports500.net"), {});
  EXPECT_EQ(seats.vertex_count(), 500U);
  EXPECT_EQ(seats.edge_count(), 2'980U);
}

}  // namespace
}  // namespace fogline::io::graph_file_test
