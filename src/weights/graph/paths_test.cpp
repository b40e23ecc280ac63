// SPDX-License-Identifier: Apache-2.0
#include "weights/graph/paths.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "random/key.hpp"

namespace fogline::weights::paths_test {
namespace {

using Path = std::vector<std::uint32_t>;

PathTree tree_of(const GraphShape& shape, const std::vector<double>& weights, std::uint32_t source) {
  const ArcIndex index(shape);
  const std::vector<std::span<const double>> columns{weights};
  const PathScale scale = path_scale(shape.vertices, columns);
  const std::vector<std::uint64_t> keys = arc_keys(index, scale, weights);
  PathTree tree;
  PathSearch(index, keys).run(source, tree);
  return tree;
}

/// From the target back to the source, or nothing.
Path path_to(const PathTree& tree, std::uint32_t target) {
  if (tree.key[target] == PathTree::unreachable) return {};
  Path path;
  for (std::uint32_t v = target; v != PathTree::none; v = tree.predecessor[v]) path.push_back(v);
  return path;
}

/// By the words of the rule: all simple paths, the least by weight, then edges, then predecessors from the target.
class AllPaths {
 public:
  AllPaths(const GraphShape& shape, const std::vector<double>& weights) : shape_(shape), weights_(weights) {}

  Path best(std::uint32_t source, std::uint32_t target) {
    best_.reset();
    walked_ = {source};
    walk(target, 0);
    return best_ ? std::get<3>(*best_) : Path{};
  }

 private:
  void walk(std::uint32_t target, double weight) {
    if (walked_.back() == target) {
      Path lots;
      for (auto v = walked_.rbegin(); v != walked_.rend(); ++v) lots.push_back(tie_lot(*v));
      const std::tuple found(weight, walked_.size(), lots, Path(walked_.rbegin(), walked_.rend()));
      if (!best_ || found < *best_) best_ = found;
      return;
    }
    for (std::size_t e = 0; e < shape_.edges(); ++e) {
      step(shape_.source[e], shape_.target[e], target, weight + weights_[e]);
      if (!shape_.directed) step(shape_.target[e], shape_.source[e], target, weight + weights_[e]);
    }
  }
  void step(std::uint32_t from, std::uint32_t to, std::uint32_t target, double weight) {
    if (walked_.back() != from || std::find(walked_.begin(), walked_.end(), to) != walked_.end()) return;
    walked_.push_back(to);
    walk(target, weight);
    walked_.pop_back();
  }

  const GraphShape& shape_;
  const std::vector<double>& weights_;
  std::optional<std::tuple<double, std::size_t, Path, Path>> best_;
  Path walked_;
};

//      1
//   5 / \ 5       all three ways from 0 to 3 weigh 10
//    0-2-3        (0-2 is 4, 2-3 is 6)
//     \_/ 10
TEST(PathSearch, TiesGoToFewerEdgesThenByLot) {
  GraphShape shape{.vertices = 4, .source = {0, 1, 0, 2, 0}, .target = {1, 3, 2, 3, 3}};
  EXPECT_EQ(path_to(tree_of(shape, {5, 5, 4, 6, 10}, 0), 3), (Path{3, 0}));
  const std::uint32_t drawn = tie_lot(1) < tie_lot(2) ? 1 : 2;
  EXPECT_EQ(path_to(tree_of(shape, {5, 5, 4, 6, 11}, 0), 3), (Path{3, drawn, 0}));
  EXPECT_EQ(path_to(tree_of(shape, {5, 5, 4, 5.9, 11}, 0), 3), (Path{3, 2, 0}));
}

TEST(PathSearch, DirectedEdgesLeadOneWay) {
  const GraphShape shape{.vertices = 3, .directed = true, .source = {0, 1}, .target = {1, 2}};
  EXPECT_EQ(path_to(tree_of(shape, {1, 1}, 0), 2), (Path{2, 1, 0}));
  EXPECT_TRUE(path_to(tree_of(shape, {1, 1}, 2), 0).empty());
}

TEST(PathSearch, OrderHasPredecessorsFirst) {
  const GraphShape shape{.vertices = 4, .source = {3, 2, 1}, .target = {2, 1, 0}};
  EXPECT_EQ(tree_of(shape, {0, 0, 0}, 3).order, (Path{3, 2, 1, 0}));
}

TEST(PathSearch, FollowsItsRule) {
  EXPECT_TRUE(rc::check("canonical paths are the least of all", [] {
    random::Stream choice = random::SeededKey(*rc::gen::arbitrary<std::uint64_t>()).stream("paths");
    GraphShape shape{.vertices = static_cast<std::uint32_t>(2 + choice.below(5)),
                     .directed = choice.next_bit()};
    std::vector<double> weights;
    for (std::uint32_t u = 0; u < shape.vertices; ++u) {
      for (std::uint32_t v = 0; v < shape.vertices; ++v) {
        if (u == v || (!shape.directed && u > v) || choice.below(3) == 0) continue;
        shape.source.push_back(u);
        shape.target.push_back(v);
        weights.push_back(static_cast<double>(choice.below(4)));
      }
    }
    if (weights.empty()) return;
    AllPaths all(shape, weights);
    for (std::uint32_t source = 0; source < shape.vertices; ++source) {
      const PathTree tree = tree_of(shape, weights, source);
      for (std::uint32_t target = 0; target < shape.vertices; ++target)
        RC_ASSERT(path_to(tree, target) == all.best(source, target));
    }
  }));
}

TEST(PathScale, IsFineForSmallGraphsAndCoarserForLargeOnes) {
  const std::vector<double> weights{600, 600};
  const std::vector<std::span<const double>> columns{weights};
  EXPECT_EQ(path_scale(1000, columns).step, 0x1p-20);
  EXPECT_EQ(path_scale(1000, columns).hop_bits, 10);
  const std::vector<double> large(100, 1e12);
  const std::vector<std::span<const double>> few{large};
  // A hundred edges of 10^12 take 47 bits, the edges of a path 10: 62 - 57 = 5 bits are left for parts of the unit.
  EXPECT_EQ(path_scale(1000, few).step, 0x1p-5);
}

TEST(PathScale, RefusesWhatItCannotAdd) {
  for (const double bad : {-1.0, std::nan(""), std::numeric_limits<double>::infinity(), 1e19}) {
    const std::vector<double> weights{1, bad};
    const std::vector<std::span<const double>> columns{weights};
    EXPECT_THROW(path_scale(3, columns), InvalidOption);
  }
}

TEST(ArcIndex, RefusesUnknownVertices) {
  EXPECT_THROW(ArcIndex({.vertices = 2, .source = {0}, .target = {2}}), InvalidOption);
}

}  // namespace
}  // namespace fogline::weights::paths_test
