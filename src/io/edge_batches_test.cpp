// SPDX-License-Identifier: Apache-2.0
#include "io/edge_batches.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"

namespace fogline::io::edge_batches_test {
namespace {

struct Read {
  std::vector<std::string> source, target;
  std::vector<double> weight;
  std::vector<std::uint64_t> line;
};

Read read(const std::string& name, const std::string& text, std::size_t per_batch = 2) {
  TextSource source = TextSource::from_memory(name, text);
  EdgeBatches batches(source, {.edges_per_batch = per_batch});
  Read all;
  EdgeScratch scratch;
  for (EdgeBatch batch; batches.next(batch);) {
    EXPECT_EQ(batch.first_edge, all.line.size());
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const EdgeView edge = batches.edge(batch, i, scratch);
      all.source.emplace_back(edge.source);
      all.target.emplace_back(edge.target);
      all.weight.push_back(edge.weight);
      all.line.push_back(edge.line);
    }
  }
  return all;
}

TEST(EdgeBatches, ReadsCsvAsTheWholeFileReaderDoes) {
  const std::string text =
      "\xEF\xBB\xBF"
      "weight;to;from;note\r\n2.5;b;a;x\r\n\r\n3; c ;\"a;1\";\r\n4;d;b;y";
  const Read some = read("g.csv", text);
  EXPECT_EQ(some.source, (std::vector<std::string>{"a", "a;1", "b"}));
  EXPECT_EQ(some.target, (std::vector<std::string>{"b", "c", "d"}));
  EXPECT_EQ(some.weight, (std::vector<double>{2.5, 3, 4}));
  EXPECT_EQ(some.line, (std::vector<std::uint64_t>{2, 4, 5}));
  TextSource source = TextSource::from_memory("g.csv", text);
  const GraphTable whole = read_graph(source, {});
  EXPECT_EQ(whole.line, some.line);
  EXPECT_EQ(whole.weight, some.weight);
}

TEST(EdgeBatches, ReadsNumbersWithoutHeader) {
  const Read some = read("g.csv", "0,1,2.0\n0,2,0.0\n");
  EXPECT_EQ(some.source, (std::vector<std::string>{"0", "0"}));
  EXPECT_EQ(some.line, (std::vector<std::uint64_t>{1, 2}));
}

TEST(EdgeBatches, ReadsEdgeLists) {
  const Read some = read("g.txt", "# made up\n\n0 100 2\n  % no\n0\t463 2");
  EXPECT_EQ(some.target, (std::vector<std::string>{"100", "463"}));
  EXPECT_EQ(some.line, (std::vector<std::uint64_t>{3, 5}));
}

TEST(EdgeBatches, KeepsOnlyLinesWithEdges) {
  std::string comments;
  while (comments.size() < 3'000'000) comments += "# nothing\n\n";
  for (const std::size_t per_batch : {1U, 100U}) {
    TextSource source =
        TextSource::from_memory("g.txt", comments + "a b 1\n" + comments + "b c 2\n" + comments);
    EdgeBatches batches(source, {.edges_per_batch = per_batch});
    std::size_t edges = 0;
    for (EdgeBatch batch; batches.next(batch); edges += batch.size()) EXPECT_LT(batch.text.capacity(), 100U);
    EXPECT_EQ(edges, 2U);
  }
}

std::string refusal(const std::string& name, const std::string& text) {
  try {
    read(name, text);
  } catch (const DataError& error) {
    return error.what();
  }
  return "read";
}

TEST(EdgeBatches, RefusesWithTheLine) {
  const std::string head = "source,target,weight\na,b,1\n";
  const std::vector<std::pair<std::string, std::string>> bad{
      {"a,c,nan\n", "g.csv, line 3"}, {"a,c,\n", "g.csv, line 3"},      {"a,,1\n", "g.csv, line 3"},
      {",c,1\n", "g.csv, line 3"},    {"a,a,1\n", "g.csv, line 3"},     {"a,c\n", "g.csv, line 3"},
      {"a,c,1,2\n", "g.csv, line 3"}, {"a,c,1e999\n", "g.csv, line 3"}, {"\"a,c,1\n", "g.csv, line 3"}};
  for (const auto& [line, where] : bad)
    EXPECT_EQ(refusal("g.csv", head + line).substr(0, where.size()), where) << line;
  EXPECT_NE(refusal("g.csv", ""), "read");
  EXPECT_NE(refusal("g.csv", "source,target,weight\n"), "read");
  EXPECT_NE(refusal("g.csv", "source,target\na,b\n"), "read");
  EXPECT_NE(refusal("g.txt", "a b\n"), "read");
  EXPECT_NE(refusal("g.txt", "a b 1 2\n"), "read");
  EXPECT_NE(refusal("g.txt", "*Vertices 3\n"), "read");
  EXPECT_NE(refusal("g.csv", std::string("source,target,weight\na,b") + '\0' + ",1\n"), "read");
}

TEST(EdgeBatches, CutsDoNotMatter) {
  EXPECT_TRUE(rc::check("any number of edges a batch", [] {
    const auto count = *rc::gen::inRange(1, 200);
    std::string text = "source,target,weight\n";
    for (int i = 0; i < count; ++i) text += std::to_string(i) + "," + std::to_string(i + 1) + ",5\n";
    const Read some = read("g.csv", text, static_cast<std::size_t>(*rc::gen::inRange(1, 50)));
    RC_ASSERT(some.line.size() == static_cast<std::size_t>(count));
    RC_ASSERT(some.source.back() == std::to_string(count - 1));
  }));
}

}  // namespace
}  // namespace fogline::io::edge_batches_test
