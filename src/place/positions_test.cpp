// SPDX-License-Identifier: Apache-2.0
#include "place/positions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "roads/read_network.hpp"

namespace fogline::place {
namespace {

using testing::HasSubstr;
using testing::Not;

io::PointTable table(const std::string& csv) {
  auto source = io::TextSource::from_memory("p.csv", csv);
  return io::read_points(source, {});
}

/// 0 -- 1 -- 2 on a line of 200 m through 0 E, 0 N.
roads::RoadNetwork line() {
  return roads::read_network("line:3:200");
}

std::string refusal(const io::PointTable& points, const roads::RoadNetwork& network,
                    double farthest_m = 500) {
  try {
    vertices_of(points, network, {.farthest_m = farthest_m});
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

TEST(VerticesOf, FindsTheNearestInTheOrderOfTheTable) {
  const auto truth = vertices_of(table("lon,lat\n0.001,0\n-0.001,0\n0.0001,0.0001\n"), line(), {});
  EXPECT_EQ(truth, (std::vector<graph::VertexId>{2, 0, 1}));
}

TEST(VerticesOf, RefusesPointsOffTheMapWithTheirLineAndNumberButNotTheirPosition) {
  const std::string said = refusal(table("lon,lat\n0,0\n12.34,5.67\n0,0\n23.45,6.78\n"), line());
  EXPECT_THAT(said, HasSubstr("p.csv, line 3"));
  EXPECT_THAT(said, HasSubstr("and 1 more lie over 500 m"));
  EXPECT_THAT(said, Not(HasSubstr("12.3")));
  EXPECT_EQ(refusal(table("lon,lat\n0,0.01\n"), line(), 2000), "");
}

TEST(VerticesOf, NoticesSwappedCoordinatesByTheNetwork) {
  auto nodes = roads::read_network("line:3:200");
  for (auto& position : nodes.position) position = {position.lon - 8.6, position.lat + 41.1};
  EXPECT_THAT(refusal(table("lon,lat\n41.1,-8.6\n"), nodes), HasSubstr("look swapped"));
}

TEST(VerticesOf, RefusesPlanesAndBadOptions) {
  EXPECT_THAT(refusal(table("x_m,y_m\n5,5\n"), line()), HasSubstr("metres on a plane"));
  EXPECT_THROW(vertices_of(table("lon,lat\n0,0\n"), line(), {.farthest_m = 0}), InvalidOption);
  EXPECT_THROW(vertices_of(table("lon,lat\n0,0\n"), line(), {.farthest_m = std::stod("nan")}), InvalidOption);
}

TEST(ReportsPerPerson, AreCountedByUser) {
  const auto points = table("user_id,lon,lat\nann,0,0\nbob,0,0\nann,0,0\n");
  EXPECT_TRUE(has_repeated_people(points));
  EXPECT_FALSE(has_repeated_people(table("user_id,lon,lat\nann,0,0\nbob,0,0\n")));
  EXPECT_FALSE(has_repeated_people(table("lon,lat\n0,0\n0,0\n")));
  require_reports_at_most(points, 2);
  try {
    require_reports_at_most(points, 1);
    FAIL() << "expected an error";
  } catch (const DataError& error) {
    EXPECT_THAT(error.what(), HasSubstr("p.csv, line 4"));
    EXPECT_THAT(error.what(), Not(HasSubstr("ann")));
  }
  EXPECT_THROW(require_reports_at_most(table("lon,lat\n0,0\n"), 5), DataError);
}

TEST(Released, HoldsNothingOfTheTableUnlessKept) {
  const auto points = table("traj_id,user_id,t,lon,lat\nsecret-trip,secret-user,1234567890,0.0001,0\n");
  const std::vector<graph::VertexId> safe{2};
  const std::string csv = released_csv(points, line(), safe, {});
  EXPECT_EQ(csv.substr(0, csv.find('\n')), "record,vertex,lon,lat");
  for (const std::string& text : {csv, released_geojson(points, line(), safe, {})}) {
    EXPECT_THAT(text, Not(HasSubstr("secret")));
    EXPECT_THAT(text, Not(HasSubstr("1234567890")));
    EXPECT_THAT(text, Not(HasSubstr("0.0001000")));
  }
}

TEST(Released, CopiesTheColumnsAskedFor) {
  const auto points = table("traj_id,user_id,t,lon,lat\n\"a,b\",ann,1234567890,0,0\n");
  const std::vector<graph::VertexId> safe{1};
  const KeptColumns all{.traj_id = true, .user_id = true, .t = true};
  EXPECT_THAT(released_csv(points, line(), safe, all), HasSubstr("\n1,\"a,b\",ann,1234567890,1,"));
  const std::string geojson = released_geojson(points, line(), safe, all);
  EXPECT_THAT(
      geojson,
      HasSubstr("{\"record\":1,\"vertex\":\"1\",\"traj_id\":\"a,b\",\"user_id\":\"ann\",\"t\":1234567890}"));
  auto source = io::TextSource::from_memory("safe.geojson", geojson);
  EXPECT_EQ(io::read_points(source, {}).size(), 1U);
  EXPECT_THROW(require_columns(table("lon,lat\n0,0\n"), {.t = true}), DataError);
}

}  // namespace
}  // namespace fogline::place
