// SPDX-License-Identifier: Apache-2.0
#include "audit/kinds/place_audit.hpp"

#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "kernel/exponential_rule.hpp"
#include "kernel/step_certificate.hpp"
#include "place/gem.hpp"
#include "place/planar.hpp"
#include "roads/generated.hpp"

namespace fogline::audit::place_audit_test {
namespace {

using graph::Edge;
using graph::Graph;
using testing::HasSubstr;

const place::Gem::Options one_per_hundred_metres{.epsilon = privacy::EpsilonPerMetre{1, 100}};
const PlaceAuditOptions quick{.samples = 2'000, .fit_places = 2};

Graph lattice(std::uint64_t side, double side_m) {
  return roads::make_lattice({.rows = side, .columns = side, .side_m = side_m}).graph;
}

TEST(PlaceAudit, CertifiesPointsOfThePlaneByTheirRule) {
  const auto map = roads::make_lattice({.rows = 10, .columns = 10, .side_m = 750});
  const place::Plm plm(map, {.epsilon = privacy::EpsilonPerMetre{1, 100}});
  const PlaceAudit audit = audit_place(plm, map.graph, quick);
  EXPECT_TRUE(audit.certified);
  EXPECT_EQ(audit.method, PlaceAuditMethod::local_rule);
  EXPECT_FALSE(audit.table || audit.fit);
  EXPECT_LE(audit.rule->loss_high_per_metre, 0.01);
  EXPECT_THAT(audit.sentence,
              HasSubstr("Certified by the local rule, not by the whole table: on each of the 180 roads"));
}

TEST(PlaceAudit, CertifiesGemOnAWholeLattice) {
  const Graph map = lattice(10, 750);
  const place::Gem gem(map, one_per_hundred_metres);
  const PlaceAudit audit = audit_place(gem, map, quick);
  EXPECT_TRUE(audit.passed);
  EXPECT_TRUE(audit.certified);
  EXPECT_EQ(audit.method, PlaceAuditMethod::all_roads);
  EXPECT_FALSE(audit.rule);
  EXPECT_EQ(audit.roads, 180U);
  EXPECT_EQ(audit.roads_checked, 180U);
  EXPECT_LE(audit.table->loss_high, 0.01);
  EXPECT_GT(audit.table->share_of_claim.value(), 0.5);
  EXPECT_EQ(audit.fit->samples(), 4'000U);
  EXPECT_THAT(audit.sentence, HasSubstr("Certified: on every road"));
}

/// GEM by another face, on which a test hangs what GEM has not.
class Disguised : public place::VertexMechanism {
 public:
  explicit Disguised(const place::Gem& gem) : VertexMechanism(gem.graph()), gem_(gem) {}
  std::string_view name() const override { return "disguised"; }
  privacy::Guarantee guarantee() const override { return gem_.guarantee(); }
  std::span<const graph::VertexId> range() const override { return gem_.range(); }
  std::unique_ptr<Sampler> sampler() const override { return gem_.sampler(); }
  bool has_rows() const override { return rows; }
  kernel::WeightRow row(graph::VertexId input) const override { return gem_.row(input); }
  place::RuleCertificate certify_rule(const place::RuleOptions& options) const override {
    if (!weight) return VertexMechanism::certify_rule(options);
    const auto steps = kernel::certify_steps(weight, 5'000'000, {.threads = options.threads});
    return {.available = true,
            .holds = kernel::holds(steps, Rational(1, 200'000)),
            .loss_high_per_metre = 2000 * steps.high,
            .rule = "weights change slowly"};
  }

  bool rows = true;
  kernel::WeightOfDistance weight = {};

 private:
  const place::Gem& gem_;
};

/// 100 outputs each: 25 of 180 roads.
const PlaceAuditOptions few{.comparisons = 25 * 100 + 99, .samples = 2'000, .fit_places = 2};

TEST(PlaceAudit, CertifiesTheRuleWhereTheTableIsTooLarge) {
  const Graph map = lattice(10, 750);
  const place::Gem gem(map, one_per_hundred_metres);
  const PlaceAudit audit = audit_place(gem, map, few);
  EXPECT_TRUE(audit.passed);
  EXPECT_TRUE(audit.certified);
  EXPECT_EQ(audit.method, PlaceAuditMethod::local_rule);
  EXPECT_EQ(audit.roads_checked, 25U);
  EXPECT_LE(audit.rule->loss_high_per_metre, 0.01);
  EXPECT_GT(audit.rule->loss_high_per_metre, 0.00999999);
  EXPECT_THAT(audit.sentence, HasSubstr("Certified by the local rule, not by the whole table"));
  EXPECT_THAT(audit.sentence, HasSubstr("at all 4990661 millimetres up to the cap"));
  EXPECT_THAT(audit.sentence, HasSubstr("25 of 180 roads"));
}

TEST(PlaceAudit, APlantedFaultInTheRuleFails) {
  const Graph map = lattice(10, 750);
  const place::Gem gem(map, one_per_hundred_metres);
  const kernel::ExponentialRule rule = place::Gem::rule({1, 100});
  Disguised planted(gem);
  planted.weight = [&](std::uint64_t d) { return rule.weight(d); };
  EXPECT_TRUE(audit_place(planted, map, few).certified);
  // At one distance, far from any on this map, the weight is a little too large.
  planted.weight = [&](std::uint64_t d) {
    const Uint128 weight = rule.weight(d);
    return d == 4'321'987 ? weight + weight / 100'000 : weight;
  };
  const PlaceAudit audit = audit_place(planted, map, few);
  EXPECT_FALSE(audit.passed);
  EXPECT_FALSE(audit.certified);
  EXPECT_TRUE(audit.table->holds);
  EXPECT_THAT(audit.sentence, HasSubstr("The local rule does not give the epsilon claimed"));
}

TEST(PlaceAudit, WithoutATableTheRuleDecides) {
  const Graph map = lattice(10, 750);
  const place::Gem gem(map, one_per_hundred_metres);
  const kernel::ExponentialRule rule = place::Gem::rule({1, 100});
  Disguised tableless(gem);
  tableless.rows = false;
  EXPECT_THROW(audit_place(tableless, map, quick), InvalidOption);
  tableless.weight = [&](std::uint64_t d) { return rule.weight(d); };
  const PlaceAudit audit = audit_place(tableless, map, quick);
  EXPECT_TRUE(audit.certified);
  EXPECT_FALSE(audit.table || audit.fit);
  EXPECT_EQ(audit.method, PlaceAuditMethod::local_rule);
  EXPECT_THAT(audit.sentence, HasSubstr("no releases were compared"));
}

TEST(PlaceAudit, CallsASampleASample) {
  const Graph map = lattice(10, 750);
  const place::Gem gem(map, one_per_hundred_metres);
  const Disguised disguised(gem);
  const PlaceAudit audit = audit_place(disguised, map, few);
  EXPECT_TRUE(audit.passed);
  EXPECT_FALSE(audit.certified);
  EXPECT_EQ(audit.method, PlaceAuditMethod::sample);
  EXPECT_EQ(audit.roads_checked, 25U);
  EXPECT_EQ(audit.table->certificate.pairs, 25U);
  EXPECT_THAT(audit.sentence, HasSubstr("25 of 180 roads"));
  EXPECT_THAT(audit.sentence, HasSubstr("This is a sample, not a certificate."));

  PlaceAuditOptions least = few;
  least.comparisons = 1;
  EXPECT_EQ(audit_place(disguised, map, least).roads_checked, 1U);
}

TEST(PlaceAudit, TheSampleIsTheSameForEverybody) {
  const Graph map = lattice(10, 750);
  const place::Gem gem(map, one_per_hundred_metres);
  PlaceAuditOptions options = few;
  const PlaceAudit once = audit_place(gem, map, options);
  options.threads = 1;
  options.largest_memory_bytes = 0;
  const PlaceAudit again = audit_place(gem, map, options);
  EXPECT_EQ(once.table->loss_high, again.table->loss_high);
  EXPECT_EQ(once.table->certificate.loss.at, again.table->certificate.loss.at);
  EXPECT_EQ(once.fit->inputs[0].input, again.fit->inputs[0].input);
  EXPECT_EQ(once.fit->inputs[1].chi_square.statistic, again.fit->inputs[1].chi_square.statistic);
}

TEST(PlaceAudit, FitsDifferentPlaces) {
  const Graph map = lattice(4, 300);
  const place::Gem gem(map, one_per_hundred_metres);
  PlaceAuditOptions all = quick;
  all.fit_places = 100;
  std::set<kernel::InputId> places;
  const PlaceAudit audit = audit_place(gem, map, all);
  for (const InputFit& fit : audit.fit->inputs) places.insert(fit.input);
  EXPECT_EQ(places.size(), 16U);
}

TEST(PlaceAudit, CatchesAMechanismThatMeasuresRoadsTooLong) {
  // The claim is per metre of the true map; the mechanism counts each metre twice and so loses up to twice as much.
  const Graph map = lattice(8, 700), stretched = lattice(8, 1400);
  const place::Gem gem(stretched, one_per_hundred_metres);
  const PlaceAudit audit = audit_place(gem, map, quick);
  EXPECT_FALSE(audit.passed);
  EXPECT_TRUE(audit.table->broken);
  EXPECT_FALSE(audit.certified);
  EXPECT_THAT(audit.sentence, HasSubstr("gem breaks its promise"));
  EXPECT_FALSE(audit_place(gem, map, few).rule);
}

TEST(PlaceAudit, ARestrictedRangeAndALonelyVertex) {
  //  0 -50 m- 1 -50 m- 2     3
  const Graph map = Graph::from_edges(4, std::vector<Edge>{{0, 1, 50'000}, {1, 2, 50'000}});
  const place::Gem gem(map, {.epsilon = privacy::EpsilonPerMetre{1, 100}, .range = {3, 0}});
  PlaceAuditOptions all = quick;
  all.fit_places = 4;
  const PlaceAudit audit = audit_place(gem, map, all);
  EXPECT_TRUE(audit.certified) << audit.sentence;
  EXPECT_EQ(audit.fit->inputs.size(), 4U);
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
}  // namespace fogline::audit::place_audit_test
