// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.hpp"
#include "graph/graph.hpp"
#include "kernel/weight_row.hpp"
#include "place/mechanism.hpp"
#include "privacy/guarantee.hpp"

namespace fogline::place {

/// Bayesian remap: whatever another mechanism releases is moved to the vertex that is the best guess of the truth, by a public table.
///
///     Remapped better(make_mechanism(map, {.epsilon = {1, 100}}), {.prior = prior});
///     graph::VertexId safe = better.release(truth, noise);
///
/// Guarantee   that of the other mechanism, exactly: the table is made from public things, and looking up does not look at the truth.
/// Source      Chatzikokolakis, ElSalamouny, Palamidessi: Efficient utility improvement for location privacy (2017); the choice of the
///             vertex is the optimal attack of kernel/best_guess.hpp.
/// Utility     the mean road distance to the truth under the prior is never larger than without, and no other way of moving outputs
///             makes it smaller.
/// Cost        building: a search and a row per vertex, and one product of two dense matrices; memory 16 bytes for each pair of vertices
///             while it is built, 8 bytes an output afterwards. A release costs what it did.
/// Parameters  prior: public, in all 1; empty: all vertices alike.
///
/// Limits: at most most_vertices vertices, in one piece. Outputs are moved within the other mechanism's range; what may come out is
/// listed by range(). Of vertices that are equally good guesses the lowest is taken, so that the table is the same for everybody.
class Remapped : public VertexMechanism {
 public:
  static constexpr std::size_t most_vertices = 6000;

  struct Options {
    std::vector<double> prior = {};  ///< probability of each vertex; empty: all alike
    int threads = 0;                 ///< for building; 0 (all cores) to 1,024
    Progress progress = {};          ///< of building; may cancel
  };
  /// Throws InvalidOption for a map too large or in several pieces, or a prior of another size; Cancelled.
  Remapped(std::unique_ptr<VertexMechanism> inner, const Options& options);
  /// From what store() wrote: whatever the table is, moving outputs by it costs no privacy. Throws DataError.
  Remapped(std::unique_ptr<VertexMechanism> inner, const io::SectionFile& found);

  /// Can a remap be built on this map? Throws InvalidOption otherwise. Asked before a mechanism is built in vain.
  static void require_map(const graph::Graph& graph);

  std::string_view name() const override { return inner_->name(); }
  privacy::Guarantee guarantee() const override { return inner_->guarantee(); }
  std::span<const graph::VertexId> range() const override { return range_; }
  std::unique_ptr<Sampler> sampler() const override;
  bool has_rows() const override { return inner_->has_rows(); }
  kernel::WeightRow row(graph::VertexId input) const override;  ///< sums of the other mechanism's integers
  void probabilities(graph::VertexId input, std::span<double> result) const override;
  nlohmann::ordered_json parameters() const override;
  std::vector<std::string> remarks() const override;
  void store(io::SectionWriter& file) const override;
  bool is_as_found() const override { return inner_->is_as_found(); }
  bool fits(const WorkedOut& now) const override;
  std::optional<double> lower_bound_m() const override { return inner_->lower_bound_m(); }
  RuleCertificate certify_rule(const RuleOptions& options = {}) const override;

  /// Where an output of the other mechanism goes. `output` must be in its range.
  graph::VertexId moved(graph::VertexId output) const { return moved_[output]; }

 private:
  static std::vector<graph::VertexId> best_moves(const VertexMechanism& inner, const Options& options);
  void find_range();

  std::unique_ptr<VertexMechanism> inner_;
  std::vector<graph::VertexId> moved_;  // per vertex of the map; itself where it never comes out
  std::vector<graph::VertexId> range_;
  std::vector<std::uint32_t> column_;  // per output of inner_: where in range_ it goes
};

}  // namespace fogline::place
