// SPDX-License-Identifier: Apache-2.0
#include "path/decode.hpp"

#include <algorithm>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "path/linear_program.hpp"
#include "path/recover.hpp"
#include "random/key.hpp"

namespace fogline::path::decode_test {
namespace {

using graph::BitGraph;
using testing::ElementsAre;
using testing::IsEmpty;

BitGraph graph_of(std::size_t size, const std::vector<StopPair>& pairs) {
  BitGraph graph(size);
  for (const auto& [u, v] : pairs) graph.join(u, v);
  return graph;
}

std::int64_t score_of(const std::vector<StopId>& path, const BitGraph& candidates) {
  std::int64_t score = 0;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) score += candidates.joined(path[i], path[i + 1]) ? 1 : -1;
  return score;
}

/// The scores of all paths, the largest first, by trying every order.
class AllPaths {
 public:
  AllPaths(const BitGraph& roads, const BitGraph& candidates, const DecodeOptions& options)
      : roads_(roads), candidates_(candidates), options_(options), used_(roads.size(), false) {
    for (StopId v = 0; v < roads.size(); ++v) extend(v);
    std::sort(scores_.rbegin(), scores_.rend());
  }
  const std::vector<std::int64_t>& scores() const { return scores_; }

 private:
  void extend(StopId next) {
    path_.push_back(next);
    used_[next] = true;
    if (counts()) scores_.push_back(score_of(path_, candidates_));
    for (const StopId v : roads_.neighbours(next))
      if (!used_[v]) extend(v);
    used_[next] = false;
    path_.pop_back();
  }
  bool counts() const {
    if (path_.size() < 2 || (options_.every_stop && path_.size() < roads_.size())) return false;
    if (options_.ends) return StopPair{path_.front(), path_.back()} == *options_.ends;
    return path_.front() < path_.back();
  }

