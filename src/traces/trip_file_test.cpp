// SPDX-License-Identifier: Apache-2.0
#include "traces/trip_file.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "io/gzip.hpp"
#include "io/input_file.hpp"

namespace fogline::traces::trip_file_test {
namespace {

const Frame& plane() {
  static const Frame frame = Frame::parse("100,200,1100,1200", Frame::Unit::metres);
  return frame;
}

TEST(TripFile, HoldsTripsInItsFormat) {
  TripSet set;
  set.point = {{0, 0}, {50.5F, 100}, {600, 600}, {700, 700}, {800, 700.25F}};
  set.offset = {0, 2, 5};
  set.t = {0, 1, 2, 3, 4};
  EXPECT_EQ(trips_text(set, plane(), TripFormat::csv, 0, 1),
            "traj_id,t,x_m,y_m\n0,0,100.0,200.0\n0,1,150.5,300.0\n");
  EXPECT_EQ(trips_text(set, plane(), TripFormat::dat, 0, 1), "#0:\n>0:100.0,200.0;150.5,300.0;\n");
  EXPECT_EQ(
      trips_text(set, plane(), TripFormat::csv, 0, 2),
      trips_text(set, plane(), TripFormat::csv, 0, 1) + trips_text(set, plane(), TripFormat::csv, 1, 2));
  EXPECT_EQ(trip_format_of("a/b.dat.gz"), TripFormat::dat);
  EXPECT_EQ(trip_format_of("b.csv"), TripFormat::csv);
  EXPECT_THROW(trip_format_of("b.gpx"), InvalidOption);
  EXPECT_THROW(
      trips_text(set, Frame::parse("116.15,39.75,116.60,40.10", Frame::Unit::degrees), TripFormat::dat, 0, 1),
      InvalidOption);
}

TEST(TripFile, IsTheSameInPiecesAndWithAnyThreads) {
  TripSet set;
  for (std::size_t i = 0; i < 40'000; ++i) {  // more than are written at once
    set.point.push_back({static_cast<float>(i % 1000), 1});
    set.point.push_back({2, static_cast<float>(i % 999)});
    set.end_trip();
  }
  for (const TripFormat format : {TripFormat::csv, TripFormat::dat}) {
    const std::string whole = trips_text(set, plane(), format, 0, set.size());
    for (const int threads : {1, 3}) {
      std::string plain, packed;
      const ParallelOptions parallel{.threads = threads};
      write_trips(set, plane(), format, {.parallel = parallel},
                  [&](std::string_view piece) { plain += piece; });
      EXPECT_TRUE(plain == whole);
      write_trips(set, plane(), format, {.packed = true, .parallel = parallel},
                  [&](std::string_view piece) { packed += piece; });
      EXPECT_TRUE(io::is_bare_gzip(packed));
      EXPECT_TRUE(io::TextSource::from_memory("packed", packed).read_all() == whole);
    }
  }
}

}  // namespace
}  // namespace fogline::traces::trip_file_test
