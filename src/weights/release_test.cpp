// SPDX-License-Identifier: Apache-2.0
#include "weights/release.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "privacy/test_folder.hpp"
#include "weights/edge_stream.hpp"

namespace fogline::weights::release_test {
namespace {

class GraphReleaseTest : public testing::Test {
 protected:
  GraphReleaseTest() {
    std::ofstream file(folder_.path("graph.csv"));
    file << "source,target,weight\n";
    for (int i = 0; i < 3000; ++i) file << i % 60 << ',' << 60 + i / 2 << ',' << 1 + i % 7 << '\n';
    file.close();
    graph_ = io::read_graph(folder_.path("graph.csv"), {});
  }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.path(name)) << text;
    return folder_.path(name);
  }

  static WeightTerms terms(std::string mechanism) {
    WeightTerms made{.mechanism = std::move(mechanism),
                     .epsilon = privacy::Epsilon{2, 1},
                     .grid = WeightGrid::parse("1:40", "1")};
    if (made.mechanism != "blocks") made.protection.unit = ProtectedUnit::change;
    return made;
  }

  double error(std::span<const double> safe) const {
    double sum = 0;
    for (std::size_t e = 0; e < safe.size(); ++e) sum += std::abs(safe[e] - graph_.weight[e]);
    return sum / static_cast<double>(safe.size());
  }

  privacy::TestFolder folder_;
  io::GraphTable graph_;
  random::SeededKey key_{4};
};

TEST_F(GraphReleaseTest, DrawsWhatAReleaseInPiecesDraws) {
  for (const char* mechanism : {"blocks", "geometric", "staircase"}) {
    const WeightTerms plain = terms(mechanism);
    const GraphRelease release(graph_, plain, {.threads = 2});
    const std::string file = folder_.path("graph.csv");
    std::string pieces;
    release_edges(file, *make_mechanism(plain.choice({})), survey_edges(file, plain.grid, {}), key_, {},
                  [&](std::string_view piece) { pieces += piece; });
    EXPECT_EQ(released_csv(graph_, release.draw(key_)), pieces) << mechanism;
  }
}

TEST_F(GraphReleaseTest, PaysForThePriorOnceHoweverItIsReleased) {
  WeightTerms noisy = terms("blocks");
  noisy.prior = PriorSource::noisy;
  const std::string file = folder_.path("graph.csv");
  const EdgeSurvey survey = survey_edges(file, noisy.grid, {});
  const auto mechanism = make_mechanism(noisy.choice(paid_prior(noisy, survey.histogram, key_)));
  std::string pieces;
  release_edges(file, *mechanism, survey, key_, {}, [&](std::string_view piece) { pieces += piece; });
  EXPECT_EQ(released_csv(graph_, GraphRelease(graph_, noisy, {}).draw(key_)), pieces);
}

TEST_F(GraphReleaseTest, EstimatesAndPaidPriorsHelpOnSkewedWeights) {
  WeightTerms flat = terms("blocks"), noisy = flat, plain = terms("geometric"), median = plain;
  flat.epsilon = noisy.epsilon = privacy::Epsilon{1, 1};
  noisy.prior = PriorSource::noisy;
  EXPECT_LT(error(GraphRelease(graph_, noisy, {}).draw(key_)),
            0.5 * error(GraphRelease(graph_, flat, {}).draw(key_)));
  plain.epsilon = median.epsilon = privacy::Epsilon{1, 4};
  median.finish = Finish::median;
  EXPECT_LT(error(GraphRelease(graph_, median, {}).draw(key_)),
            error(GraphRelease(graph_, plain, {}).draw(key_)));
}

TEST_F(GraphReleaseTest, FollowsRanksAndPairs) {
  std::string ranks = "source,target,rank\n";
  for (std::size_t e = 0; e < graph_.edge_count(); ++e)
    ranks += graph_.vertices.name(graph_.source[e]) + "," + graph_.vertices.name(graph_.target[e]) + "," +
             std::to_string(e % 7) + "\n";
  WeightTerms ordered = terms("geometric");
  ordered.order_file = privacy::PublicInput{"ranks.csv", std::string(64, 'a'), ""};
  const auto safe = GraphRelease(graph_, ordered, {.order_file = write("ranks.csv", ranks)}).draw(key_);
  std::vector<double> lowest(7, 1e9), highest(7, 0);
  for (std::size_t e = 0; e < safe.size(); ++e) {
    lowest[e % 7] = std::min(lowest[e % 7], safe[e]);
    highest[e % 7] = std::max(highest[e % 7], safe[e]);
  }
  for (std::size_t rank = 1; rank < 7; ++rank) EXPECT_LE(highest[rank - 1], lowest[rank] + 1e-9);

  const std::string pairs = "lower_source,lower_target,upper_source,upper_target\n6,63,0,60\n";
  const auto paired = GraphRelease(graph_, ordered, {.order_file = write("pairs.csv", pairs)}).draw(key_);
  EXPECT_LE(paired[6], paired[0] + 1e-9);
}

TEST_F(GraphReleaseTest, AnOrderDoesNotLeaveTheRangeByARounding) {
  const io::GraphTable tenths =
      io::read_graph(write("tenths.csv", "source,target,weight\na,b,0\nb,c,0.1\nc,d,0.1\nd,e,0.1\n"), {});
  const std::string chain = write("chain.csv", "source,target,rank\na,b,9\nb,c,1\nc,d,2\nd,e,3\n");
  WeightTerms ordered{
      .mechanism = "blocks", .epsilon = privacy::Epsilon{30, 1}, .grid = WeightGrid::parse("0:0.1", "0.1")};
  ordered.order_file = privacy::PublicInput{"chain.csv", std::string(64, 'a'), ""};
  for (const double weight : GraphRelease(tenths, ordered, {.order_file = chain}).draw(key_))
    EXPECT_LE(weight, 0.1);
}

TEST_F(GraphReleaseTest, RefusesBeforeAnythingIsDrawn) {
  WeightTerms narrow = terms("blocks");
  narrow.grid = WeightGrid::parse("1:6", "1");
  try {
    GraphRelease(graph_, narrow, {});
    ADD_FAILURE();
  } catch (const DataError& error) {
    EXPECT_EQ(error.spot().line, 8u);  // the first weight of 7
    EXPECT_EQ(std::string(error.what()).find("7;"), std::string::npos);
  }
  WeightTerms wide = terms("blocks");
  wide.prior = PriorSource::noisy;
  wide.grid = WeightGrid::parse("0:30000", "1");
  EXPECT_THROW(GraphRelease(graph_, wide, {}), InvalidOption);
  WeightTerms ordered = terms("blocks");
  ordered.order_file = privacy::PublicInput{"ranks.csv", std::string(64, 'a'), ""};
  EXPECT_THROW(
      GraphRelease(graph_, ordered, {.order_file = write("unknown.csv", "source,target,rank\nx,y,1\n")}),
      DataError);
}

}  // namespace
}  // namespace fogline::weights::release_test
