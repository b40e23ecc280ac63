// SPDX-License-Identifier: Apache-2.0
#include "path/recover.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "path/labels.hpp"
#include "path/public_path_file.hpp"
#include "path/sample_route.hpp"

namespace fogline::path::recover_test {
namespace {

using testing::HasSubstr;

SampleRoute made_up(const SampleRouteOptions& options, std::uint64_t seed) {
  random::Stream noise = random::SeededKey(seed).stream("sample");
  return sample_route(options, noise);
}

PublicPath publish(const PathOptions& options, const RouteMap& map, const Route& route, std::uint64_t seed) {
  random::Stream noise = random::SeededKey(seed).stream("path");
  return PathLabels(options).release({map, route}, noise);
}

/// A small network and a route in it, drawn by hand for speed: a path through all vertices, and further roads.
struct Made {
  RouteMap map;
  Route route;
};

Made made_of(random::Stream& noise, std::uint32_t most_vertices) {
  const auto n = static_cast<VertexId>(2 + noise.below(most_vertices - 1));
  std::vector<std::string> names;
  Route order(n);
  for (VertexId v = 0; v < n; ++v) {
    names.push_back(std::to_string(v));
    order[v] = v;
  }
  for (VertexId i = n; i > 1; --i) std::swap(order[i - 1], order[noise.below(i)]);
  std::vector<std::pair<VertexId, VertexId>> roads;
  for (VertexId i = 1; i < n; ++i) roads.emplace_back(order[i - 1], order[i]);
  const std::uint64_t share = noise.below(5);
  for (VertexId a = 0; a < n; ++a)
    for (VertexId b = a + 1; b < n; ++b)
      if (noise.below(4) < share) roads.emplace_back(a, b);
  // Half of the routes visit a part of the vertices only.
  if (n > 2 && noise.next_bit()) order.resize(2 + noise.below(n - 1));
  return {make_map(std::move(names), roads), std::move(order)};
}

TEST(Recover, ReadsEveryStepAndTheDirectionOnAHundredThousandMaps) {
  const random::SeededKey key(11);
  const PathLabels labels{PathOptions{}};
  std::uint64_t read_right = 0;
  constexpr std::uint64_t maps = 100'000;
  for (std::uint64_t i = 0; i < maps; ++i) {
    random::Stream noise = key.stream("maps", i);
    const Made made = made_of(noise, 9);
    const Recovered read = recover(made.map, labels.release({made.map, made.route}, noise));
    if (read.complete && read.route == made.route && read.direction == KnownDirection::told) ++read_right;
  }
  EXPECT_EQ(read_right, maps);
}

TEST(Recover, ReadsRoutesThatComeBackToAVertex) {
  EXPECT_TRUE(rc::check([] {
    const SampleRoute made =
        made_up({.vertices = 8, .roads = 14, .cyclic = true}, *rc::gen::arbitrary<std::uint64_t>());
    PathOptions options;
    options.most_visits = *rc::gen::inRange(2U, 4U);
    if (*rc::gen::arbitrary<bool>()) options.epsilon_vertices = privacy::Epsilon{1, 1};
    const PublicPath shown = publish(options, made.map, made.route, *rc::gen::arbitrary<std::uint64_t>());
    const Recovered read = recover(made.map, shown);
    RC_ASSERT(read.complete);
    RC_ASSERT(read.route == made.route);
  }));
}

TEST(Recover, WithoutTheBitTheDirectionIsUnknown) {
  PathOptions options;
  options.direction = false;
  const RouteMap map = make_map({"a", "b", "c"}, {{0, 1}, {1, 2}});
  const Recovered read = recover(map, publish(options, map, {2, 1, 0}, 1));
  EXPECT_TRUE(read.complete);
  EXPECT_EQ(read.direction, KnownDirection::unknown);
  EXPECT_EQ(read.route, (Route{0, 1, 2}));
  options.ends = {2, 0};
  EXPECT_EQ(recover(map, publish(options, map, {2, 1, 0}, 1)).route, (Route{2, 1, 0}));
}

TEST(Recover, SaysWhatMissingRoadsLeaveUndecided) {
  const RouteMap map = make_map({"a", "b", "c", "d", "e"}, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 4}});
  const Route route{0, 1, 2, 3, 4};
  const PublicPath shown = publish({}, map, route, 3);
  RouteMap poorer = map;
  poorer.roads.part(1, 2);
  const Recovered read = recover(poorer, shown);
  EXPECT_FALSE(read.complete);
  EXPECT_TRUE(read.route.empty());
  EXPECT_THAT(read.what_is_missing, HasSubstr("2 pieces"));
  EXPECT_THAT(read.pieces, testing::ElementsAre(std::vector<StopId>{0, 1}, std::vector<StopId>{2, 3, 4}));
  // The missing step is among what may join the pieces, and a known road that is ruled out is not.
  EXPECT_THAT(read.undecided, testing::Contains(StopPair{1, 2}));
  EXPECT_THAT(read.undecided, testing::Not(testing::Contains(StopPair{0, 4})));
  EXPECT_EQ(read.undecided_count, read.undecided.size());
}

