// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/progress.hpp"
#include "base/rational.hpp"
#include "kernel/relation.hpp"

namespace fogline::kernel {

/// Which table has the least expected loss among all that keep a promise?
struct OptimalProblem {
  const Relation&
      relation;  ///< what must look alike: metric, policy (every two inputs joined by some chain of pairs) or complete
  double epsilon_per_unit = 0;        ///< of the relation's distance; above 0
  double bound_epsilon_per_unit = 0;  ///< the bound is proved for this one, at least as large; 0: the same
  std::span<const double> prior;      ///< of each input that is not a hub, 0 or more, in all 1
  std::size_t outputs = 0;            ///< 1 or more
  /// Writes the loss of every input that is not a hub if `output` is released: 0 or more, finite. Asked from several
  /// threads.
  std::function<void(std::size_t output, std::span<double> loss)> loss = {};
  /// So many of the last inputs are hubs: no row, no prior, no loss, joined with inputs that are not hubs. A hub at
  /// distance 1 from each of a group stands for all their pairs at distance 2 (docs/mechanisms/stream-optimal.md).
  /// The table has no entries for hubs.
  std::size_t hubs = 0;
};

/// Defaults were chosen, not derived.
struct OptimalOptions {
  double gap = 1e-4;             ///< stop when loss and bound differ by this share of the loss; 1e-9 to 1
  double absolute_gap = 0;       ///< or by this, in the unit of the loss; 0 or more
  std::size_t iterations = 100;  ///< at most; 1 to 1,000
  int threads = 0;               ///< 0 (all cores) to 1,024
  Progress progress = {};        ///< told of iterations; may cancel
};

/// A column of the table: the probabilities of one output.
struct OptimalColumn {
  std::vector<InputId> inputs = {};      ///< where it is free, increasing; empty: all inputs
  std::vector<double> probability = {};  ///< of these
};

struct OptimalTable {
  std::vector<OptimalColumn> columns = {};  ///< one per output
  double loss = 0;                          ///< expected, of these columns
  double lower_bound = 0;                   ///< no table that keeps the promise has a smaller expected loss
  std::size_t iterations = 0;
  bool converged = false;  ///< the gap was reached
};

/// Solves the linear program
///
///     least sum over v, o of prior(v) P(o|v) loss(v, o),   sum over o of P(o|v) = 1,   P(o|u) <= exp(epsilon w) P(o|v)
///
/// on every pair (u, v) of distance w, both ways, by a primal-dual interior-point method that uses the blocks.
///
///     OptimalTable table = optimal_table({.relation = roads, .epsilon_per_unit = 1e-5, .prior = uniform,
///                                         .outputs = n, .loss = metres});
///
/// For one output the unknowns meet only on pairs, so its normal matrix is as sparse as the graph; outputs meet only
/// in the n row sums, one dense n x n matrix, the sum of the blocks' inverses. Every iterate keeps all pairs strictly
/// and row sums nearly; the dual multipliers of the row sums, lowered until no column prices out negative, prove the
/// bound (docs/mechanisms/optimal.md).
///
/// If all inputs must look alike (Relation::complete) one hub is enough, and a special form of the method is an order
/// of magnitude faster (kernel/optimal_complete.hpp): 100 inputs by 100 outputs at epsilon 1 take 4 ms on one core.
///
/// What comes back is floating point and promises nothing yet: kernel/sparse_table.hpp makes integers of it, and a
/// certificate decides.
///
/// Where the loss is the distance itself and there are many inputs, kernel/metric_optimal.hpp does the same in time that grows
/// with their number.
///
/// Throws InvalidOption for an option or a problem outside its range, Cancelled. Cost: about 30 iterations of
/// outputs * inputs^2 * 3 multiplications; memory 100 * outputs * inputs bytes and 8 inputs^2.
OptimalTable optimal_table(const OptimalProblem& problem, const OptimalOptions& options = {});

}  // namespace fogline::kernel
