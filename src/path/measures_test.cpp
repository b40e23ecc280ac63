// SPDX-License-Identifier: Apache-2.0
#include "path/measures.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "path/labels.hpp"
#include "path/public_path_file.hpp"
#include "random/key.hpp"

namespace fogline::path::measures_test {
namespace {

//   a - b - c - d, with a road a - d besides
const RouteMap ring = make_map({"a", "b", "c", "d"}, {{0, 1}, {1, 2}, {2, 3}, {0, 3}});

PublicPath steps_only(std::optional<bool> starts_low) {
  PublicPath shown;
  shown.epsilon_edges = Rational(1);
  shown.names = ring.names;
  shown.stops = Stops({1, 1, 1, 1});
  shown.candidates = graph::BitGraph(4);
  for (StopId v = 0; v < 3; ++v) shown.candidates.join(v, v + 1);
  shown.starts_low = starts_low;
  return shown;
}

TEST(PathMeasures, CountWhatIsPublished) {
  const PublicPath shown = steps_only(true);
  const PathMeasures found = measure(ring, {0, 1, 2, 3}, shown);
  EXPECT_EQ(found.vertices, 4U);
  EXPECT_EQ(found.steps, 3U);
  EXPECT_EQ(found.pairs, 6U);
  EXPECT_EQ(found.candidates, 3U);
  EXPECT_EQ(found.candidate_share(), 0.5);
  EXPECT_EQ(found.pairs_per_step(), 2);
  EXPECT_EQ(found.bytes, to_json(shown).size());
  EXPECT_TRUE(found.orientable);  // the pairs ruled out form the path b d a c
  EXPECT_EQ(found.copies, 4U);
  EXPECT_EQ(found.layers, 2U);
  EXPECT_EQ(found.copies_per_vertex(), 1);
}

TEST(PathMeasures, GoodOutputIsAsThePaperCountsIt) {
  EXPECT_EQ(measure(ring, {0, 1, 2, 3}, steps_only(true)).good_output, 1);
  EXPECT_EQ(measure(ring, {3, 2, 1, 0}, steps_only(true)).good_output, 0);
  EXPECT_EQ(measure(ring, {3, 2, 1, 0}, steps_only({})).good_output, 0.5);
}

TEST(PathMeasures, TellRightStepsFromWrongOnes) {
  const PathMeasures found = measure(ring, {1, 2, 3, 0}, steps_only(true));
  EXPECT_FALSE(found.steps_read);
  EXPECT_EQ(found.right_steps, 2U);
  EXPECT_EQ(found.wrong_steps, 1U);
  EXPECT_EQ(found.good_output, 0);
  EXPECT_THROW(measure(ring, {0, 2}, steps_only(true)), InvalidRoute);
}

TEST(PathMeasures, KnowWhoseReleaseItCannotBe) {
  EXPECT_TRUE(measure(ring, {0, 1, 2, 3}, steps_only(true)).may_be_of_route);
  EXPECT_FALSE(measure(ring, {3, 2, 1, 0}, steps_only(true)).may_be_of_route);
  EXPECT_TRUE(measure(ring, {3, 2, 1, 0}, steps_only({})).may_be_of_route);
  EXPECT_FALSE(measure(ring, {0, 1, 2}, steps_only({})).may_be_of_route);
  EXPECT_FALSE(measure(ring, {1, 2, 3, 0}, steps_only({})).may_be_of_route);
  PublicPath lying = steps_only({});
  lying.form = PathForm::two_sided;
  EXPECT_TRUE(measure(ring, {1, 2, 3, 0}, lying).may_be_of_route);
}

TEST(PathMeasures, AReleaseIsReadExactly) {
  PathOptions options;
  options.most_visits = 2;
  auto noise = random::SeededKey(5).stream("labels");
  const Route route = {2, 1, 0, 3};
  const PathMeasures found = measure(ring, route, PathLabels(options).release({ring, route}, noise));
  EXPECT_TRUE(found.steps_read);
  EXPECT_TRUE(found.may_be_of_route);
  EXPECT_EQ(found.good_output, 1);
  EXPECT_EQ(found.stops_per_vertex(), 2);
}

}  // namespace
}  // namespace fogline::path::measures_test
