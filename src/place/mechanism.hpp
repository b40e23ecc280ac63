// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/progress.hpp"
#include "geometry/coordinates.hpp"
#include "graph/dijkstra.hpp"
#include "graph/graph.hpp"
#include "io/section_file.hpp"
#include "kernel/weight_row.hpp"
#include "privacy/guarantee.hpp"
#include "random/key.hpp"
#include "random/stream.hpp"

namespace fogline::place {

/// The epsilons that place mechanisms take: 0.00001 to 1,000 per metre. Throws InvalidOption for others.
void require_epsilon(const privacy::EpsilonPerMetre& epsilon);

/// Are two figures the same but for the last digits? These may differ where something was computed on another machine.
bool is_near_figure(double found, double said);

/// Mean distance between truth and output, in metres.
struct ExpectedError {
  double q_loss_m = 0;
  double standard_error_m = 0;  ///< 0 when every vertex was used
  std::size_t vertices_used = 0;
  bool straight = false;  ///< on the plane; otherwise by road
  /// Half and 95 % of the releases are moved at most so far, to the metre; nothing where nobody works it out.
  std::optional<double> median_m = {};
  std::optional<double> p95_m = {};

  bool is_exact() const { return standard_error_m == 0; }
};

struct ErrorOptions {
  std::vector<double> prior = {};  ///< probability of each vertex; empty: all alike
  bool exact = false;              ///< over every vertex and every output, however long it takes
  /// Otherwise searches meet about so many vertices in all, a second of one core, and as many vertices are averaged over as that
  /// allows, 12 at least. A rule about public sizes, so that it says the same on every machine.
  std::uint64_t work = 3'000'000;
  /// `exact` takes seconds on maps of at most so many vertices, and hours on whole cities.
  static constexpr std::size_t exact_up_to = 10'000;
  /// Every row is followed, however long it takes; the mean way to what a row does not list, less than a millionth of all, is that of some rows.
  static constexpr std::uint64_t every_vertex = std::uint64_t{1} << 62;
  int threads = 0;         ///< 0 (all cores) to 1,024
  Progress progress = {};  ///< called now and then; may cancel
};

/// A row of probabilities of which most are alike: P(o|v) of the outputs that are listed, and of each that is not.
struct NearRow {
  std::vector<graph::VertexId> output = {};
  std::vector<double> probability = {};
  double of_each_other = 0;
};

struct BulkOptions {
  std::uint64_t first_record = 0;
  int threads = 0;         ///< 0 (all cores) to 1,024
  Progress progress = {};  ///< called now and then; may cancel
};

struct RuleOptions {
  std::uint64_t largest_checks =
      2'000'000'000;       ///< comparisons to make at most; beyond, the rule is not certified
  int threads = 0;         ///< 0 (all cores) to 1,024
  Progress progress = {};  ///< called now and then; may cancel
};

/// What a mechanism can show of the local rule its weights follow, whatever the map: the certificate for maps on which the whole table
/// is too much to compute.
struct RuleCertificate {
  bool available =
      false;           ///< was there a rule to check, and was it affordable? Otherwise the rest says nothing
  bool holds = false;  ///< proved: between any two vertices the loss is at most the epsilon claimed
  double loss_high_per_metre = 0;  ///< by the rule, between any two vertices; rounded up
  std::string rule = {};           ///< what was checked, in plain words; or why nothing was
};

/// What was worked out anew of a mechanism that came from a file.
struct WorkedOut {
  const ExpectedError& error;
  const RuleCertificate& certificate;
  const ErrorOptions& how;
};

/// What was released, a place for each record: vertices, or points of the plane.
using SafePlaces = std::variant<std::vector<graph::VertexId>, std::vector<geometry::LonLat>>;

class VertexMechanism;
class Plm;

/// A mechanism that moves a vertex of a road network somewhere else: what all of them have in common, so that plans, releases, audits and
/// statements are written once.
///
///     std::unique_ptr<PlaceMechanism> mechanism = make_place_mechanism(map, choice);      // place/catalogue.hpp
///     SafePlaces safe = mechanism->release_all(truths, key, {.threads = 2});
///
/// A mechanism is built from public things only and does not change afterwards; all functions may be called from several threads. The
/// network must outlive it. Inputs are vertices of the network; one that is none throws InvalidOption without naming it.
class PlaceMechanism {
 public:
  explicit PlaceMechanism(const graph::Graph& graph) : graph_(&graph) {}
  virtual ~PlaceMechanism() = default;
  PlaceMechanism(const PlaceMechanism&) = delete;
  PlaceMechanism& operator=(const PlaceMechanism&) = delete;

  virtual std::string_view name() const = 0;  ///< as `mechanism` has it: "gem"
  virtual privacy::Guarantee guarantee() const = 0;

  /// Releases many records at once: record i is drawn from key.stream("place", first_record + i), so the result does not depend on
  /// the number of threads nor on the other records. Throws before the first draw if an input is no vertex.
  virtual SafePlaces release_all(std::span<const graph::VertexId> truth, const random::Key& key,
                                 const BulkOptions& options) const = 0;

