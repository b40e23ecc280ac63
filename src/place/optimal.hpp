// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/progress.hpp"
#include "graph/graph.hpp"
#include "kernel/certificate.hpp"
#include "kernel/optimal.hpp"
#include "kernel/sparse_table.hpp"
#include "place/mechanism.hpp"
#include "place/tight.hpp"
#include "privacy/guarantee.hpp"

namespace fogline::place {

/// The solver did not come near the least displacement, or what it found does not keep the promise.
class NoTableFound : public Error {
 public:
  using Error::Error;
};

/// The mechanism of least expected displacement that epsilon allows, for a public prior: a table found by a solver, turned into
/// positive integers and certified.
///
///     Optimal optimal(city.graph, {.epsilon = privacy::EpsilonPerMetre{1, 100}});
///     graph::VertexId safe = optimal.release(truth, noise);
///     *optimal.lower_bound_m();            // nobody does better on this map at this epsilon
///
/// Guarantee   metric DP: ln P(o|u) - ln P(o|v) <= epsilon * d(u, v) for all vertices u, v and outputs o; unit: one report; exact. The
///             constructor certifies the integers on every road and every output, and throws if they do not hold: the solver is not trusted.
/// Source      the linear program is Bordenabe et al. 2014, by road distance; the method and the bound are in docs/mechanisms/optimal.md.
/// Utility     within `gap` of the least possible, proved by lower_bound_m(); less than half of GEM's displacement on real city centres. Never
///             more than that of `tight` on the same map: where tight's kernel is better than the table found, it is taken, and parameters() say so.
/// Cost        building: kernel/optimal.hpp or kernel/metric_optimal.hpp, and a tight kernel; a release: a walk along one row, or what tight needs.
/// Parameters  epsilon per metre, 1e-5 to 1,000; range; prior, public; gap.
///
/// Limits: one piece of at most `most_vertices` vertices. Up to `all_free_up_to` vertices the linear program is solved as it is, by a dense method; above, an
/// output's probabilities are free near it and fall off at the promised rate farther away, which costs less than the gap; the bound is that
/// of the whole program. About 25 kB of memory a vertex at 0.01 per metre in a city, and more the smaller epsilon is.
class Optimal : public VertexMechanism {
 public:
  static constexpr std::size_t most_vertices = 300'000;
  static constexpr std::size_t all_free_up_to = 300;

  struct Options {
    privacy::EpsilonPerMetre epsilon;         ///< 1e-5 to 1,000 per metre; no default
    std::vector<graph::VertexId> range = {};  ///< allowed outputs, each once; empty means every vertex
    std::vector<double> prior = {};           ///< probability of each vertex, public; empty: all alike
    std::string unit = "one report";          ///< named in the guarantee
    double gap =
        0;  ///< to the least possible displacement, as a share of it: 1e-6 to 0.5, or 0: 0.001, and 0.01 above 10,000 vertices
    double reach =
        0;  ///< how far outputs are free, in units of 1 / epsilon, 1 to 1,000; 0: by the rule above, as far as the gap needs
    int threads = 0;         ///< for building; 0 (all cores) to 1,024
    Progress progress = {};  ///< of building; may cancel
  };
  /// Throws InvalidOption, naming the field; Cancelled; NoTableFound.
  Optimal(const graph::Graph& graph, const Options& options);
  /// From what store() wrote; certify_rule() tells whether its integers keep the promise. Throws DataError, InvalidOption.
  Optimal(const graph::Graph& graph, const Options& options, const io::SectionFile& found);

  std::string_view name() const override { return "optimal"; }
  privacy::Guarantee guarantee() const override;
  std::span<const graph::VertexId> range() const override { return range_; }
  std::unique_ptr<Sampler> sampler() const override;
  std::unique_ptr<NearRows> near_rows() const override;
  kernel::WeightRow row(graph::VertexId input) const override;
  void probabilities(graph::VertexId input, std::span<double> result) const override;
  /// solver_gap, free_vertices; table: "solver" or "tight", whose it is.
  nlohmann::ordered_json parameters() const override;
  std::vector<std::string> remarks() const override;
  void store(io::SectionWriter& file) const override;
  bool is_as_found() const override { return tight_ ? tight_->is_as_found() : table_->is_sound(); }
  /// Of the bound, that it is none above what it bounds: how near it is, only solving anew tells.
  bool fits(const WorkedOut& now) const override;
  RuleCertificate certify_rule(const RuleOptions& options = {}) const override;
  /// Under the prior it was built for it is known already, from every vertex.
  ExpectedError expected_error(const ErrorOptions& options = {}) const override;

  double q_loss_m() const { return q_loss_m_; }  ///< of the integers that are drawn from, under the prior
  std::optional<double> lower_bound_m() const override { return lower_bound_m_; }
  const kernel::SparseTable& table() const { return *table_; }             ///< the solver's
  const kernel::Certificate& certificate() const { return certificate_; }  ///< of that table

 private:
  void build(const Options& options);
  kernel::OptimalTable find_columns(const Options& options, const kernel::Relation& roads,
                                    const std::vector<double>& prior, double share);
  kernel::OptimalTable find_densely(const Options& options, const kernel::Relation& roads,
                                    const std::vector<double>& prior, double share) const;
  bool solve(const Options& options, const kernel::Relation& roads, double share);
  void compare_with_tight(const Options& options);
  bool is_draft_hopeless(const Options& options) const;
  bool is_local(const Options& options) const;
  ExpectedError error_over_every_vertex(const VertexMechanism& mechanism, const Options& options) const;

  privacy::EpsilonPerMetre epsilon_;
  std::string unit_;
  std::vector<graph::VertexId> range_;
  double gap_;
  std::size_t free_vertices_ = 0;  // of the largest block; 0: all
  std::unique_ptr<kernel::SparseTable> table_;
  kernel::Certificate certificate_;
  std::unique_ptr<Tight> tight_;  // where it is better than the table
  double q_loss_m_ = 0;
  double lower_bound_m_ = 0;
  std::vector<double> prior_;           // it was built for; empty: all vertices alike
  std::optional<ExpectedError> error_;  // under that prior; a file has it elsewhere
};

}  // namespace fogline::place
