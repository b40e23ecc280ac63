// SPDX-License-Identifier: Apache-2.0
#include "kernel/tight.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "kernel/certificate.hpp"

namespace fogline::kernel::tight_test {
namespace {

using graph::Edge;
using graph::Graph;
using graph::LengthMm;
using graph::VertexId;

const Rational epsilon(1, 100'000);  // 0.01 per metre

Graph lattice(VertexId side, LengthMm spacing_mm) {
  std::vector<Edge> edges;
  for (VertexId v = 0; v < side * side; ++v) {
    if (v % side + 1 < side) edges.push_back({v, v + 1, spacing_mm});
    if (v + side < side * side) edges.push_back({v, v + side, spacing_mm});
  }
  return Graph::from_edges(side * side, edges);
}

/// Streets of uneven length round uneven blocks, some missing, with a dead end at every third corner.
Graph irregular(VertexId side, std::uint64_t seed) {
  std::vector<Edge> edges;
  const VertexId corners = side * side;
  std::uint64_t state = seed;
  const auto next = [&](std::uint64_t bound) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<LengthMm>((state >> 33) % bound);
  };
  VertexId count = corners;
  for (VertexId v = 0; v < corners; ++v) {
    if (v % side + 1 < side) edges.push_back({v, v + 1, 20'000 + next(120'000)});
    if (v + side < corners && (v % side == 0 || next(4) != 0))
      edges.push_back({v, v + side, 20'000 + next(120'000)});
    if (next(3) == 0) edges.push_back({v, count++, 1'000 + next(60'000)});
  }
  return Graph::from_edges(count, edges);
}

Certificate whole_table(const Graph& map, const TightKernel& tight) {
  return certify(Relation::metric(map), [&](InputId v) {
    graph::Dijkstra search(tight.kernel->shortened());
    return tight.kernel->kernel().row(v, search);
  });
}

