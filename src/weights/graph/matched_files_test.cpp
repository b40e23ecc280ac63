// SPDX-License-Identifier: Apache-2.0
#include "weights/graph/matched_files.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::weights::matched_files_test {
namespace {

using testing::HasSubstr;

class MatchedFiles : public testing::Test {
 protected:
  static std::string written(const std::string& name, const std::string& text) {
    const std::string file = testing::TempDir() + "matched_" + name;
    std::ofstream(file) << "source,target,weight\n" << text;
    return file;
  }
  static MatchedGraphs read(const std::string& original, const std::string& released,
                            const MatchOptions& options = {}) {
    return read_matched(written("graph.csv", original), written("safe.csv", released), options);
  }
  static std::string refused(const std::string& original, const std::string& released,
                             const MatchOptions& options = {}) {
    try {
      read(original, released, options);
    } catch (const DataError& error) {
      return error.what();
    }
    return "not refused";
  }
};

TEST_F(MatchedFiles, EdgesMeetByTheirNames) {
  const MatchedGraphs graphs = read("a,b,1\nb,c,2\n", "c,b,20\na,b,10\n");
  EXPECT_EQ(graphs.weight, (std::vector<double>{1, 2}));
  EXPECT_EQ(graphs.released, (std::vector<double>{10, 20}));
  EXPECT_EQ(graphs.shape.vertices, 3U);
  EXPECT_FALSE(graphs.shape.directed);
}

TEST_F(MatchedFiles, NumberedVerticesToo) {
  const MatchedGraphs graphs = read("7,3,1\n3,5,2\n", "5,3,20\n3,7,10\n");
  EXPECT_EQ(graphs.released, (std::vector<double>{10, 20}));
}

TEST_F(MatchedFiles, DirectedEdgesKeepTheirDirection) {
  const MatchedGraphs graphs = read("a,b,1\nb,a,2\n", "b,a,20\na,b,10\n", {.directed = true});
  EXPECT_EQ(graphs.released, (std::vector<double>{10, 20}));
  EXPECT_THAT(refused("a,b,1\n", "b,a,1\n", {.directed = true}),
              HasSubstr("matched_safe.csv, line 2: the edge is not in"));
}

TEST_F(MatchedFiles, RefusesWhatDoesNotFit) {
  EXPECT_THAT(refused("a,b,1\n", "a,b,1\na,c,1\n"),
              HasSubstr("matched_safe.csv, line 3: the edge is not in"));
  EXPECT_THAT(refused("a,b,1\na,c,1\n", "a,b,1\n"),
              HasSubstr("matched_graph.csv, line 3: the edge is not in"));
}

TEST_F(MatchedFiles, RefusesBadFiles) {
  const std::string good = "a,b,1\n";
  for (const std::string bad : {"a,b,1\nb,a,2\n", "a,b,1\na,a,2\n", "a,b,1\na,c,nan\n", "a,b,1\na,c,-1\n",
                                "a,b,1\na,c,\n", "a,b,1\n,c,1\n"}) {
    EXPECT_THAT(refused(bad, good), HasSubstr("matched_graph.csv, line 3: ")) << bad;
    EXPECT_THAT(refused(good, bad), HasSubstr("matched_safe.csv, line 3: ")) << bad;
  }
  EXPECT_THAT(refused("", good), HasSubstr("holds no edges"));
  EXPECT_THAT(refused(good, ""), HasSubstr("holds no edges"));
}

}  // namespace
}  // namespace fogline::weights::matched_files_test
