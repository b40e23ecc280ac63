// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "graph/graph.hpp"
#include "kernel/capped_exponential.hpp"
#include "kernel/weight_row.hpp"
#include "place/mechanism.hpp"
#include "privacy/guarantee.hpp"
#include "random/stream.hpp"

namespace fogline::place {

/// Graph-exponential mechanism: releases a vertex near the true one, each with probability proportional to
/// exp(-(epsilon/2) d) of its road distance d from the truth.
///
///     Gem gem(city.graph, {.epsilon = privacy::EpsilonPerMetre{1, 100}});
///     random::Stream noise = key.stream("place", record);
///     graph::VertexId safe = gem.release(truth, noise);
///
/// Guarantee   metric DP: ln P(o|u) - ln P(o|v) <= epsilon * d(u, v) for all vertices u, v and outputs o; unit: one report;
///             exact (integer weights, proof in docs/mechanisms/gem.md). Repeated reports add up.
/// Source      Takagi et al., Geo-Graph-Indistinguishability, Definition 5 and Algorithm 1.
/// Utility     expected displacement: expected_error(); on a 20 x 20 lattice of side 1,500 m at 0.01 per metre 328.8 m.
/// Cost        a search of radius 2 ln(4n) / epsilon for n outputs, once in a while of 36 ln 2 * 2 / epsilon (4,990 m at 0.01 per metre),
///             and one integer per release; the integer alone if the last release was from the same vertex.
/// Parameters  epsilon per metre, 1e-5 to 1,000; range: any set of vertices.
///
/// The distance is capped where the weight has fallen to 2^-36: all farther vertices share that weight. min(d, cap) is
/// again a metric, so the guarantee is the same, and the distribution differs from the published one by at most the
/// share of the tail, 2^-36 of the weight of the true vertex for each farther vertex.
class Gem : public VertexMechanism {
 public:
  struct Options {
    privacy::EpsilonPerMetre epsilon;         ///< 1e-5 to 1,000 per metre; no default
    std::vector<graph::VertexId> range = {};  ///< allowed outputs, each once; empty means every vertex
    /// Named in the guarantee. Epsilons per metre add up only for one way of measuring metres, so say which network where there may
    /// be several.
    std::string unit = "one report";
  };
  Gem(const graph::Graph& graph,
      const Options& options);  ///< throws InvalidOption, naming the field and its range
  Gem(const graph::Graph& graph, const Options& options,
      const io::SectionFile& found);  ///< from what store() wrote

  std::string_view name() const override { return "gem"; }
  privacy::Guarantee guarantee() const override;
  std::span<const graph::VertexId> range() const override { return kernel_.range(); }
  std::unique_ptr<Sampler> sampler() const override;
  std::unique_ptr<NearRows> near_rows() const override;
  kernel::WeightRow row(graph::VertexId input) const override;

  nlohmann::ordered_json parameters() const override;
  void store(io::SectionWriter& file) const override;
  bool is_as_found() const override;

  /// Checks from the integers that the weight changes by at most half of epsilon from each millimetre of distance to the next, up to the
  /// cap: a minute on two cores at the smallest epsilon, 0.1 s at 0.01 per metre.
  RuleCertificate certify_rule(const RuleOptions& options = {}) const override;

  /// cap_m, from which distance on all vertices share one weight, and tail_weight_log2, that weight as a share of the true vertex's.
  /// They follow from epsilon. Throws InvalidOption for one out of range.
  static nlohmann::ordered_json fixed_parameters(const privacy::EpsilonPerMetre& epsilon);

  /// The rule its weights follow. Throws InvalidOption for an epsilon out of range.
  static kernel::ExponentialRule rule(const privacy::EpsilonPerMetre& epsilon);

  double cap_m() const { return static_cast<double>(kernel_.rule().cap_mm()) / 1000; }

 private:
  privacy::EpsilonPerMetre epsilon_;
  std::string unit_;
  kernel::CappedExponential kernel_;
};

}  // namespace fogline::place