TEST(Tight, HalvesTheErrorOnThePapersLattice) {
  const Graph map = lattice(20, 78'947);
  const TightKernel tight = calibrate_tight(map, {.epsilon_per_mm = epsilon});
  EXPECT_EQ(tight.form, TightForm::full);
  EXPECT_LE(tight.q_loss_m, 165);
  EXPECT_NEAR(tight.half_q_loss_m, 328.8, 0.05);
  EXPECT_TRUE(holds(tight.certificate, epsilon));
  const Certificate table = whole_table(map, tight);
  EXPECT_TRUE(holds(table, epsilon));
  EXPECT_GT(table.loss.low, 0.999 * 1e-5);  // nothing is wasted
}

TEST(Tight, ALineHasTheFullExponent) {
  std::vector<Edge> edges;
  for (VertexId v = 0; v < 30; ++v) edges.push_back({v, v + 1, 1 + 7'919 * ((v * 37) % 23)});
  const Graph map = Graph::from_edges(31, edges);
  const TightKernel tight = calibrate_tight(map, {.epsilon_per_mm = epsilon});
  EXPECT_EQ(tight.form, TightForm::full);
  EXPECT_TRUE(holds(whole_table(map, tight), epsilon));
  EXPECT_LT(tight.q_loss_m, tight.half_q_loss_m);
}

TEST(Tight, AStarHasTheFullExponentOnlyIfItsRoadsAreLong) {
  // On a tree the equalising share of a vertex is 1 - sum over its roads of r / (1 + r), r = exp(-epsilon w): three roads need r <= 1/2, that
  // is w >= 69.3 m here (docs/mechanisms/tight.md).
  const auto star = [](LengthMm arm_mm) {
    return Graph::from_edges(4, std::vector<Edge>{{0, 1, arm_mm}, {0, 2, arm_mm}, {0, 3, arm_mm}});
  };
  EXPECT_EQ(calibrate_tight(star(69'400), {.epsilon_per_mm = epsilon}).form, TightForm::full);
  EXPECT_NE(calibrate_tight(star(69'200), {.epsilon_per_mm = epsilon}).form, TightForm::full);
}

TEST(Tight, BeatsHalfOnIrregularMapsAndKeepsEpsilon) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Graph map = irregular(8, seed);
    const TightKernel tight = calibrate_tight(map, {.epsilon_per_mm = epsilon});
    EXPECT_EQ(tight.form, TightForm::split);
    EXPECT_LT(tight.q_loss_m, 0.75 * tight.half_q_loss_m);
    EXPECT_TRUE(holds(tight.certificate, epsilon));
    EXPECT_TRUE(holds(whole_table(map, tight), epsilon));
  }
}

TEST(Tight, NeverWorseThanHalfOnAnyMap) {
  EXPECT_TRUE(rc::check("certified, and no worse than half lengths", [] {
    const auto n = *rc::gen::inRange<VertexId>(1, 20);
    std::vector<Edge> edges;
    for (VertexId v = 1; v < n; ++v) {
      // Parts may be unconnected, and lengths run from one millimetre to beyond the cap.
      if (*rc::gen::inRange(0, 8) > 0)
        edges.push_back({*rc::gen::inRange<VertexId>(0, v), v, LengthMm{1} << *rc::gen::inRange(0, 23)});
      edges.push_back({*rc::gen::inRange<VertexId>(0, n), v, *rc::gen::inRange<LengthMm>(1, 400'000)});
    }
    const Graph map = Graph::from_edges(n, edges);
    std::vector<VertexId> range;
    for (VertexId v = 0; v < n; ++v)
      if (*rc::gen::inRange(0, 3) > 0) range.push_back(v);
    const TightKernel tight = calibrate_tight(map, {.epsilon_per_mm = epsilon, .range = range});
    RC_ASSERT(tight.q_loss_m <= tight.half_q_loss_m);
    RC_ASSERT(holds(tight.certificate, epsilon));
    RC_ASSERT(holds(whole_table(map, tight), epsilon));
  }));
}

TEST(Tight, LargeMapsGetOneSplitAndAreCertified) {
  const Graph map = irregular(12, 4);
  const TightKernel tight =
      calibrate_tight(map, {.epsilon_per_mm = epsilon, .dense_up_to = 10, .thorough_up_to = 10});
  EXPECT_EQ(tight.form, TightForm::split);
  EXPECT_TRUE(holds(whole_table(map, tight), epsilon));
}

TEST(Tight, LengthsOnePerCentTooLongAreCaught) {
  const Graph map = lattice(8, 78'947);
  const TightKernel tight = calibrate_tight(map, {.epsilon_per_mm = epsilon});
  std::vector<LengthMm> wrong;
  for (const Edge& road : tight.kernel->shortened().edges())
    wrong.push_back(road.length_mm + road.length_mm / 100);
  const SplitExponential planted(map, {.epsilon_per_mm = epsilon, .length = wrong});
  EXPECT_FALSE(holds(planted.certify(), epsilon));
}

TEST(Tight, DoesNotDependOnThreads) {
  const Graph map = irregular(6, 5);
  const TightKernel one = calibrate_tight(map, {.epsilon_per_mm = epsilon, .threads = 1});
  const TightKernel two = calibrate_tight(map, {.epsilon_per_mm = epsilon, .threads = 2});
  EXPECT_EQ(one.kernel->shortened().edges(), two.kernel->shortened().edges());
  EXPECT_EQ(one.q_loss_m, two.q_loss_m);
}

TEST(Tight, RefusesBadOptions) {
  const Graph map = lattice(3, 1000);
  EXPECT_THROW(calibrate_tight(map, {.epsilon_per_mm = Rational(2)}), InvalidOption);
  EXPECT_THROW(calibrate_tight(map, {.epsilon_per_mm = Rational()}), InvalidOption);
  EXPECT_THROW(calibrate_tight(map, {.epsilon_per_mm = epsilon, .prior = {1}}), InvalidOption);
  EXPECT_THROW(calibrate_tight(map, {.epsilon_per_mm = epsilon, .range = {9}}), InvalidOption);
  const Graph far = Graph::from_edges(2, std::vector<Edge>{{0, 1, 4'000'000'000}});
  EXPECT_THROW(calibrate_tight(far, {.epsilon_per_mm = epsilon}), InvalidOption);
}

}  // namespace
}  // namespace fogline::kernel::tight_test
