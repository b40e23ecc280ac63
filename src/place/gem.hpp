// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "graph/graph.hpp"
#include "kernel/capped_exponential.hpp"
#include "kernel/weight_row.hpp"
#include "privacy/guarantee.hpp"
#include "random/key.hpp"
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
/// Cost        a search of radius 36 ln 2 * 2 / epsilon (4,990 m at 0.01 per metre) and one integer per release.
/// Parameters  epsilon per metre, 1e-5 to 1,000; range: any set of vertices.
///
/// The distance is capped where the weight has fallen to 2^-36: all farther vertices share that weight. min(d, cap) is
/// again a metric, so the guarantee is the same, and the distribution differs from the published one by at most the
/// share of the tail, 2^-36 of the weight of the true vertex for each farther vertex.
/// The graph must outlive the mechanism. Safe to call from several threads.
class Gem {
 public:
  using Input = graph::VertexId;
  using Output = graph::VertexId;

  struct Options {
    privacy::EpsilonPerMetre epsilon;         ///< 1e-5 to 1,000 per metre; no default
    std::vector<graph::VertexId> range = {};  ///< allowed outputs, each once; empty means every vertex
    /// Named in the guarantee. Epsilons per metre add up only for one way of measuring metres, so say which network where there may
    /// be several.
    std::string unit = "one report";
  };
  Gem(const graph::Graph& graph,
      const Options& options);  ///< throws InvalidOption, naming the field and its range

  privacy::Guarantee guarantee() const;
  Output release(const Input& truth, random::Stream& noise) const;
  double log_weight(const Output& output, const Input& input) const;

  /// Releases many records at once: record i is drawn from key.stream("place", first_record + i), so the result does not
  /// depend on the number of threads.
  struct BulkOptions {
    std::uint64_t first_record = 0;
    int threads = 0;         ///< 0 (all cores) to 1,024
    Progress progress = {};  ///< called now and then; may cancel
  };
  void release(std::span<const Input> truth, const random::Key& key, const BulkOptions& options,
               std::span<Output> output) const;

  /// Mean road distance between truth and output when every vertex is equally likely, in metres: over all vertices, or
  /// over a fixed public sample of them on large maps. No private record is read.
  struct ExpectedError {
    double q_loss_m = 0;
    double standard_error_m = 0;  ///< 0 when every vertex was used
    std::size_t vertices_used = 0;
  };
  struct ErrorOptions {
    std::size_t largest_sample = 200;  ///< vertices to average over; at least 1
    std::size_t all_up_to = 5000;      ///< maps of at most this many vertices are averaged completely
    int threads = 0;                   ///< 0 (all cores) to 1,024
    Progress progress = {};
  };
  ExpectedError expected_error(const ErrorOptions& options) const;

  /// The rule its weights follow. Throws InvalidOption for an epsilon out of range.
  static kernel::ExponentialRule rule(const privacy::EpsilonPerMetre& epsilon);

  double cap_m() const { return static_cast<double>(kernel_.rule().cap_mm()) / 1000; }
  std::span<const graph::VertexId> range() const { return kernel_.range(); }

  /// The integers a release is drawn from, for certificates.
  kernel::WeightRow row(graph::VertexId input) const;

 private:
  double mean_displacement_m(graph::VertexId input, graph::Dijkstra& search) const;

  const graph::Graph* graph_;
  privacy::EpsilonPerMetre epsilon_;
  std::string unit_;
  kernel::CappedExponential kernel_;
};

}  // namespace fogline::place
