// SPDX-License-Identifier: Apache-2.0
#include "weights/edge_stream.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/error.hpp"
#include "weights/mechanisms/blocks.hpp"

namespace fogline::weights::edge_stream_test {
namespace {

/// A file that goes when the test does.
class TestFile {
 public:
  TestFile(const std::string& name, const std::string& text)
      : path_((std::filesystem::temp_directory_path() /
               ("fogline-edges-" + std::to_string(getpid()) + "-" + name))
                  .string()) {
    std::ofstream(path_) << text;
  }
  ~TestFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

const WeightGrid grid = WeightGrid::parse("100:600", "1");

std::string many_edges(int count) {
  std::string text = "source,target,weight\n";
  for (int i = 0; i < count; ++i)
    text += "v" + std::to_string(i) + ",v" + std::to_string(i * 3 + 1) + "," + std::to_string(100 + i % 501) +
            "\n";
  return text;
}

std::string streamed(const std::string& file, const Blocks& blocks, int threads) {
  const StreamOptions options{.threads = threads};
  const EdgeSurvey survey = survey_edges(file, grid, options);
  std::string text;
  release_edges(file, blocks, survey, random::SeededKey(5), options,
                [&](std::string_view piece) { text += piece; });
  return text;
}

TEST(EdgeStream, ReleasesWhatTheWholeGraphWouldWhateverTheThreads) {
  const TestFile file("many.csv", many_edges(20'000));
  const Blocks blocks({.grid = grid, .epsilon = privacy::Epsilon{5, 1}});
  const io::GraphTable graph = io::read_graph(file.path(), {});
  std::vector<std::int64_t> points, drawn(graph.edge_count());
  for (const double weight : graph.weight) points.push_back(grid.point_of(weight, Rounding::refuse).point);
  draw_all(blocks, points, random::SeededKey(5), {}, drawn);
  std::vector<double> weights;
  for (const std::int64_t block : drawn) weights.push_back(blocks.weight(block));
  const std::string whole = released_csv(graph, weights);
  EXPECT_EQ(streamed(file.path(), blocks, 1), whole);
  EXPECT_EQ(streamed(file.path(), blocks, 3), whole);
}

TEST(EdgeStream, CountsThePoints) {
  const TestFile file("points.csv", "source,target,weight\na,b,100\nb,c,600\nc,d,100\n");
  const EdgeSurvey survey = survey_edges(file.path(), grid, {});
  EXPECT_EQ(survey.edges, 3u);
  EXPECT_EQ(survey.histogram.front(), 2);
  EXPECT_EQ(survey.histogram.back(), 1);
}

std::string refusal(const std::string& text, const StreamOptions& options = {}) {
  const TestFile file("bad.csv", text);
  try {
    survey_edges(file.path(), grid, options);
  } catch (const DataError& error) {
    return std::to_string(error.spot().line);
  }
  return "none";
}

TEST(EdgeStream, RefusesWithTheFirstWrongLine) {
  EXPECT_EQ(refusal("source,target,weight\na,b,100\nb,c,601\nc,d,99\n"), "3");
  EXPECT_EQ(refusal("source,target,weight\na,b,100\nb,c,100.5\n"), "3");
  EXPECT_EQ(refusal("source,target,weight\na,b,100\nb,c,100.5\n", {.rounding = Rounding::nearest}), "none");
  EXPECT_EQ(refusal("source,target,weight\na,b,100\nb,c,nan\n"), "3");
  EXPECT_EQ(refusal("source,target,weight\na,b,100\nc,d,100\nb,a,100\n"), "4");
  EXPECT_EQ(refusal("source,target,weight\na,b,100\nc,d,100\nb,a,100\n", {.directed = true}), "none");
  EXPECT_EQ(refusal("source,target,weight\na,b,100\na,b,100\n", {.directed = true}), "3");
  EXPECT_EQ(refusal("source,target,weight\na,a,100\n"), "2");
  std::string late = many_edges(30'000);
  late += "x,y,5\n";
  EXPECT_EQ(refusal(late + "v0,v1,nan\n", {.threads = 3}), "30002");
}

TEST(EdgeStream, FindsARepeatThroughTheTemporaryFile) {
  std::string text = many_edges(5'000);
  text += "v1,v0,100\n";
  EXPECT_EQ(refusal(text, {.most_in_memory = 1'000}), "5002");
  EXPECT_EQ(refusal(many_edges(5'000), {.most_in_memory = 1'000}), "none");
}

TEST(EdgeStream, NoticesAFileThatChanged) {
  const Blocks blocks({.grid = grid, .epsilon = privacy::Epsilon{5, 1}});
  const TestFile file("changed.csv", "source,target,weight\na,b,100\n");
  EdgeSurvey survey = survey_edges(file.path(), grid, {});
  const auto release = [&] {
    release_edges(file.path(), blocks, survey, random::SeededKey(5), {}, [](std::string_view) {});
  };
  EXPECT_NO_THROW(release());
  for (const char* text : {"source,target,weight\na,c,100\n", "source,target,weight\na,b,100\nb,c,100\n",
                           "source,target,weight\na,b,1000\n"}) {
    std::ofstream(file.path()) << text;
    EXPECT_THROW(release(), DataError) << text;
  }
}

}  // namespace
}  // namespace fogline::weights::edge_stream_test
