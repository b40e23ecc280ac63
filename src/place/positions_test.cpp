// SPDX-License-Identifier: Apache-2.0
#include "place/positions.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "roads/read_network.hpp"

namespace fogline::place::positions_test {
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

std::string refusal(io::PointTable points, const roads::RoadNetwork& network, double farthest_m = 500) {
  try {
    vertices_of(points, network, {.farthest_m = farthest_m});
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

TEST(VerticesOf, FindsTheNearestInTheOrderOfTheTable) {
  io::PointTable points = table("lon,lat\n0.001,0\n-0.001,0\n0.0001,0.0001\n");
  const auto truth = vertices_of(points, line(), {});
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
  io::PointTable points = table("lon,lat\n0,0\n");
  EXPECT_THROW(vertices_of(points, line(), {.farthest_m = 0}), InvalidOption);
  EXPECT_THROW(vertices_of(points, line(), {.farthest_m = std::stod("nan")}), InvalidOption);
}

constexpr const char* with_two_far =
    "traj_id,user_id,t,lon,lat\na,ann,1,12.34,5.67\nb,bob,2,0.001,0\nc,cat,3,-0.001,0\nd,dan,4,23.45,6.78\n";

TEST(TooFarPositions, AreLeftOutWithTheirWholeRecordAndCounted) {
  io::PointTable points = table(with_two_far);
  const auto truth = vertices_of(points, line(), {.too_far = TooFar::leave_out});
  EXPECT_EQ(truth, (std::vector<graph::VertexId>{2, 0}));
  EXPECT_EQ(released_csv(points, line(), truth, {.traj_id = true, .user_id = true, .t = true}),
            "record,traj_id,user_id,t,vertex,lon,lat\n1,b,bob,2,2,0.0008983,0.0000000\n"
            "2,c,cat,3,0,-0.0008983,0.0000000\n");
  EXPECT_EQ(points.line, (std::vector<std::uint64_t>{3, 4}));
  ASSERT_EQ(points.warnings.items().size(), 1U);
  EXPECT_EQ(points.warnings.items()[0].count, 2U);
  EXPECT_THAT(to_string(points.warnings.items()[0]), Not(HasSubstr("12.3")));
}

TEST(TooFarPositions, AreMovedToTheNearestVertexWhateverTheDistance) {
  io::PointTable points = table(with_two_far);
  const auto truth = vertices_of(points, line(), {.too_far = TooFar::nearest});
  EXPECT_EQ(truth, (std::vector<graph::VertexId>{2, 2, 0, 2}));
  EXPECT_EQ(points.size(), 4U);
  ASSERT_EQ(points.warnings.items().size(), 1U);
  EXPECT_EQ(points.warnings.items()[0].count, 2U);
}

TEST(TooFarPositions, AFileOfNothingElseIsRefusedEvenIfTheyAreToBeLeftOut) {
  io::PointTable points = table("lon,lat\n12.34,5.67\n");
  EXPECT_THROW(vertices_of(points, line(), {.too_far = TooFar::leave_out}), DataError);
  EXPECT_EQ(vertices_of(points, line(), {.too_far = TooFar::nearest}).size(), 1U);
}

TEST(TooFarPositions, TheRuleLooksAtEachPositionAlone) {
  // The same position becomes the same vertex, or nothing, whatever else is in the file.
  for (const TooFar rule : {TooFar::leave_out, TooFar::nearest}) {
    io::PointTable alone = table("lon,lat\n0.001,0\n"), beside = table("lon,lat\n0.001,0\n12.34,5.67\n");
    EXPECT_EQ(vertices_of(alone, line(), {.too_far = rule}).at(0),
              vertices_of(beside, line(), {.too_far = rule}).at(0));
  }
}

TEST(TooFarPositions, RulesHaveNames) {
  for (const std::string_view name : too_far_names) EXPECT_EQ(to_string(too_far_from(name)), name);
  EXPECT_THROW(too_far_from("clamp"), InvalidOption);
}

TEST(ReportsPerPerson, AreCountedByUser) {
  const auto points = table("user_id,lon,lat\nann,0,0\nbob,0,0\nann,0,0\n");
  const auto bound = [](io::PointTable one, std::uint64_t most) {
    bound_reports(one, most, privacy::TooMany::refuse);
  };
  EXPECT_TRUE(has_repeated_people(points));
  EXPECT_FALSE(has_repeated_people(table("user_id,lon,lat\nann,0,0\nbob,0,0\n")));
  EXPECT_FALSE(has_repeated_people(table("lon,lat\n0,0\n0,0\n")));
  EXPECT_FALSE(has_repeated_people(table("user_id,lon,lat\n,0,0\n,0,0\nann,0,0\n")));
  EXPECT_TRUE(has_repeated_people(table("user_id,lon,lat\n,0,0\nann,0,0\nann,0,0\n")));
  bound(points, 2);
  try {
    bound(points, 1);
    FAIL() << "expected an error";
  } catch (const DataError& error) {
    EXPECT_THAT(error.what(), HasSubstr("p.csv, line 4"));
    EXPECT_THAT(error.what(), Not(HasSubstr("ann")));
  }
  EXPECT_THROW(bound(table("lon,lat\n0,0\n"), 5), DataError);
  // Two unknown people are not one, and one in two spellings not two.
  for (const char* rows : {"ann,0,0\n,0,0\n", "ann,0,0\nNA,0,0\n", "7,0,0\n7.0,0,0\n"})
    EXPECT_THROW(bound(table(std::string("user_id,lon,lat\n") + rows), 5), DataError) << rows;
}

TEST(ReportsPerPerson, BeyondAreLeftOutWhereverTheyLie) {
  for (const char* last : {"0,0", "0.01,0.01"}) {
    auto points =
        table(fmt::format("user_id,lon,lat\nann,0,0\nbob,0.001,0\nann,0.002,0\nann,{}\nbob,0.003,0\n", last));
    bound_reports(points, 2, privacy::TooMany::leave_out);
    EXPECT_EQ(points.lon, (std::vector<double>{0, 0.001, 0.002, 0.003}));
    EXPECT_EQ(points.warnings.items().size(), 1U);
  }
  auto nameless = table("user_id,lon,lat\nann,0,0\n,0,0\n");
  EXPECT_THROW(bound_reports(nameless, 2, privacy::TooMany::leave_out), DataError);
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
}  // namespace fogline::place::positions_test