TEST(Recover, KnowsThatARoadAtTheEndIsMissingIfEveryVertexIsDeclared) {
  PathOptions options;
  options.every_vertex = true;
  const RouteMap map = make_map({"a", "b", "c", "d"}, {{0, 1}, {1, 2}, {2, 3}});
  const PublicPath shown = publish(options, map, {0, 1, 2, 3}, 3);
  RouteMap poorer = map;
  poorer.roads.part(2, 3);
  EXPECT_THAT(recover(poorer, shown).what_is_missing, HasSubstr("1 of the vertices"));
  poorer = map;
  for (const auto& [a, b] : {std::pair{0U, 1U}, {1U, 2U}, {2U, 3U}}) poorer.roads.part(a, b);
  EXPECT_THAT(recover(poorer, shown).what_is_missing, HasSubstr("none of the known roads"));
}

TEST(Recover, RefusesANetworkThatCannotBeTheOne) {
  const RouteMap map = make_map({"a", "b", "c", "d"}, {{0, 1}, {1, 2}, {2, 3}});
  PublicPath shown = publish({}, map, {0, 1, 2, 3}, 3);
  for (StopId b = 1; b < 4; ++b) shown.candidates.join(0, b);
  RouteMap star = make_map({"a", "b", "c", "d"}, {{0, 1}, {0, 2}, {0, 3}});
  EXPECT_THROW(recover(star, shown), InvalidOption);
  shown.candidates.join(1, 2);
  RouteMap ring = make_map({"a", "b", "c", "d"}, {{0, 1}, {1, 2}, {0, 2}});
  EXPECT_THROW(recover(ring, shown), InvalidOption);
  EXPECT_THROW(recover(make_map({"x", "y"}, {{0, 1}}), shown), InvalidOption);
}

TEST(Recover, ReadsTheMostLikelyRouteFromLabelsThatMayLie) {
  PathOptions options;
  options.form = PathForm::two_sided;
  options.epsilon_edges = privacy::Epsilon{40, 1};
  options.every_vertex = true;
  options.epsilon_direction = privacy::Epsilon{40, 1};
  const SampleRoute made = made_up({.vertices = 12, .roads = 18}, 5);
  const Recovered read = recover(made.map, publish(options, made.map, made.route, 2));
  EXPECT_EQ(read.route, made.route);
  EXPECT_EQ(read.direction, KnownDirection::likely);
  ASSERT_TRUE(read.decoded);
  EXPECT_EQ(read.decoded->score, 11);
}

TEST(RecoverPlace, OneParticipantReadsItsNeighbours) {
  EXPECT_TRUE(rc::check([] {
    random::Stream noise = random::SeededKey(*rc::gen::arbitrary<std::uint64_t>()).stream("maps");
    const Made made = made_of(noise, 9);
    const PublicPath shown = PathLabels{PathOptions{}}.release({made.map, made.route}, noise);
    for (VertexId self = 0; self < made.map.vertex_count(); ++self) {
      const Participant place = recover_place(shown, self, made.map.roads.neighbours(self));
      const auto at = std::ranges::find(made.route, self);
      RC_ASSERT(place.on_route == (at != made.route.end()));
      if (!place.on_route) continue;
      std::vector<VertexId> around;
      if (at != made.route.begin()) around.push_back(*(at - 1));
      if (at + 1 != made.route.end()) around.push_back(*(at + 1));
      std::ranges::sort(around);
      RC_ASSERT(place.neighbours == std::vector<std::vector<VertexId>>({around}));
      RC_ASSERT(place.at_end == (around.size() == 1));
    }
  }));
}

