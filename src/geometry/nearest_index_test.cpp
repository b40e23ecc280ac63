// SPDX-License-Identifier: Apache-2.0
#include "geometry/nearest_index.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"

namespace fogline::geometry::nearest_index_test {
namespace {

NearestIndex::Match by_looking_at_all(const std::vector<PointXY>& points, const PointXY& query) {
  NearestIndex::Match best{0, std::numeric_limits<double>::infinity()};
  for (std::uint32_t v = 0; v < points.size(); ++v) {
    const double dx = points[v].x_m - query.x_m;
    const double dy = points[v].y_m - query.y_m;
    const double distance_m = std::sqrt(dx * dx + dy * dy);
    if (distance_m < best.distance_m) best = {v, distance_m};
  }
  return best;
}

TEST(NearestIndex, AgreesWithLookingAtAllAndTiesGoToTheLowestNumber) {
  EXPECT_TRUE(rc::check("nearest on a small grid of points, full of ties", [] {
    const auto point = [] {
      return PointXY{*rc::gen::inRange(-6, 7) * 10.0, *rc::gen::inRange(-6, 7) * 10.0};
    };
    std::vector<PointXY> points(*rc::gen::inRange<std::size_t>(1, 120));
    for (PointXY& p : points) p = point();
    const NearestIndex index(points);
    for (int i = 0; i < 20; ++i) {
      PointXY query = point();
      query.x_m += *rc::gen::element(0.0, 5.0, 1.0);
      const NearestIndex::Match expected = by_looking_at_all(points, query);
      const NearestIndex::Match match = index.nearest(query);
      RC_ASSERT(match.vertex == expected.vertex);
      RC_ASSERT(match.distance_m == expected.distance_m);
    }
  }));
}

TEST(NearestIndex, BulkGivesWhatOneByOneGives) {
  const NearestIndex index({{0, 0}, {100, 0}, {0, 100}});
  EXPECT_EQ(index.size(), 3U);
  std::vector<PointXY> queries;
  for (int i = 0; i < 4000; ++i) queries.push_back({i * 0.05, 200 - i * 0.1});
  const std::vector<NearestIndex::Match> matches = index.nearest(queries, {.threads = 2});
  for (std::size_t i = 0; i < queries.size(); ++i) {
    ASSERT_EQ(matches[i].vertex, index.nearest(queries[i]).vertex);
    ASSERT_EQ(matches[i].distance_m, index.nearest(queries[i]).distance_m);
  }
}

/// The first few are looked up without a tree, and those that follow with one: nobody may see where it was built.
TEST(NearestIndex, OneAfterAnotherIsTheSameBeforeAndAfterTheTree) {
  std::vector<PointXY> points;
  for (int i = 0; i < 500; ++i) points.push_back({(i * 37) % 101 * 1.0, (i * 53) % 97 * 1.0});
  const NearestIndex index(points), other(points);
  for (int i = 0; i < 100; ++i) {
    const PointXY query{(i * 29) % 103 + 0.5, (i * 31) % 99 + 0.5};
    const auto matches = index.nearest(std::span(&query, 1), {.threads = 1});
    ASSERT_EQ(matches.front().vertex, other.nearest(query).vertex);
    ASSERT_EQ(matches.front().distance_m, other.nearest(query).distance_m);
  }
}

TEST(NearestIndex, RefusesNothingNanAndTheEndlesslyFar) {
  EXPECT_THROW(NearestIndex({}), InvalidOption);
  EXPECT_THROW(NearestIndex({{0, std::numeric_limits<double>::quiet_NaN()}}), InvalidOption);
  const NearestIndex index(std::vector<PointXY>{{0, 0}});
  EXPECT_THROW(index.nearest(PointXY{std::numeric_limits<double>::infinity(), 0}), InvalidOption);
  EXPECT_THROW(index.nearest(PointXY{1e300, 0}), InvalidOption);
}

}  // namespace
}  // namespace fogline::geometry::nearest_index_test
