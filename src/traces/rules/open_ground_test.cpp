// SPDX-License-Identifier: Apache-2.0
#include "traces/rules/open_ground.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "random/key.hpp"

namespace fogline::traces::open_ground_test {
namespace {

using geometry::PointXY;
using geometry::Polygons;

Polygons box(double west, double south, double east, double north) {
  return {geometry::box_area({west, south}, {east, north})};
}

/// A frame of 1,000 m, with its skirt, without some areas.
OpenGround ground_without(const Polygons& closed) {
  const Polygons outline =
      box(-OpenGround::skirt_m, -OpenGround::skirt_m, 1000 + OpenGround::skirt_m, 1000 + OpenGround::skirt_m);
  const PointXY south_west{-4, -4}, north_east{1004, 1004};
  const geometry::AreaIndex index(std::span(&outline, 1),
                                  {.south_west = south_west, .north_east = north_east, .cells = 64});
  return OpenGround(geometry::subtract(outline, closed),
                    {.south_west = south_west, .north_east = north_east, .outline = &index});
}

Course course_of(const std::vector<PointXY>& points) {
  Course course;
  for (const PointXY& p : points)
    course.push_back({.at = p,
                      .t = 100 * static_cast<std::int64_t>(course.size()),
                      .origin = static_cast<std::uint32_t>(course.size())});
  return course;
}

bool leads(const OpenGround& ground, Course& course) {
  random::Stream ties = random::SeededKey(1).stream("ties");
  return ground.lead(course, {.beyond_m = 1}, ties);
}

int crossings(const OpenGround& ground, const Course& course) {
  int count = 0;
  for (std::size_t i = 1; i < course.size(); ++i)
    count += ground.crosses(course[i - 1].at, course[i].at) ? 1 : 0;
  return count;
}

void expect_all_clear(const OpenGround& ground, const Course& course) {
  for (const CoursePoint& point : course)
    EXPECT_TRUE(ground.clear(point.at)) << point.at.x_m << " " << point.at.y_m;
}

TEST(OpenGround, TellsWhatIsOpenAndWhatIsClearOfTheBorder) {
  const OpenGround ground = ground_without(box(400, 400, 600, 600));
  EXPECT_FALSE(ground.empty());
  EXPECT_FALSE(ground.contains({500, 500}));
  EXPECT_TRUE(ground.contains({399.9, 500}));
  EXPECT_FALSE(ground.clear({399.9, 500})) << "a tenth of a metre from the border";
  EXPECT_TRUE(ground.clear({399.7, 500}));
  for (const PointXY& corner : {PointXY{0, 0}, PointXY{1000, 0}, PointXY{0, 1000}, PointXY{1000, 1000}})
    EXPECT_TRUE(ground.clear(corner)) << "the frame's own border is none";
  EXPECT_TRUE(ground.crosses({300, 500}, {700, 500}));
  EXPECT_FALSE(ground.crosses({300, 300}, {700, 300}));
}

TEST(OpenGround, NearestIsStraightOutAndAMetreOn) {
  const OpenGround ground = ground_without(box(400, 400, 600, 600));
  const auto west = ground.nearest({410, 500}, 1);
  ASSERT_TRUE(west);
  EXPECT_NEAR(west->x_m, 399, 1e-6);
  EXPECT_NEAR(west->y_m, 500, 1e-6);
  const auto north = ground.nearest({520, 580}, 5);
  ASSERT_TRUE(north);
  EXPECT_NEAR(north->x_m, 520, 1e-6);
  EXPECT_NEAR(north->y_m, 605, 1e-6);
  const auto itself = ground.nearest({10, 10}, 1);
  ASSERT_TRUE(itself);
  EXPECT_EQ(itself->x_m, 10);
  EXPECT_EQ(itself->y_m, 10);
}

TEST(OpenGround, NothingIsOpenWhereAllIsClosed) {
  const OpenGround ground = ground_without(box(-10, -10, 1010, 1010));
  EXPECT_TRUE(ground.empty());
  EXPECT_FALSE(ground.nearest({500, 500}, 1));
  Course course = course_of({{100, 100}, {900, 900}});
  EXPECT_FALSE(leads(ground, course));
}

/// Nearer to the south side, and so round there, in order and in time.
TEST(OpenGround, LeadsRoundTheSideThatMovesLess) {
  const OpenGround ground = ground_without(box(400, 400, 600, 600));
  Course course = course_of({{200, 430}, {450, 430}, {550, 430}, {800, 430}});
  ASSERT_TRUE(leads(ground, course));
  expect_all_clear(ground, course);
  EXPECT_EQ(crossings(ground, course), 0);
  std::vector<std::uint32_t> origins;
  for (const CoursePoint& point : course) {
    if (point.origin != CoursePoint::added) origins.push_back(point.origin);
    if (point.at.x_m > 400 && point.at.x_m < 600) {
      EXPECT_LT(point.at.y_m, 400) << "the north side";
    }
  }
  EXPECT_EQ(origins, (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_TRUE(std::ranges::is_sorted(course, {}, &CoursePoint::t));
  EXPECT_EQ(course.front().at.x_m, 200);
  EXPECT_EQ(course.back().at.x_m, 800);
}

/// A single step over the square gets a point at each corner it goes past, and times in between.
TEST(OpenGround, AddsTheCornersOfAWayRound) {
  const OpenGround ground = ground_without(box(400, 400, 600, 600));
  Course course = course_of({{200, 430}, {800, 430}});
  ASSERT_TRUE(leads(ground, course));
  expect_all_clear(ground, course);
  EXPECT_EQ(crossings(ground, course), 0);
  ASSERT_EQ(course.size(), 4U);
  for (const std::size_t corner : {1U, 2U}) {
    EXPECT_EQ(course[corner].origin, CoursePoint::added);
    EXPECT_LT(course[corner].at.y_m, 400);
    EXPECT_GT(course[corner].at.y_m, 390);
    EXPECT_GT(course[corner].t, 0);
    EXPECT_LT(course[corner].t, 100);
  }
  EXPECT_LT(course[1].t, course[2].t);
}

TEST(OpenGround, LeavesACourseThatObeys) {
  const OpenGround ground = ground_without(box(400, 400, 600, 600));
  Course course = course_of({{0, 0}, {390, 390}, {390, 700}, {1000, 1000}});
  ASSERT_TRUE(leads(ground, course));
  ASSERT_EQ(course.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(course[i].origin, i);
  EXPECT_EQ(course[2].at.x_m, 390);
}

/// A wall from end to end: there is no way round, every point finds its own side, and the step still crosses.
TEST(OpenGround, CrossesOnceWhereTheSidesAreNotConnected) {
  const OpenGround ground = ground_without(box(480, -10, 520, 1010));
  Course course = course_of({{300, 500}, {490, 500}, {515, 500}, {700, 500}});
  ASSERT_TRUE(leads(ground, course));
  expect_all_clear(ground, course);
  EXPECT_EQ(crossings(ground, course), 1);
  ASSERT_EQ(course.size(), 4U);
  EXPECT_LT(course[1].at.x_m, 480);
  EXPECT_GT(course[2].at.x_m, 520);
}

}  // namespace
}  // namespace fogline::traces::open_ground_test
