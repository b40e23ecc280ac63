// SPDX-License-Identifier: Apache-2.0
#include "geometry/lattice_body.hpp"

#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "geometry/modular_lattice.hpp"

namespace fogline::geometry::lattice_body_test {
namespace {

using Point = std::vector<std::int64_t>;

LatticePoints points_of(std::initializer_list<Point> list) {
  LatticePoints points{.dimension = list.begin()->size()};
  for (const Point& point : list) points.add(point);
  return points;
}

std::set<Point> as_set(const LatticePoints& points) {
  std::set<Point> set;
  for (std::size_t i = 0; i < points.size(); ++i) set.emplace(points[i].begin(), points[i].end());
  return set;
}

LatticePoints random_points(std::size_t dimension, int size, std::int64_t reach) {
  LatticePoints points{.dimension = dimension};
  for (int i = 0; i < size; ++i)
    for (std::size_t j = 0; j < dimension; ++j)
      points.coordinates.push_back(*rc::gen::inRange<std::int64_t>(-reach, reach + 1));
  return points;
}

LatticePoints all_differences(const LatticePoints& points) {
  LatticePoints differences{.dimension = points.dimension};
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = 0; j < points.size(); ++j) differences.add_difference(points[i], points[j]);
  return differences;
}

TEST(ModularLattice, FindsItsHermiteNormalForm) {
  ModularLattice lattice(2, 6);
  lattice.add({2, 3});
  EXPECT_THAT(lattice.triangular(),
              testing::ElementsAre(testing::ElementsAre(2, 0), testing::ElementsAre(0, 3)));
  ModularLattice all(2, 12);
  all.add({1, 0});
  all.add({0, 1});
  all.keep_multiples(std::vector<Uint128>{3, 4});  // 3 x + 4 y divisible by 12: x by 4, y by 3
  EXPECT_THAT(all.triangular(), testing::ElementsAre(testing::ElementsAre(4, 0), testing::ElementsAre(0, 3)));
}

TEST(ModularLattice, MultipliesBeyond128Bits) {
  const Uint128 prime = (Uint128{1} << 107) - 1;  // 2^107 = 1 in remainders
  EXPECT_TRUE(multiply_modulo(Uint128{1} << 100, Uint128{1} << 50, prime) == Uint128{1} << 43);
  EXPECT_TRUE(multiply_modulo(prime - 1, prime - 1, prime) == 1);
  EXPECT_TRUE(multiply_modulo(prime - 2, prime - 5, prime) == 10);
}

TEST(SpanLattice, KnowsEveryIntegerPointOfASlice) {
  // All integer points of the plane x + y + z = 0 are reached, though the given ones make a sparser lattice.
  const SpanLattice span(points_of({{3, -3, 0}, {0, 5, -5}, {3, 2, -5}}));
  EXPECT_EQ(span.rank(), 2U);
  std::set<Point> seen;
  Point own(2);
  for (std::int64_t x = -3; x <= 3; ++x) {
    for (std::int64_t y = -3; y <= 3; ++y) {
      ASSERT_TRUE(span.coordinates(Point{x, y, -x - y}, own));
      seen.insert(own);
      EXPECT_FALSE(span.coordinates(Point{x, y, -x - y + 1}, own));
    }
  }
  EXPECT_EQ(seen.size(), 49U);
  // And back: unit steps of the own coordinates are lattice steps, so the basis has determinant 1 in the slice.
  EXPECT_EQ(SpanLattice(points_of({{2, 4}, {3, 6}})).rank(), 1U);
  const SpanLattice line(points_of({{4, 8, 12}}));
  Point single(1);
  ASSERT_TRUE(line.coordinates(Point{5, 10, 15}, single));
  EXPECT_EQ(std::abs(single[0]), 5);
  EXPECT_FALSE(line.coordinates(Point{5, 10, 14}, single));
}

TEST(LatticeBody, IsTheHullInThePlane) {
  const LatticeBody body = LatticeBody::hull(points_of({{4, 1}, {1, 1}, {3, 0}, {-1, 1}, {0, 1}}));
  EXPECT_EQ(body.rank(), 2U);
  EXPECT_EQ(as_set(body.vertices()), (std::set<Point>{{4, 1}, {-4, -1}, {-1, 1}, {1, -1}, {3, 0}, {-3, 0}}));
  EXPECT_DOUBLE_EQ(body.volume(), 11);
  EXPECT_TRUE(body.contains(Point{3, 0}));
  EXPECT_TRUE(body.contains(Point{4, 1}));
  EXPECT_TRUE(body.contains(Point{0, 1}));
  EXPECT_FALSE(body.contains(Point{4, 0}));
  EXPECT_FALSE(body.contains(Point{0, 2}));
  EXPECT_DOUBLE_EQ(body.norm(Point{8, 2}), 2);
  EXPECT_DOUBLE_EQ(body.norm(Point{0, 3}), 3);
  EXPECT_DOUBLE_EQ(body.norm(Point{0, 0}), 0);
}

TEST(LatticeBody, MayBeAPointASegmentOrFlat) {
  const LatticeBody point = LatticeBody::hull(points_of({{0, 0, 0}}));
  EXPECT_EQ(point.rank(), 0U);
  EXPECT_TRUE(point.contains(Point{0, 0, 0}));
  EXPECT_FALSE(point.contains(Point{0, 1, 0}));
  EXPECT_EQ(point.norm(Point{0, 0, 0}), 0);
  EXPECT_EQ(point.norm(Point{0, 1, 0}), std::numeric_limits<double>::infinity());
  EXPECT_EQ(point.volume(), 1);
  EXPECT_EQ(LatticeBody::hull({.dimension = 2}).rank(), 0U);

  const LatticeBody segment = LatticeBody::hull(points_of({{2, 4}, {-3, -6}}));
  EXPECT_EQ(segment.rank(), 1U);
  EXPECT_EQ(as_set(segment.vertices()), (std::set<Point>{{3, 6}, {-3, -6}}));
  EXPECT_DOUBLE_EQ(segment.volume(), 6);
  EXPECT_DOUBLE_EQ(segment.norm(Point{-1, -2}), 1.0 / 3);
  EXPECT_FALSE(segment.in_span(Point{1, 3}));

  const LatticeBody flat = LatticeBody::hull(points_of({{2, -2, 0}, {0, 2, -2}, {1, -1, 0}}));
  EXPECT_EQ(flat.rank(), 2U);
  EXPECT_EQ(flat.vertices().size(), 4U);
  EXPECT_DOUBLE_EQ(flat.volume(), 8);
  EXPECT_TRUE(flat.contains(Point{1, 0, -1}));
  EXPECT_FALSE(flat.contains(Point{1, 1, -2}));
  EXPECT_FALSE(flat.contains(Point{1, 0, 0}));
  EXPECT_DOUBLE_EQ(flat.norm(Point{2, 0, -2}), 2);
}

TEST(LatticeBody, IsTheHullInSpace) {
  const LatticeBody cube = LatticeBody::hull(
      points_of({{2, 2, 2}, {2, 2, -2}, {2, -2, 2}, {-2, 2, 2}, {2, 0, 0}, {1, 1, 1}, {2, 2, 0}}));
  EXPECT_EQ(cube.vertices().size(), 8U);
  EXPECT_DOUBLE_EQ(cube.volume(), 64);
  EXPECT_EQ(cube.cones().size(), 12U);
  EXPECT_TRUE(cube.contains(Point{2, 1, -2}));
  EXPECT_FALSE(cube.contains(Point{3, 0, 0}));
  EXPECT_DOUBLE_EQ(cube.norm(Point{1, -5, 2}), 2.5);

  LatticePoints corners{.dimension = 5};
  for (std::size_t i = 0; i < 5; ++i) {
    Point unit(5);
    unit[i] = 3;
    corners.add(unit);
  }
  const LatticeBody cross_polytope = LatticeBody::hull(corners);
  EXPECT_EQ(cross_polytope.cones().size(), 32U);
  EXPECT_DOUBLE_EQ(cross_polytope.norm(Point{1, -1, 2, 0, 2}), 2);
  EXPECT_NEAR(cross_polytope.volume(), 32 * 243 / 120.0, 1e-9);
}

TEST(LatticeBody, HoldsItsPointsAndLiesWithinThem) {
  const auto holds = [](std::size_t dimension, int most) {
    const LatticePoints points =
        random_points(dimension, *rc::gen::inRange(1, most), *rc::gen::element(2, 50, 2000));
    const LatticeBody body = LatticeBody::hull(points);
    const std::set<Point> given = as_set(points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      RC_ASSERT(body.contains(points[i]));
      RC_ASSERT(body.norm(points[i]) <= 1 + 1e-9);
    }
    for (std::size_t i = 0; i < body.vertices().size(); ++i) {
      const auto vertex = body.vertices()[i];
      Point opposite;
      for (const std::int64_t x : vertex) opposite.push_back(-x);
      RC_ASSERT(given.contains(Point(vertex.begin(), vertex.end())) || given.contains(opposite) ||
                body.rank() == 0);
      if (body.rank() > 0) RC_ASSERT(std::abs(body.norm(vertex) - 1) < 1e-9);
    }
  };
  EXPECT_TRUE(rc::check("plane", [&] { holds(2, 30); }));
  EXPECT_TRUE(rc::check("space", [&] { holds(3, 20); }));
  EXPECT_TRUE(rc::check("line", [&] { holds(1, 5); }));
}

std::int64_t determinant(std::span<const std::int64_t> a, std::span<const std::int64_t> b,
                         std::span<const std::int64_t> c) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/// In how many cones a point lies inside, and in how many on a side; checks that its multiples sum to its norm.
std::pair<int, int> cones_around(const LatticeBody& body, const Point& point) {
  std::pair<int, int> found;
  for (const auto& cone : body.cones()) {
    const auto a = body.vertices()[cone.corner[0]], b = body.vertices()[cone.corner[1]],
               c = body.vertices()[cone.corner[2]];
    const std::int64_t whole = determinant(a, b, c), sign = whole < 0 ? -1 : 1;
    const std::int64_t x = sign * determinant(point, b, c), y = sign * determinant(a, point, c),
                       z = sign * determinant(a, b, point);
    if (x < 0 || y < 0 || z < 0) continue;
    ++(x > 0 && y > 0 && z > 0 ? found.first : found.second);
    EXPECT_TRUE(cone.determinant == static_cast<Uint128>(whole * sign));
    EXPECT_NEAR(static_cast<double>(x + y + z) / static_cast<double>(whole * sign), body.norm(point), 1e-9);
  }
  return found;
}

TEST(LatticeBody, ConesTileTheSpace) {
  EXPECT_TRUE(rc::check("cones", [] {
    const LatticeBody body = LatticeBody::hull(random_points(3, 8, 4));
    if (body.rank() < 3) return;
    for (int i = 0; i < 20; ++i) {
      const LatticePoints point = random_points(3, 1, 30);
      const auto [inside, on_a_side] = cones_around(body, point.coordinates);
      RC_ASSERT((inside == 1 && on_a_side == 0) || (inside == 0 && on_a_side >= 2));
    }
  }));
}

TEST(LatticeBody, DifferenceBodyIsTheHullOfAllDifferences) {
  const auto same = [](std::size_t dimension, int most, std::int64_t reach) {
    const LatticePoints points = random_points(dimension, *rc::gen::inRange(1, most), reach);
    const LatticeBody fast = LatticeBody::difference_body(points);
    const LatticeBody slow = LatticeBody::hull(all_differences(points));
    RC_ASSERT(as_set(fast.vertices()) == as_set(slow.vertices()));
    RC_ASSERT(fast.volume() == slow.volume());
  };
  EXPECT_TRUE(rc::check("plane, coarse", [&] { same(2, 25, 4); }));
  EXPECT_TRUE(rc::check("plane, fine", [&] { same(2, 25, 1'000'000'00); }));
  EXPECT_TRUE(rc::check("line", [&] { same(1, 5, 100); }));
  EXPECT_TRUE(rc::check("space", [&] { same(3, 9, 3); }));
  EXPECT_TRUE(rc::check("four dimensions", [&] { same(4, 7, 3); }));
}

TEST(LatticeBody, AnswersForManyPointsAtOnce) {
  const LatticeBody body = LatticeBody::hull(points_of({{7, 1}, {2, 9}, {-4, 6}}));
  LatticePoints to{.dimension = 2};
  for (std::int64_t i = 0; i < 1000; ++i) to.add(Point{i % 37 - 18, i % 53 - 20});
  std::vector<double> out(to.size());
  body.distances(Point{3, -2}, to, out);
  for (std::size_t i = 0; i < to.size(); ++i)
    EXPECT_DOUBLE_EQ(out[i], body.norm(Point{3 - to[i][0], -2 - to[i][1]}));
}

TEST(LatticeBody, KeepsItsLimits) {
  for (std::size_t dimension = 1; dimension <= 8; ++dimension) {
    const std::int64_t limit = LatticeBody::largest_coordinate(dimension);
    LatticePoints corners{.dimension = dimension};
    for (std::size_t i = 0; i < dimension; ++i) {
      Point corner(dimension, limit - 1);
      corner[i] = -limit;
      corners.add(corner);
    }
    corners.add(Point(dimension, limit));
    const LatticeBody body = LatticeBody::hull(corners);
    EXPECT_EQ(body.rank(), dimension);
    EXPECT_NEAR(body.norm(Point(dimension, limit)), 1, 1e-12);
    EXPECT_TRUE(body.contains(Point(dimension, limit - 1)));
    EXPECT_FALSE(body.contains(Point(dimension, limit + 1)));
    EXPECT_THROW(LatticeBody::hull({.dimension = dimension, .coordinates = Point(dimension, limit + 1)}),
                 InvalidOption);
  }
  EXPECT_THROW(LatticeBody::hull({.dimension = 9, .coordinates = Point(9)}), InvalidOption);
}

}  // namespace
}  // namespace fogline::geometry::lattice_body_test