  const BitGraph& roads_;
  const BitGraph& candidates_;
  const DecodeOptions& options_;
  std::vector<bool> used_;
  std::vector<StopId> path_;
  std::vector<std::int64_t> scores_;
};

BitGraph arbitrary_graph(std::size_t size, unsigned percent) {
  BitGraph graph(size);
  for (StopId u = 0; u < size; ++u)
    for (StopId v = u + 1; v < size; ++v)
      if (*rc::gen::inRange(0U, 100U) < percent) graph.join(u, v);
  return graph;
}

TEST(Decode, FindsWhatTryingEveryPathFinds) {
  EXPECT_TRUE(rc::check("best and second score, with every stop or not, with known ends or not", [] {
    const auto size = *rc::gen::inRange<std::size_t>(2, 8);
    const BitGraph roads = arbitrary_graph(size, *rc::gen::inRange(20U, 100U));
    const BitGraph candidates = arbitrary_graph(size, *rc::gen::inRange(10U, 90U));
    DecodeOptions options;
    options.every_stop = *rc::gen::arbitrary<bool>();
    if (*rc::gen::arbitrary<bool>()) {
      const auto first = *rc::gen::inRange<StopId>(0, static_cast<StopId>(size));
      const auto apart = *rc::gen::inRange<StopId>(1, static_cast<StopId>(size));
      options.ends = {first, static_cast<StopId>((first + apart) % size)};
    }
    const AllPaths all(roads, candidates, options);
    const Decoded read = most_likely_path(roads, candidates, options);
    RC_ASSERT(read.proved);
    RC_ASSERT(read.path.empty() || read.second_proved);
    RC_ASSERT(read.path.empty() == all.scores().empty());
    RC_ASSERT(read.second_score.has_value() == (all.scores().size() > 1));
    if (read.second_score) RC_ASSERT(*read.second_score == all.scores()[1]);
    if (read.path.empty()) return;
    RC_ASSERT(read.score == all.scores()[0]);
    RC_ASSERT(read.score == score_of(read.path, candidates));
    RC_ASSERT((options.every_stop ? read.path.size() == size : read.path.size() >= 2U));
    for (std::size_t i = 0; i + 1 < read.path.size(); ++i)
      RC_ASSERT(roads.joined(read.path[i], read.path[i + 1]));
    std::vector<StopId> sorted = read.path;
    std::sort(sorted.begin(), sorted.end());
    RC_ASSERT(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
    const StopPair ends{read.path.front(), read.path.back()};
    RC_ASSERT((options.ends ? ends == *options.ends : ends.first < ends.second));
    RC_ASSERT(most_likely_path(roads, candidates, options).path == read.path);
  }));
}

//   0 --- 1
//   |     |       the true route 2 0 1 3, with the label of 0-1 turned
//   2     3
TEST(Decode, ReadsThroughALieWhereNothingElseIsPossible) {
  const BitGraph roads = graph_of(4, {{0, 1}, {0, 2}, {1, 3}});
  const Decoded read = most_likely_path(roads, graph_of(4, {{0, 2}, {1, 3}, {2, 3}}), {});
  EXPECT_THAT(read.path, ElementsAre(2, 0, 1, 3));
  EXPECT_EQ(read.score, 1);
  EXPECT_FALSE(read.second_score);
  EXPECT_TRUE(read.second_proved);
}

TEST(Decode, KnownEndsGiveTheOrder) {
  const BitGraph roads = graph_of(3, {{0, 1}, {1, 2}});
  EXPECT_THAT(most_likely_path(roads, roads, {.ends = StopPair{2, 0}}).path, ElementsAre(2, 1, 0));
  EXPECT_THAT(most_likely_path(roads, roads, {.ends = StopPair{1, 2}}).path, IsEmpty());
  EXPECT_THAT(most_likely_path(roads, roads, {.every_stop = false, .ends = StopPair{1, 2}}).path,
              ElementsAre(1, 2));
}

TEST(Decode, ATieIsToldByTheSecondScore) {
  const BitGraph ring = graph_of(4, {{0, 1}, {1, 2}, {2, 3}, {0, 3}});
  const Decoded read = most_likely_path(ring, ring, {});
  EXPECT_EQ(read.score, 3);
  EXPECT_EQ(read.second_score, 3);
  EXPECT_EQ(read.path.size(), 4U);
  const Decoded alone = most_likely_path(ring, ring, {.second_best = false});
  EXPECT_FALSE(alone.second_score);
  EXPECT_FALSE(alone.second_proved);
}

TEST(Decode, FindsNothingWhereThereIsNothing) {
  const BitGraph star = graph_of(4, {{0, 1}, {0, 2}, {0, 3}});
  EXPECT_THAT(most_likely_path(star, star, {}).path, IsEmpty());
  const BitGraph parts = graph_of(4, {{0, 1}, {2, 3}});
  EXPECT_THAT(most_likely_path(parts, parts, {}).path, IsEmpty());
  EXPECT_EQ(most_likely_path(parts, parts, {.every_stop = false}).path.size(), 2U);
  EXPECT_THAT(most_likely_path(parts, parts, {.every_stop = false, .ends = StopPair{0, 2}}).path, IsEmpty());
  EXPECT_THAT(most_likely_path(BitGraph(3), BitGraph(3), {}).path, IsEmpty());
  EXPECT_THAT(most_likely_path(BitGraph(1), BitGraph(1), {}).path, IsEmpty());
}

/// A network of the route 0 1 2 ..., with roads that join random stops.
BitGraph tangled_roads(std::size_t size, std::size_t roads, random::Stream& choice) {
  BitGraph graph(size);
  for (StopId v = 1; v < size; ++v) graph.join(v - 1, v);
  for (std::size_t i = size - 1; i < roads;) {
    const auto u = static_cast<StopId>(choice.below(size)), v = static_cast<StopId>(choice.below(size));
    if (u == v || graph.joined(u, v)) continue;
    graph.join(u, v);
    ++i;
  }
  return graph;
}

TEST(Decode, CanBeStoppedInTheMiddleOfALinearProgram) {
  auto choice = random::SeededKey(1).stream("roads");
  const BitGraph roads = tangled_roads(400, 600, choice);
  int asked = 0;
  const DecodeOptions options{.progress = [&](const ProgressUpdate& update) {
    EXPECT_LE(update.done, 1U);  // the first program is not solved yet
    return ++asked < 5;
  }};
  EXPECT_THROW(most_likely_path(roads, roads, options), Cancelled);
  EXPECT_EQ(asked, 5);
}

TEST(Decode, TakesTheHeaviestPathForAnyScores) {
  const BitGraph ring = graph_of(4, {{0, 1}, {1, 2}, {2, 3}, {0, 3}});
  const Decoded read =
      heaviest_path(ring, [](StopId u, StopId v) { return u == 1 && v == 2 ? 3 : 10 * (u + v); }, {});
  EXPECT_THAT(read.path, ElementsAre(1, 0, 3, 2));
  EXPECT_EQ(read.score, 90);
  EXPECT_EQ(read.second_score, 83);
}

TEST(Decode, RefusesWhatMakesNoSense) {
  const BitGraph roads = graph_of(3, {{0, 1}});
  EXPECT_THROW(most_likely_path(roads, BitGraph(4), {}), InvalidOption);
  EXPECT_THROW(most_likely_path(roads, roads, {.ends = StopPair{1, 1}}), InvalidOption);
  EXPECT_THROW(most_likely_path(roads, roads, {.ends = StopPair{0, 3}}), InvalidOption);
  EXPECT_THROW(most_likely_path(roads, roads, {.most_nodes = 0}), InvalidOption);
}

/// Labels of a route that lie once in `odds`.
BitGraph noisy_labels(const BitGraph& steps, std::uint64_t odds, random::Stream& noise) {
  BitGraph labels(steps.size());
  for (StopId u = 0; u < steps.size(); ++u)
    for (StopId v = u + 1; v < steps.size(); ++v)
      if (steps.joined(u, v) != (noise.below(odds) == 0)) labels.join(u, v);
  return labels;
}

TEST(Decode, SaysWhenItGaveUp) {
  const Decoded read = most_likely_path(BitGraph(9).complement(), BitGraph(9), {.most_nodes = 1});
  EXPECT_TRUE(
      read.proved);  // any order is as good: the first program settles it, and no node is left for the next
  EXPECT_FALSE(read.second_proved);
  EXPECT_FALSE(read.second_score);
  auto choice = random::SeededKey(1).stream("roads");
  const BitGraph roads = tangled_roads(200, 300, choice);
  const Decoded hard = most_likely_path(roads, noisy_labels(BitGraph(200), 2, choice), {.most_nodes = 2});
  EXPECT_FALSE(hard.proved);
  EXPECT_FALSE(hard.second_proved);
  EXPECT_LE(hard.nodes, 2U);
}

TEST(Decode, FollowsARouteAcrossAStreetGridOf300Stops) {
  // 20 columns, 15 rows; the route walks a staircase from one corner to the other. Labels lie once in 100.
  constexpr StopId columns = 20, rows = 15;
  BitGraph roads(columns * rows), steps(columns * rows);
  for (StopId y = 0; y < rows; ++y)
    for (StopId x = 0; x < columns; ++x) {
      if (x + 1 < columns) roads.join(y * columns + x, y * columns + x + 1);
      if (y + 1 < rows) roads.join(y * columns + x, (y + 1) * columns + x);
    }
  std::vector<StopId> route = {0};
  while (route.back() != columns * rows - 1) {
    const bool down = route.size() % 2 == 0 && route.back() / columns + 1 < rows;
    route.push_back(route.back() + (down || route.back() % columns + 1 == columns ? columns : 1));
    steps.join(route[route.size() - 2], route.back());
  }
  auto noise = random::SeededKey(3).stream("labels");
  const BitGraph labels = noisy_labels(steps, 100, noise);
  const Decoded read =
      most_likely_path(roads, labels, {.every_stop = false, .ends = StopPair{0, columns * rows - 1}});
  EXPECT_TRUE(read.proved);
  EXPECT_GE(read.score, score_of(route, labels));
  std::size_t kept = 0;
  for (std::size_t i = 0; i + 1 < read.path.size(); ++i)
    kept += steps.joined(read.path[i], read.path[i + 1]) ? 1U : 0U;
  EXPECT_GE(kept + 3, route.size() - 1);
}

TEST(LinearProgram, SolvesGrowsAndSaysInfeasible) {
  LinearProgram program({1, 1});
  program.add({{{{0, 1}, {1, 2}}, 0, 2}});
  ASSERT_EQ(program.solve(), LinearProgram::Outcome::solved);
  EXPECT_NEAR(program.value(), 1.5, 1e-9);
  EXPECT_NEAR(program.solution()[1], 0.5, 1e-9);
  program.bound(0, 0, 0);
  program.add({{{{1, 1}}, 0, 0.25}});
  ASSERT_EQ(program.solve(), LinearProgram::Outcome::solved);
  EXPECT_NEAR(program.value(), 0.25, 1e-9);
  program.add({{{{0, 1}, {1, 1}}, 1, 2}});
  EXPECT_EQ(program.solve(), LinearProgram::Outcome::impossible);
  program.bound(0, 0, 1);
  EXPECT_EQ(program.solve(), LinearProgram::Outcome::solved);
}

}  // namespace
}  // namespace fogline::path::decode_test