  /// Itself, for what only those have whose outputs are vertices, or points of the plane; null for the others.
  virtual const VertexMechanism* on_vertices() const { return nullptr; }
  virtual const Plm* on_plane() const { return nullptr; }

  /// What a statement says of it besides epsilon, range and network: names and values that everybody who builds it from the same public
  /// things gets again. The names are those its kind lists (place/catalogue.hpp).
  virtual nlohmann::ordered_json parameters() const;

  /// Sentences about this mechanism on this map, for whoever plans a release; not part of a statement.
  virtual std::vector<std::string> remarks() const { return {}; }

  /// A mean displacement that no mechanism with this guarantee, range and prior can go below, where one is proved.
  virtual std::optional<double> lower_bound_m() const { return std::nullopt; }

  /// Certifies the local rule from integers, without looking at the map. Throws Cancelled. Cost: that of the mechanism.
  virtual RuleCertificate certify_rule(const RuleOptions& options = {}) const;

  /// Q_loss, from public things alone. No private record is read.
  virtual ExpectedError expected_error(const ErrorOptions& options = {}) const = 0;

  /// Writes what took long to find, for place/prepared.hpp: from it, the map and the same choice, MechanismKind::restore makes a
  /// mechanism that draws the same. What is written must stay until the file is.
  virtual void store(io::SectionWriter& /*file*/) const {}
  /// Is what was restored from a file what would be found anew, as far as draws follow the weights? The weights themselves are for
  /// certify_rule() to judge.
  virtual bool is_as_found() const { return true; }
  /// Do the figures that a file told of it follow from what was worked out now?
  virtual bool fits(const WorkedOut& /*now*/) const { return true; }

  const graph::Graph& graph() const { return *graph_; }

 protected:
  void check_vertex(graph::VertexId vertex) const;

  /// Throws for an input that is no vertex, or room for another number of outputs: whatever could fail, before the first draw.
  void check_bulk(std::span<const graph::VertexId> truth, std::size_t room) const;

 private:
  const graph::Graph* graph_;
};

/// A mechanism that moves a vertex to another: what `plmg`, `gem`, `tight` and `optimal` have in common, so that measures and attacks are
/// written once too.
///
///     std::unique_ptr<VertexMechanism> mechanism = make_mechanism(map, choice);      // place/catalogue.hpp
///     graph::VertexId safe = mechanism->release(truth, noise);
///     mechanism->release(truths, key, {.threads = 2}, safe_ones);
class VertexMechanism : public PlaceMechanism {
 public:
  using Input = graph::VertexId;
  using Output = graph::VertexId;

  using PlaceMechanism::PlaceMechanism;

  const VertexMechanism* on_vertices() const override { return this; }

  /// What can come out, each vertex once. Rows and probabilities are in this order.
  virtual std::span<const graph::VertexId> range() const = 0;

  /// The working memory of one thread. It may keep what it prepared for its last vertex, one row, so that draws from the same vertex one
  /// after another are cheap; what comes out must not depend on it.
  class Sampler {
   public:
    virtual ~Sampler() = default;
    virtual graph::VertexId draw(graph::VertexId truth, random::Stream& noise) = 0;
  };
  virtual std::unique_ptr<Sampler> sampler() const = 0;

  /// Rows for measures, one thread's; releases never look at them. A row lives until the next.
  class NearRows {
   public:
    virtual ~NearRows() = default;
    virtual const NearRow& of(graph::VertexId input) = 0;
  };
  /// From probabilities(), unless overridden by something that does not look at the whole range.
  virtual std::unique_ptr<NearRows> near_rows() const;

  /// Are releases drawn from finite rows of integers? Then row() gives them and a certificate can be computed; otherwise row() throws
  /// InvalidOption.
  virtual bool has_rows() const { return true; }
  virtual kernel::WeightRow row(graph::VertexId input) const = 0;

  /// P(output | input) for the whole range, for measures and attacks; releases never look at it. From row(), unless overridden.
  virtual void probabilities(graph::VertexId input, std::span<double> result) const;

  /// One record. Samplers are kept for the next call, one for each call that runs at the same time.
  Output release(const Input& truth, random::Stream& noise) const;
  double log_weight(const Output& output, const Input& input) const;  ///< minus infinity outside the range

  /// As release_all, into `output`. Records are drawn in the order of their vertices, so each thread prepares the row of a vertex once,
  /// however many records are there, and holds one row at a time: memory is 8 bytes a record and 8 bytes a vertex above that of the samplers.
  void release(std::span<const Input> truth, const random::Key& key, const BulkOptions& options,
               std::span<Output> output) const;
  SafePlaces release_all(std::span<const Input> truth, const random::Key& key,
                         const BulkOptions& options) const override;

  /// By road, over all vertices, or over a fixed public sample of them on large maps (place/expected_error.cpp).
  ExpectedError expected_error(const ErrorOptions& options = {}) const override;

 private:
  mutable std::mutex idle_lock_;
  mutable std::vector<std::unique_ptr<Sampler>> idle_;  // samplers of single releases that are over
};

}  // namespace fogline::place
