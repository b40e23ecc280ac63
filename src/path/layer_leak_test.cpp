// SPDX-License-Identifier: Apache-2.0
#include "path/layer_leak.hpp"

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "path/public_path_file.hpp"
#include "path/published.hpp"
#include "path/sample_route.hpp"
#include "random/key.hpp"

namespace fogline::path::layer_leak_test {
namespace {

struct Published {
  SampleRoute made;
  PublicPath shown;
};

Published publish(std::uint32_t vertices, std::uint64_t seed) {
  auto choice = random::SeededKey(seed).stream("map"), noise = random::SeededKey(seed).stream("labels");
  SampleRoute made = sample_route({.vertices = vertices, .roads = vertices + vertices / 2}, choice);
  const PublishedPath paper({.epsilon_edges = privacy::Epsilon{1, 1}});
  PublicPath shown = paper.release(made.map, made.route, noise);
  return {std::move(made), parse_public_path(to_json(shown), "public.json")};
}

TEST(LayerLeak, NeverLosesTheRouteAndOnlyLearns) {
  EXPECT_TRUE(rc::check("the route is among the paths left", [] {
    const Published one = publish(6, *rc::gen::arbitrary<std::uint64_t>());
    const std::vector<VertexPair> pairs = {{one.made.route[0], one.made.route[1]},
                                           {one.made.route[2], one.made.route[3]}};
    const auto leak = layer_leak(one.shown, pairs, one.made.route);
    RC_ASSERT(leak.has_value());
    RC_ASSERT(leak->left >= 1U);
    RC_ASSERT(leak->left <= leak->paths);
    RC_ASSERT(leak->direction.has_value());
    const auto labels_alone = every_vertex(one.shown, pairs);
    RC_ASSERT(static_cast<double>(leak->paths) == 2 * labels_alone->paths);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      RC_ASSERT(std::abs(leak->beliefs[i].prior - labels_alone->beliefs[i].posterior) < 1e-12);
      if (leak->left == 1) RC_ASSERT(leak->beliefs[i].posterior == 1);
    }
  }));
}

TEST(LayerLeak, TellsFarMoreThanTheLabels) {
  std::uint64_t paths = 0, left = 0, directed = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Published one = publish(7, seed);
    const auto leak = layer_leak(one.shown, {}, one.made.route);
    ASSERT_TRUE(leak);
    paths += leak->paths;
    left += leak->left;
    directed += leak->direction == 1.0 ? 1U : 0U;
  }
  EXPECT_LT(2 * left, paths);
  EXPECT_GT(directed, 20U);
}

TEST(LayerLeak, AppliesToSmallPublishedFormsOnly) {
  Published one = publish(7, 1);
  EXPECT_FALSE(layer_leak(one.shown, {}, {}, {.most_paths = 1}));
  EXPECT_THROW(layer_leak(one.shown, {}, {}, {.most_paths = 0}), InvalidOption);
  EXPECT_FALSE(layer_leak(one.shown, {}, {})->direction);
  one.shown.layers = {};
  EXPECT_FALSE(layer_leak(one.shown, {}, {}));
  EXPECT_FALSE(layer_leak(publish(17, 1).shown, {}, {}));
}

}  // namespace
}  // namespace fogline::path::layer_leak_test