TEST(PublicPathFile, ReadsWhatItWrites) {
  EXPECT_TRUE(rc::check([] {
    random::Stream noise = random::SeededKey(*rc::gen::arbitrary<std::uint64_t>()).stream("maps");
    const Made made = made_of(noise, 20);
    PathOptions options;
    options.form = *rc::gen::element(PathForm::one_sided, PathForm::two_sided);
    if (options.form == PathForm::one_sided) options.most_visits = *rc::gen::inRange(1U, 4U);
    options.direction = *rc::gen::arbitrary<bool>();
    if (*rc::gen::arbitrary<bool>()) options.ends = {made.route.front(), made.route.back()};
    const PublicPath shown = PathLabels(options).release({made.map, made.route}, noise);
    const std::string text = to_json(shown);
    RC_ASSERT(parse_public_path(text, "public.json") == shown);
    RC_ASSERT(to_json(parse_public_path(text, "public.json")) == text);
  }));
}

TEST(PublicPathFile, KeepsThePapersLayers) {
  PublicPath shown;
  shown.form = PathForm::published;
  shown.epsilon_edges = Rational(1);
  shown.names = {"a", "b", "c"};
  shown.stops = Stops({1, 1, 1});
  shown.layers = PublishedLayers{.pieces = {{0, 0}, {1, 0}, {2, 1}, {1, 1}}, .edges = {{0, 2}, {0, 3}}};
  shown.candidates = candidates_of(*shown.layers, 3);
  EXPECT_FALSE(shown.candidates.joined(0, 1));
  EXPECT_FALSE(shown.candidates.joined(0, 2));
  EXPECT_TRUE(shown.candidates.joined(1, 2));
  EXPECT_EQ(parse_public_path(to_json(shown), "x"), shown);
}

TEST(PublicPathFile, RefusesWhatIsNotOneOfItsTexts) {
  const std::string good =
      R"({"format":"fogline path","version":1,"form":"one-sided","epsilon_edges":"1","vertices":["a","b","c"],)"
      R"("stops":"111","every_vertex":false,"starts":"low","candidates":"oA=="})";
  EXPECT_TRUE(parse_public_path(good, "x").candidates.joined(0, 1));
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    try {
      parse_public_path(text, "x");
    } catch (const DataError& error) {
      return std::string(error.what());
    }
    return std::string("read");
  };
  EXPECT_THAT(refused("fogline path", "fogline"), HasSubstr("format"));
  EXPECT_THAT(refused("\"version\":1", "\"version\":2"), HasSubstr("version"));
  EXPECT_THAT(refused("one-sided", "sided"), HasSubstr("form"));
  EXPECT_THAT(refused("\"1\",\"vert", "\"1.0\",\"vert"), HasSubstr("epsilon_edges"));
  EXPECT_THAT(refused("\"b\"", "\"a\""), HasSubstr("vertices"));
  EXPECT_THAT(refused("\"b\"", "\"\""), HasSubstr("vertices"));
  EXPECT_THAT(refused("\"b\",\"c\"", "\"c\",\"b\""), HasSubstr("order"));
  EXPECT_THAT(refused("111", "11"), HasSubstr("stops"));
  EXPECT_THAT(refused("111", "191"), HasSubstr("stops"));
  EXPECT_THAT(refused("low", "left"), HasSubstr("starts"));
  EXPECT_THAT(refused("false", "0"), HasSubstr("every_vertex"));
  EXPECT_THAT(refused("oA==", "oA"), HasSubstr("candidates"));
  EXPECT_THAT(refused("oA==", "oAA="), HasSubstr("candidates"));
  EXPECT_THAT(refused("oA==", "sA=="), HasSubstr("beyond"));
  EXPECT_THAT(refused("\"starts\":\"low\"", "\"ends\":[\"a\",\"z\"]"), HasSubstr("ends"));
  EXPECT_THAT(refused("\"starts\":\"low\"", "\"more\":1"), HasSubstr("more"));
  EXPECT_EQ(refused("\"starts\":\"low\",", ""), "read");
}

}  // namespace
}  // namespace fogline::path::recover_test
