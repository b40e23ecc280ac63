// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/progress.hpp"
#include "base/rational.hpp"
#include "graph/graph.hpp"
#include "kernel/capped_exponential.hpp"
#include "kernel/relation.hpp"

namespace fogline::kernel {

/// The largest loss that weights and totals can add up to on a road.
struct SplitCertificate {
  double loss_high = 0;  ///< per millimetre of road, rounded up; the true largest loss is at most this
  RelatedPair at = {};   ///< the road where it was found
  std::uint64_t roads = 0;
};

/// Is the certified loss at most `claimed_per_mm`? Compared exactly, without rounding; never a wrong yes.
bool holds(const SplitCertificate& certificate, const Rational& claimed_per_mm);

/// The exponential kernel on shortened roads. Each road of w millimetres gets a shorter length w', and input v gives output o with
/// probability proportional to exp(-epsilon * (d'(v, o) + handicap(o))), d' the distance along shortened roads. The budget epsilon * w of a
/// road is thus split: epsilon * w' for the weights, and the rest for the change of the total between its ends.
///
///     SplitExponential kernel(graph, {.epsilon_per_mm = {1, 100'000}, .units_per_mm = 64, .length = shortened});
///     bool kept = holds(kernel.certify(), Rational(1, 100'000));
///
/// Guarantee  what certify() finds: on every road (u, v), |ln P(o|u) - ln P(o|v)| <= epsilon * w' + |ln T(u) - ln T(v)|, T the totals, exactly
///            from the integers; hence on every path, and between any two vertices. Whatever the lengths, at most 2 epsilon.
///            Half lengths (w' = w/2, no handicap) are the graph-exponential mechanism and keep epsilon on every map.
/// Cost       certify(): a search of radius 36 ln 2 / epsilon on the shortened roads from every vertex, in parallel; 16 bytes a
///            vertex. Memory otherwise: a second graph.
/// Limits     as CappedExponential; lengths are counted in parts of a millimetre, and must fit 32 bits.
class SplitExponential {
 public:
  /// Of a millimetre: handicaps and lengths are rounded to whole units, which docs/mechanisms/tight.md makes room for.
  static constexpr std::uint32_t finest_units_per_mm = 64;

  struct Options {
    Rational epsilon_per_mm = {};
    std::uint32_t units_per_mm =
        finest_units_per_mm;  ///< in how many parts a millimetre is cut for shortened lengths
    std::vector<graph::LengthMm> length =
        {};  ///< in units; one per edge in the order of graph.edges(), at least 1
    std::vector<graph::VertexId> range = {};   ///< allowed outputs, each once; empty means every vertex
    std::vector<std::uint32_t> handicap = {};  ///< in units; one per entry of the range; empty means none
  };
  SplitExponential(const graph::Graph& graph, const Options& options);  ///< throws InvalidOption

  /// What was found before, from a file: certify() tells whether it keeps a promise, is_as_found() the rest.
  struct Found {
    Rational epsilon_per_mm = {};
    std::uint32_t units_per_mm = finest_units_per_mm;
    graph::Graph shortened = {};  ///< with the vertices and edges of the graph
    std::vector<graph::VertexId> range = {};
    std::vector<std::uint32_t> handicap = {};
    std::vector<std::uint32_t> near_outputs = {};
    std::vector<Uint128> draw_bounds = {};
  };
  SplitExponential(const graph::Graph& graph, Found found);  ///< throws InvalidOption
  /// Has the shortened map the edges of the graph, and are near outputs and bounds of draws those of the kernel? For what came from a file.
  bool is_as_found() const;

  /// The roads as the kernel sees them; searches run here. Its "millimetres" are units.
  const graph::Graph& shortened() const { return shortened_; }
  const CappedExponential& kernel() const { return kernel_; }
  std::uint32_t units_per_mm() const { return units_per_mm_; }

  /// Mean distance in metres of road between an input and its output within the cap; the searches run on the real roads and on the
  /// shortened ones. An output that cannot be reached counts for nothing.
  double mean_distance_m(graph::VertexId input, graph::Dijkstra& roads, graph::Dijkstra& shortened) const;

  struct CertifyOptions {
    int threads = 0;         ///< 0 (all cores) to 1,024
    Progress progress = {};  ///< told of totals; may cancel
  };
  SplitCertificate certify(const CertifyOptions& options) const;
  SplitCertificate certify() const { return certify({}); }

  /// Finds the bounds of the kernel's draws, so that they need not search so far: kernel/capped_drawer.hpp.
  void find_draw_bounds(const CertifyOptions& options);

 private:
  const graph::Graph* graph_;
  std::uint32_t units_per_mm_;
  Rational rate_per_unit_;
  graph::Graph shortened_;
  CappedExponential kernel_;
};

}  // namespace fogline::kernel
