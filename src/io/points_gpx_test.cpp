// SPDX-License-Identifier: Apache-2.0
#include "io/points_gpx.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/test_text.hpp"

namespace fogline::io::points_gpx_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_text::message_of;

PointTable read(const std::string& text) {
  auto source = TextSource::from_memory("t.gpx", text);
  return read_points_gpx(source, {});
}

std::string refusal(const std::string& text) {
  return message_of([&] { read(text); });
}

const std::string two_tracks = R"(<?xml version="1.0" encoding="UTF-8"?>
<g:gpx version="1.1" xmlns:g="http://www.topografix.com/GPX/1/1">
 <g:metadata><g:time>2020-01-01T00:00:00Z</g:time></g:metadata>
 <g:trk><g:trkseg>
  <g:trkpt lat="52.5" lon="13.4"><g:ele>30</g:ele><g:time>2026-11-15T08:00:00Z</g:time></g:trkpt>
  <g:trkpt lat="52.6" lon="13.5"><g:time> 2026-11-15T08:00:15.5Z </g:time></g:trkpt>
 </g:trkseg><g:trkseg>
  <g:trkpt lat="-1" lon="2"><g:time>2026-11-15T09:00:00Z</g:time></g:trkpt>
 </g:trkseg></g:trk>
</g:gpx>
)";

TEST(PointsGpx, EachSegmentIsATrip) {
  const PointTable points = read(two_tracks);
  EXPECT_THAT(points.lon, ElementsAre(13.4, 13.5, 2));
  EXPECT_THAT(points.lat, ElementsAre(52.5, 52.6, -1));
  EXPECT_THAT(points.t, ElementsAre(1794729600, 1794729615, 1794733200));
  EXPECT_THAT(points.traj, ElementsAre(0, 0, 1));
  EXPECT_THAT(points.traj_names.names(), ElementsAre("track-1.1", "track-1.2"));
  EXPECT_THAT(points.line, ElementsAre(5, 6, 8));
  EXPECT_EQ(points.warnings.count("fraction of a second left out"), 1U);
}

TEST(PointsGpx, RoutesAndWaypoints) {
  const PointTable points = read(
      R"(<gpx><wpt lat="1" lon="2"/><rte><rtept lat="3" lon="4"/></rte><rte><rtept lat="5" lon="6"/></rte></gpx>)");
  EXPECT_THAT(points.lat, ElementsAre(1, 3, 5));
  EXPECT_THAT(points.traj_names.names(), ElementsAre("route-1", "route-2", ""));
  EXPECT_EQ(points.warnings.count("point that names no trip"), 1U);
  EXPECT_TRUE(read(R"(<gpx><wpt lat="1" lon="2"/></gpx>)").traj.empty());
}

TEST(PointsGpx, BadFilesAreRefused) {
  EXPECT_THAT(refusal(""), HasSubstr("not well-formed XML"));
  EXPECT_THAT(refusal("<gpx/>"), HasSubstr("holds no points"));
  EXPECT_THAT(refusal("<kml/>"), HasSubstr("has no gpx element"));
  EXPECT_THAT(refusal(two_tracks.substr(0, 400)), HasSubstr("not well-formed XML"));
  EXPECT_THAT(refusal("<gpx>\n<wpt lat=\"1\"/></gpx>"),
              HasSubstr("t.gpx, line 2: a point has no attribute lon"));
  EXPECT_THAT(refusal(R"(<gpx><wpt lat="1" lon="NaN"/></gpx>)"),
              HasSubstr("attribute lon is not a finite number"));
  EXPECT_THAT(refusal(R"(<gpx><wpt lat="116" lon="39"/></gpx>)"), HasSubstr("look swapped"));
  EXPECT_THAT(refusal(R"(<gpx><wpt lat="1" lon="1"><time>noon</time></wpt></gpx>)"),
              HasSubstr("the time is neither"));
  EXPECT_THAT(refusal(R"(<gpx><wpt lat="1" lon="1"><time>)" + std::string(99, '1') + "</time></wpt></gpx>"),
              HasSubstr("too long"));
  EXPECT_THAT(refusal(R"(<gpx><wpt lat="1" lon="1"><wpt lat="1" lon="1"/></wpt></gpx>)"),
              HasSubstr("inside another"));
  EXPECT_THAT(refusal(R"(<!DOCTYPE gpx [<!ENTITY a "b">]><gpx/>)"), HasSubstr("DOCTYPE"));
}

}  // namespace
}  // namespace fogline::io::points_gpx_test
