// SPDX-License-Identifier: Apache-2.0
#include "audit/place_audit.hpp"

#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "place/gem.hpp"
#include "roads/generated.hpp"

namespace fogline::audit {
namespace {

using graph::Edge;
using graph::Graph;
using testing::HasSubstr;

const place::Gem::Options one_per_hundred_metres{.epsilon = privacy::EpsilonPerMetre{1, 100}};
const PlaceAuditOptions quick{.samples = 2'000, .fit_places = 2};

Graph lattice(std::uint64_t side, double side_m) {
  return roads::make_lattice({.rows = side, .columns = side, .side_m = side_m}).graph;
}

TEST(PlaceAudit, CertifiesGemOnAWholeLattice) {
  const Graph map = lattice(10, 750);
  const place::Gem gem(map, one_per_hundred_metres);
  const PlaceAudit audit = audit_place(gem, map, quick);
  EXPECT_TRUE(audit.passed);
  EXPECT_TRUE(audit.certified);
  EXPECT_EQ(audit.roads, 180U);
  EXPECT_EQ(audit.roads_checked, 180U);
  EXPECT_LE(audit.table.loss_high, 0.01);
  EXPECT_GT(audit.table.share_of_claim.value(), 0.5);
  EXPECT_EQ(audit.fit.samples(), 4'000U);
  EXPECT_THAT(audit.sentence, HasSubstr("Certified: on every road"));
}

TEST(PlaceAudit, CallsASampleASample) {
  const Graph map = lattice(10, 750);
  const place::Gem gem(map, one_per_hundred_metres);
  PlaceAuditOptions few = quick;
  few.comparisons = 25 * 100 + 99;  // 100 outputs each
  const PlaceAudit audit = audit_place(gem, map, few);
  EXPECT_TRUE(audit.passed);
  EXPECT_FALSE(audit.certified);
  EXPECT_EQ(audit.roads_checked, 25U);
  EXPECT_EQ(audit.table.certificate.pairs, 25U);
  EXPECT_THAT(audit.sentence, HasSubstr("25 of 180 roads"));
  EXPECT_THAT(audit.sentence, HasSubstr("This is a sample, not a certificate."));

  few.comparisons = 1;
  EXPECT_EQ(audit_place(gem, map, few).roads_checked, 1U);
}

TEST(PlaceAudit, TheSampleIsTheSameForEverybody) {
  const Graph map = lattice(10, 750);
  const place::Gem gem(map, one_per_hundred_metres);
  PlaceAuditOptions few = quick;
  few.comparisons = 2'500;
  const PlaceAudit once = audit_place(gem, map, few);
  few.threads = 1;
  few.largest_memory_bytes = 0;
  const PlaceAudit again = audit_place(gem, map, few);
  EXPECT_EQ(once.table.loss_high, again.table.loss_high);
  EXPECT_EQ(once.table.certificate.loss.at, again.table.certificate.loss.at);
  EXPECT_EQ(once.fit.inputs[0].input, again.fit.inputs[0].input);
  EXPECT_EQ(once.fit.inputs[1].chi_square.statistic, again.fit.inputs[1].chi_square.statistic);
}

TEST(PlaceAudit, FitsDifferentPlaces) {
  const Graph map = lattice(4, 300);
  const place::Gem gem(map, one_per_hundred_metres);
  PlaceAuditOptions all = quick;
  all.fit_places = 100;
  std::set<kernel::InputId> places;
  for (const InputFit& fit : audit_place(gem, map, all).fit.inputs) places.insert(fit.input);
  EXPECT_EQ(places.size(), 16U);
}

TEST(PlaceAudit, CatchesAMechanismThatMeasuresRoadsTooLong) {
  // The claim is per metre of the true map; the mechanism counts each metre twice and so loses up to twice as much.
  const Graph map = lattice(8, 700), stretched = lattice(8, 1400);
  const place::Gem gem(stretched, one_per_hundred_metres);
  const PlaceAudit audit = audit_place(gem, map, quick);
  EXPECT_FALSE(audit.passed);
  EXPECT_TRUE(audit.table.broken);
  EXPECT_FALSE(audit.certified);
  EXPECT_THAT(audit.sentence, HasSubstr("gem breaks its promise"));
}

TEST(PlaceAudit, ARestrictedRangeAndALonelyVertex) {
  //  0 -50 m- 1 -50 m- 2     3
  const Graph map = Graph::from_edges(4, std::vector<Edge>{{0, 1, 50'000}, {1, 2, 50'000}});
  const place::Gem gem(map, {.epsilon = privacy::EpsilonPerMetre{1, 100}, .range = {3, 0}});
  PlaceAuditOptions all = quick;
  all.fit_places = 4;
  const PlaceAudit audit = audit_place(gem, map, all);
  EXPECT_TRUE(audit.certified) << audit.sentence;
  EXPECT_EQ(audit.fit.inputs.size(), 4U);
}

TEST(PlaceAudit, RefusesBadOptions) {
  const Graph map = lattice(3, 200);
  const place::Gem gem(map, one_per_hundred_metres);
  EXPECT_THROW(audit_place(gem, map, {.comparisons = 0}), InvalidOption);
  EXPECT_THROW(audit_place(gem, map, {.samples = 999}), InvalidOption);
  EXPECT_THROW(audit_place(gem, map, {.samples = 100'000'001}), InvalidOption);
  EXPECT_THROW(audit_place(gem, map, {.fit_places = 0}), InvalidOption);
  EXPECT_THROW(audit_place(gem, map, {.samples = 1'000, .false_alarm = 0.5}), InvalidOption);
  EXPECT_THROW(audit_place(gem, map, {.progress = [](const ProgressUpdate&) { return false; }}), Cancelled);
}

}  // namespace
}  // namespace fogline::audit
