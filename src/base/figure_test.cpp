// SPDX-License-Identifier: Apache-2.0
#include "base/figure.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::figure_test {
namespace {

Figure small() {
  return {.name = "small",
          .columns = {"x_m", "share"},
          .rows = {{.series = "a", .values = {1, 0.5}}, {.series = "b, \"c\"", .values = {2, 1.0 / 3}}}};
}

TEST(Figure, WritesALinePerRowAndQuotesNames) {
  EXPECT_EQ(to_csv(small()), "series,x_m,share\na,1,0.5\n\"b, \"\"c\"\"\",2,0.3333333\n");
}

TEST(Figure, WritesPartsWhereThereAreSome) {
  Figure figure = small();
  figure.rows[1].part = "north";
  EXPECT_EQ(to_csv(figure), "part,series,x_m,share\n,a,1,0.5\nnorth,\"b, \"\"c\"\"\",2,0.3333333\n");
}

TEST(Figure, FindsValuesBySeriesColumnAndPart) {
  Figure figure = small();
  figure.rows.push_back({.part = "north", .series = "a", .values = {7, 8}});
  EXPECT_EQ(figure.values("a", "x_m"), (std::vector<double>{1, 7}));
  EXPECT_EQ(figure.values("a", "share", "north"), (std::vector<double>{8}));
  EXPECT_TRUE(figure.values("nobody", "share").empty());
  EXPECT_THROW(figure.values("a", "nothing"), InvalidOption);
}

TEST(HeightAt, InterpolatesBetweenPointsInAnyOrderAndNotBeyond) {
  const std::vector<double> xs{4, 0, 2}, ys{8, 0, 10};
  EXPECT_EQ(height_at(xs, ys, 1), 5);
  EXPECT_EQ(height_at(xs, ys, 3), 9);
  EXPECT_EQ(height_at(xs, ys, 0), 0);
  EXPECT_EQ(height_at(xs, ys, 4), 8);
  EXPECT_FALSE(height_at(xs, ys, -0.1).has_value());
  EXPECT_FALSE(height_at(xs, ys, 4.1).has_value());
  EXPECT_FALSE(height_at({}, {}, 1).has_value());
}

TEST(Figure, ClaimsAreToldOneByOne) {
  Figure figure{.result = "two numbers"};
  FigureClaims claims;
  claims.ask("it grows", true);
  claims.tell(figure);
  EXPECT_TRUE(figure.confirmed);
  EXPECT_EQ(figure.result, "two numbers; all 1 claims hold");
  claims.ask("it shines", false);
  figure.result = "two numbers";
  claims.tell(figure);
  EXPECT_FALSE(figure.confirmed);
  EXPECT_EQ(figure.result, "two numbers; 1 of 2 claims hold, not: it shines");
}

}  // namespace
}  // namespace fogline::figure_test
