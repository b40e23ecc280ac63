// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/progress.hpp"
#include "base/rational.hpp"
#include "graph/graph.hpp"
#include "kernel/split_exponential.hpp"

namespace fogline::kernel {

/// What a calibration found, best first.
enum class TightForm {
  full,   ///< the whole exponent: totals are equal, nothing is spent on them
  split,  ///< the budget of each road split between weights and totals
  half  ///< half of each road for the totals, as the graph-exponential mechanism has it: nothing better was found
};

/// A certified exponential kernel that spends on each road's totals only what they need.
struct TightKernel {
  TightForm form = TightForm::half;
  std::unique_ptr<SplitExponential> kernel;
  SplitCertificate certificate;
  double mean_share = 0.5;  ///< of the budget that goes to the weights, averaged over metres of road
  double q_loss_m =
      0;  ///< mean distance between input and output under the prior, over all vertices or a fixed sample
  double half_q_loss_m = 0;  ///< the same of the graph-exponential mechanism, over the same vertices
};

/// No road may be longer: lengths are 32-bit numbers of parts of a millimetre.
inline constexpr graph::LengthMm longest_tight_road_mm = 2'000'000'000;

struct TightOptions {
  Rational epsilon_per_mm = {};             ///< 1e-8 to 1
  std::vector<graph::VertexId> range = {};  ///< allowed outputs, each once; empty means every vertex
  std::vector<double> prior = {};           ///< probability of each vertex; empty: all alike
  // What a calibration may take: a dense matrix of 128 MB, and five splits instead of one. Chosen, not derived.
  std::size_t dense_up_to = 4000;     ///< maps of at most this many vertices: the full exponent is tried
  std::size_t thorough_up_to = 1500;  ///< maps of at most this many vertices: several splits are compared
  int threads = 0;                    ///< 0 (all cores) to 1,024
  Progress progress = {};             ///< told of passes over the vertices; may cancel
};

/// Finds a kernel P(o|v) proportional to exp(-epsilon * (d'(v, o) + handicap(o))), d' on shortened roads, of small mean distance between
/// input and output, and certifies it.
///
///     TightKernel tight = calibrate_tight(graph, {.epsilon_per_mm = {1, 100'000}});
///     tight.kernel->kernel().draw(truth, search_on_shortened_roads, noise);
///
/// 1. Full exponent. If handicaps exist that make all totals equal, the totals cost nothing: on a lattice, a line, and on other maps
///    where the solution of sum over o of c(o) exp(-epsilon d(v, o)) = 1 has no negative part. Then d' is d.
/// 2. Split. Otherwise start from half lengths and repeat: compute the totals; give each road the length at which weights and
///    totals together would just use its budget, w' = w / (1 + g), where g is the change of ln T along the road over epsilon w'; in the first rounds
///    also handicap outputs where totals are large. The rounds settle quickly: the loss left over falls by about half each time.
/// 3. Half. The graph-exponential mechanism, if nothing has a smaller mean distance.
///
/// Floating point is used to find lengths and handicaps, never to certify: what is returned keeps epsilon by the integers, or is
/// half lengths, which keep it on every map. Results do not depend on the number of threads.
///
/// Throws InvalidOption for an epsilon, range or prior that does not fit, a road longer than 2,000 km. Cost: about 15 rounds, each a search of radius
/// 16 / epsilon on the shortened roads from every vertex, and one certificate; on small maps some 70 rounds and a dense
/// factorisation.
TightKernel calibrate_tight(const graph::Graph& graph, const TightOptions& options);

/// What a calibration tells of the kernel it found, worked out anew: for kernels that come from elsewhere.
struct TightFigures {
  double mean_share = 0;
  double q_loss_m = 0;
  double half_q_loss_m = 0;
};
TightFigures figures_of(const SplitExponential& kernel, const graph::Graph& graph,
                        const TightOptions& options);

}  // namespace fogline::kernel
