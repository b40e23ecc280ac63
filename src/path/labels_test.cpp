// SPDX-License-Identifier: Apache-2.0
#include "path/labels.hpp"

#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "kernel/certificate.hpp"
#include "path/sample_route.hpp"

namespace fogline::path::labels_test {
namespace {

using testing::HasSubstr;

SampleRoute made_up(const SampleRouteOptions& options, std::uint64_t seed) {
  random::Stream noise = random::SeededKey(seed).stream("sample");
  return sample_route(options, noise);
}

RouteMap square() {
  return make_map({"d", "c", "b", "a"}, {{3, 2}, {2, 1}, {1, 0}, {0, 3}});
}

PathOptions with_stops(std::uint32_t visits) {
  PathOptions options;
  options.most_visits = visits;
  return options;
}

template <class Body>
std::string refusal(Body body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(RouteMap, OrdersVerticesByNameWhateverTheFile) {
  const RouteMap map = make_map({"b", "10", "a", "9"}, {{0, 1}, {2, 3}});
  EXPECT_EQ(map.names, (std::vector<std::string>{"9", "10", "a", "b"}));
  EXPECT_TRUE(map.roads.joined(map.vertex("b"), map.vertex("10")));
  EXPECT_TRUE(map.roads.joined(map.vertex("a"), map.vertex("9")));
  EXPECT_EQ(map.roads.edge_count(), 2U);
  EXPECT_THROW(map.vertex("c"), InvalidOption);
  EXPECT_THROW(make_map({"a", "a"}, {}), InvalidOption);
  EXPECT_THROW(make_map({"a", "b"}, {{0, 2}}), InvalidOption);
}

TEST(RequireRoute, SaysWhatIsWrongAndNotWhere) {
  const RouteMap map = square();
  const auto refused = [&](const Route& route, std::uint32_t visits = 1) {
    return refusal([&] { require_route(map, route, visits); });
  };
  EXPECT_THAT(refused({0}), HasSubstr("at least two vertices"));
  EXPECT_THAT(refused({0, 2}), HasSubstr("leaves the network"));
  EXPECT_THAT(refused({0, 1, 0}, 2), HasSubstr("takes a road twice"));
  EXPECT_THAT(refused({0, 1, 2, 3, 0}), HasSubstr("more often than once"));
  EXPECT_THAT(refused({0, 9}), HasSubstr("not in the network"));
  EXPECT_EQ(refused({0, 1, 2, 3, 0}, 2), "nothing was refused");
}

TEST(PathLabels, StatesTheExactEpsilonRoundedUp) {
  const PathLabels labels{PathOptions{}};
  const double exact = std::log1p(std::exp(0.5));
  EXPECT_GE(labels.guarantee().epsilon().to_double(), exact);
  EXPECT_LE(labels.guarantee().epsilon().to_double(), exact + 2e-9);
  EXPECT_EQ(labels.guarantee().notion(), privacy::Notion::one_sided_dp);
  EXPECT_NEAR(exact, 0.974077, 1e-6);
}

TEST(PathLabels, TablesLoseWhatIsStatedAndNoMore) {
  EXPECT_TRUE(rc::check([] {
    PathOptions options;
    options.epsilon_edges = privacy::Epsilon(*rc::gen::inRange<std::uint64_t>(1, 4000), 100);
    options.form = *rc::gen::element(PathForm::one_sided, PathForm::two_sided);
    const PathLabels labels(options);
    const auto row = [&](kernel::InputId kind) {
      return labels.row(kind == 0 ? PairKind::step : kind == 1 ? PairKind::other_road : PairKind::no_road);
    };
    const bool one_sided = options.form == PathForm::one_sided;
    const auto relation =
        one_sided ? kernel::Relation::one_sided(3, std::vector<kernel::RelatedPair>{{0, 2}, {1, 2}})
                  : kernel::Relation::complete(3);
    const kernel::Certificate certificate = kernel::certify(relation, row, {.threads = 1});
    RC_ASSERT(kernel::holds(certificate, labels.guarantee().epsilon()));
    // The bound is met, but for rounding: no budget is wasted. At the largest epsilons a lie is a few parts in 2^63.
    RC_ASSERT(certificate.loss.low > labels.guarantee().epsilon().to_double() * (1 - 0.01) - 1e-8);
    if (one_sided) RC_ASSERT(std::isinf(certificate.unprotected->low));
  }));
}

TEST(PathLabels, HalfTheNoiseWouldNotBeCertified) {
  PathOptions options;
  options.epsilon_edges = privacy::Epsilon{2, 1};
  const PathLabels noisy{PathOptions{}}, quiet(options);
  const auto row = [&](kernel::InputId kind) {
    return quiet.row(kind == 0 ? PairKind::step : PairKind::no_road);
  };
  const auto relation = kernel::Relation::one_sided(2, std::vector<kernel::RelatedPair>{{0, 1}});
  EXPECT_FALSE(kernel::holds(kernel::certify(relation, row, {.threads = 1}), noisy.guarantee().epsilon()));
}

TEST(PathLabels, AVisitMoreCostsWhatTheVertexPartStates) {
  EXPECT_TRUE(rc::check([] {
    PathOptions options = with_stops(*rc::gen::inRange(2U, 9U));
    options.epsilon_vertices = privacy::Epsilon(*rc::gen::inRange<std::uint64_t>(1, 4000), 100);
    const PathLabels labels(options);
    std::vector<kernel::RelatedPair> pairs;
    for (kernel::InputId visits = 2; visits <= options.most_visits; ++visits)
      pairs.push_back({visits, visits - 1});
    const auto certificate =
        kernel::certify(kernel::Relation::one_sided(options.most_visits + 1, pairs),
                        [&](kernel::InputId visits) { return labels.stop_row(visits); }, {.threads = 1});
    RC_ASSERT(certificate.loss.high <= labels.parts().visit + 1e-9);
    RC_ASSERT(certificate.loss.low >= labels.parts().visit - 1e-6);
  }));
}

TEST(PathLabels, StepsAreCandidatesAndOtherRoadsNever) {
  EXPECT_TRUE(rc::check([] {
    const SampleRoute made =
        made_up({.vertices = *rc::gen::inRange(6U, 12U), .roads = *rc::gen::inRange<std::uint64_t>(12, 16)},
                *rc::gen::arbitrary<std::uint64_t>());
    const PathLabels labels{PathOptions{}};
    random::Stream noise = random::SeededKey(*rc::gen::arbitrary<std::uint64_t>()).stream("path");
    const PublicPath shown = labels.release({made.map, made.route}, noise);
    graph::BitGraph steps(made.map.vertex_count());
    for (std::size_t i = 1; i < made.route.size(); ++i) steps.join(made.route[i - 1], made.route[i]);
    for (VertexId u = 0; u < made.map.vertex_count(); ++u)
      for (const VertexId v : made.map.roads.neighbours(u))
        RC_ASSERT(shown.candidates.joined(u, v) == steps.joined(u, v));
  }));
}

TEST(PathLabels, DrawsOneWordAPairWhateverTheRoute) {
  const RouteMap map = square();
  const PathLabels labels(with_stops(2));
  const auto words = [&](const Route& route) {
    random::Stream noise = random::SeededKey(1).stream("path");
    labels.release({map, route}, noise);
    return noise.words_drawn();
  };
  EXPECT_EQ(words({0, 1}), words({0, 1, 2, 3, 0}));
  EXPECT_GE(words({0, 1}), 28U);
}

TEST(PathLabels, TheBitOfDirectionIsAFunctionOfTheRouteAlone) {
  // A closed tour takes its two stops of one vertex by lot, and the bit does not follow it.
  const RouteMap map = square();
  const PathLabels labels(with_stops(2));
  const random::SeededKey key(7);
  int first_stop = 0;
  for (std::uint64_t run = 0; run < 400; ++run) {
    random::Stream noise = key.stream("path", run);
    const PublicPath shown = labels.release({map, {0, 1, 2, 3, 0}}, noise);
    EXPECT_EQ(shown.starts_low, true);
    if (shown.candidates.joined(0, 2) || shown.candidates.joined(0, 3)) ++first_stop;
    random::Stream again = key.stream("path", run);
    EXPECT_EQ(labels.release({map, {0, 3, 2, 1, 0}}, again).starts_low, false);
  }
  EXPECT_GT(first_stop, 120);
  EXPECT_LT(first_stop, 280);
}

TEST(PathLabels, TheBitOfDirectionTellsARouteFromItsReverse) {
  EXPECT_TRUE(starts_low(Route{0, 3, 1}));
  EXPECT_FALSE(starts_low(Route{1, 3, 0}));
  EXPECT_TRUE(starts_low(Route{5, 1, 2, 5}));
  EXPECT_FALSE(starts_low(Route{5, 2, 1, 5}));
}

TEST(PathLabels, RefusesWhatCannotBeWrittenBeforeADraw) {
  const auto refused = [](std::size_t vertices, const std::string& name, std::uint32_t visits) {
    std::vector<std::string> names{name};
    std::vector<std::pair<VertexId, VertexId>> roads;
    for (std::size_t v = 1; v < vertices; ++v) {
      names.push_back(std::to_string(v));
      roads.emplace_back(static_cast<VertexId>(v - 1), static_cast<VertexId>(v));
    }
    const RouteMap map = make_map(names, roads);
    const Route route{map.vertex(name), map.vertex("1")};
    random::Stream noise = random::SeededKey(1).stream("path");
    return refusal([&] { PathLabels(with_stops(visits)).release({map, route}, noise); });
  };
  EXPECT_THAT(refused(10'001, "a", 1), HasSubstr("10001 vertices"));
  EXPECT_THAT(refused(3'000, "a", 8), HasSubstr("20,000 stops"));
  EXPECT_THAT(refused(2, std::string(201, 'a'), 1), HasSubstr("cannot be published"));
  EXPECT_THAT(refused(2, "a\x01", 1), HasSubstr("cannot be published"));
  EXPECT_THAT(refused(2, "a\xff", 1), HasSubstr("cannot be published"));
  EXPECT_EQ(refused(2, "a", 8), "nothing was refused");
}

TEST(PathLabels, RefusesWhatIsNotAsDeclaredBeforeADraw) {
  const RouteMap map = square();
  PathOptions options;
  options.every_vertex = true;
  options.ends = {0, 3};
  const PathLabels labels(options);
  random::Stream noise = random::SeededKey(1).stream("path");
  const auto refused = [&](const Route& route) {
    return refusal([&] { labels.release({map, route}, noise); });
  };
  EXPECT_THAT(refused({0, 1, 2}), HasSubstr("every vertex"));
  EXPECT_THAT(refused({1, 2, 3, 0}), HasSubstr("`from`"));
  EXPECT_EQ(noise.words_drawn(), 0U);
  EXPECT_EQ(refused({0, 1, 2, 3}), "nothing was refused");
}

TEST(PathLabels, RefusesOptionsThatDoNotFitTogether) {
  const auto refused = [](auto change) {
    PathOptions options;
    change(options);
    return refusal([&] { PathLabels{options}; });
  };
  EXPECT_THAT(refused([](PathOptions& o) { o.most_visits = 0; }), HasSubstr("visits: "));
  EXPECT_THAT(refused([](PathOptions& o) { o.most_visits = 9; }), HasSubstr("visits: "));
  EXPECT_THAT(refused([](PathOptions& o) { o.form = PathForm::published; }), HasSubstr("form"));
  EXPECT_THAT(refused([](PathOptions& o) {
                o.epsilon_edges = privacy::Epsilon{41, 1};
              }),
              HasSubstr("at most 40"));
  EXPECT_THAT(refused([](PathOptions& o) {
                o.epsilon_vertices = privacy::Epsilon{1, 1};
              }),
              HasSubstr("`visits`"));
  EXPECT_THAT(refused([](PathOptions& o) {
                o.form = PathForm::two_sided;
                o.most_visits = 2;
                o.epsilon_vertices = privacy::Epsilon{1, 1};
              }),
              HasSubstr("one-sided"));
  EXPECT_THAT(refused([](PathOptions& o) {
                o.form = PathForm::two_sided;
                o.most_visits = 2;
              }),
              HasSubstr("must be 1 with `two-sided`"));
  EXPECT_THAT(refused([](PathOptions& o) {
                o.epsilon_direction = privacy::Epsilon{1, 1};
              }),
              HasSubstr("`two-sided`"));
}

}  // namespace
}  // namespace fogline::path::labels_test
