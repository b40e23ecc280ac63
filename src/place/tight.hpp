// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "graph/graph.hpp"
#include "kernel/tight.hpp"
#include "place/mechanism.hpp"
#include "privacy/guarantee.hpp"

namespace fogline::place {

/// The tight kernel: releases a vertex near the true one with probability proportional to exp(-epsilon (d' + h)), where d' is the distance
/// along shortened roads and h a handicap of the output. The graph-exponential mechanism gives half of each road's budget to its weights and
/// keeps half for their total; here each road gives its weights what the total does not need.
///
///     Tight tight(city.graph, {.epsilon = privacy::EpsilonPerMetre{1, 100}});
///     random::Stream noise = key.stream("place", record);
///     graph::VertexId safe = tight.release(truth, noise);
///
/// Guarantee   metric DP: ln P(o|u) - ln P(o|v) <= epsilon * d(u, v) for all vertices u, v and outputs o, d the real road distance; unit: one
///             report; exact (integer weights, certified on every road when it is built, proof in docs/mechanisms/tight.md). Repeated
///             reports add up.
/// Source      ours; on lattices the exponential kernel with equal totals.
/// Utility     on a 20 x 20 lattice of side 1,500 m at 0.01 per metre 164.1 m, where gem has 328.8 m; on city maps 0.42 to 0.7 of gem's. Where
///             nothing better than gem is found it is gem, and remarks() says so.
/// Cost        built by some 15 rounds of searches from every vertex (kernel/tight.hpp); then a search of radius at most 36 ln 2 / epsilon
///             along shortened roads and one integer per release.
/// Parameters  epsilon per metre, 1e-5 to 1,000; range: any set of vertices; prior: what the mean distance is taken over.
class Tight : public VertexMechanism {
 public:
  struct Options {
    privacy::EpsilonPerMetre epsilon;         ///< 1e-5 to 1,000 per metre; no default
    std::vector<graph::VertexId> range = {};  ///< allowed outputs, each once; empty means every vertex
    std::vector<double> prior = {};           ///< probability of each vertex, public; empty: all alike
    std::string unit = "one report";          ///< named in the guarantee
    int threads = 0;                          ///< for building; 0 (all cores) to 1,024
    Progress progress = {};                   ///< of building; may cancel
  };
  Tight(const graph::Graph& graph,
        const Options& options);  ///< throws InvalidOption, naming the field and its range
  Tight(const graph::Graph& graph, const Options& options,
        const io::SectionFile& found);  ///< from what store() wrote; throws also DataError

  std::string_view name() const override { return "tight"; }
  privacy::Guarantee guarantee() const override;
  std::span<const graph::VertexId> range() const override { return kernel().range(); }
  std::unique_ptr<Sampler> sampler() const override;
  std::unique_ptr<NearRows> near_rows() const override;
  kernel::WeightRow row(graph::VertexId input) const override;

  /// form: "full", "split" or "half"; weight_share: of the budget that goes to weights, averaged over metres of road; certified_share: the
  /// largest certified loss on a road over epsilon.
  nlohmann::ordered_json parameters() const override;
  void store(io::SectionWriter& file) const override;
  bool is_as_found() const override { return tight_.kernel->is_as_found(); }
  bool fits(const WorkedOut& now) const override;
  std::vector<std::string> remarks() const override;  ///< what the calibration found, against gem
  RuleCertificate certify_rule(const RuleOptions& options) const override;

  const kernel::TightKernel& calibrated() const { return tight_; }

 private:
  const kernel::CappedExponential& kernel() const { return tight_.kernel->kernel(); }

  privacy::EpsilonPerMetre epsilon_;
  std::string unit_;
  kernel::TightKernel tight_;
};

}  // namespace fogline::place
