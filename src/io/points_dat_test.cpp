// SPDX-License-Identifier: Apache-2.0
#include "io/points_dat.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/test_text.hpp"

namespace fogline::io::points_dat_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_text::message_of;

PointTable read(const std::string& text, const PointReadOptions& options = {}) {
  auto source = TextSource::from_memory("t.dat", text);
  return read_points_dat(source, options);
}

std::string refusal(const std::string& text) {
  return message_of([&] { read(text); });
}

TEST(PointsDat, ReadsTripsInMetres) {
  const PointTable points = read("#4:\n>0:14361.5,26097.7;14246.3,26087.0;\n\n#2:\r\n>0: 1,-2 \r\n");
  EXPECT_TRUE(points.plane);
  EXPECT_THAT(points.lon, ElementsAre(14361.5, 14246.3, 1));
  EXPECT_THAT(points.lat, ElementsAre(26097.7, 26087.0, -2));
  EXPECT_THAT(points.traj, ElementsAre(0, 0, 1));
  EXPECT_THAT(points.traj_names.names(), ElementsAre("4", "2"));
  EXPECT_THAT(points.line, ElementsAre(2, 2, 5));
}

TEST(PointsDat, ReadsDegreesAndChecksThem) {
  EXPECT_FALSE(read("#0:\n>0:116.5,39.9;\n", {.dat_unit = DatUnit::degrees}).plane);
  EXPECT_THAT(message_of([] { read("#0:\n>0:39.9,116.5;\n", {.dat_unit = DatUnit::degrees}); }),
              HasSubstr("t.dat, line 2: longitude and latitude look swapped"));
}

TEST(PointsDat, ATripWithoutPointsIsCounted) {
  EXPECT_EQ(read("#0:\n>0:\n#1:\n>0:1,2;\n").warnings.count("trip without points left out"), 1U);
}

TEST(PointsDat, BadLinesAreRefused) {
  EXPECT_THAT(refusal(""), HasSubstr("holds no points"));
  EXPECT_THAT(refusal("lon,lat\n"), HasSubstr("line 1: starts with neither # nor >"));
  EXPECT_THAT(refusal("#0:\n#1:\n"), HasSubstr("line 2: a trip begins before"));
  EXPECT_THAT(refusal("#0:\n"), HasSubstr("the last trip has no line of points"));
  EXPECT_THAT(refusal(">0:1,2;\n"), HasSubstr("points come before the trip's number"));
  EXPECT_THAT(refusal("#x:\n>0:1,2;\n"), HasSubstr("the trip has no number"));
  EXPECT_THAT(refusal("#0:\n>0:1,2;\n#0:\n>0:1,2;\n"),
              HasSubstr("line 3: the trip's number was used before"));
  EXPECT_THAT(refusal("#0:\n>0 1,2;\n"), HasSubstr("no colon"));
  EXPECT_THAT(refusal("#0:\n>0:1;2;\n"), HasSubstr("not a pair"));
  EXPECT_THAT(refusal("#0:\n>0:1,2;3,4.5.\n"), HasSubstr("line 2: a coordinate is not a finite number"));
  EXPECT_THAT(refusal("#0:\n>0:1,2;3,\n"), HasSubstr("a coordinate is not a finite number"));
  EXPECT_THAT(refusal("#0:\n>0:1e300,2;\n"), HasSubstr("over 10^9 metres"));
}

}  // namespace
}  // namespace fogline::io::points_dat_test
