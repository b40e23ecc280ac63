// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/progress.hpp"
#include "kernel/best_guess.hpp"

namespace fogline::kernel {

/// A kernel whose outputs may be chosen: P(o|v) = weight(v, o) / (sum of weight(v, .) over the outputs in the range).
struct RangeProblem {
  std::span<const double> prior;  ///< of the inputs, public
  TableView weights;              ///< a row per input, a column per output; above 0
  TableView output_loss;          ///< the same shape: what output o costs a user at input v
  TableView input_loss;  ///< inputs by inputs, a metric: what guess v costs an attacker when u is true
};

struct RangeSearchOptions {
  std::optional<double> most_q_loss = {};  ///< theta; empty: the Q_loss of the range of all outputs
  double tolerance = 1e-9;                 ///< relative; smaller changes are no change; 1e-11 to 0.1
  Progress progress = {};                  ///< told of the outputs visited; may cancel
};

struct RangeSearch {
  std::vector<std::uint32_t> range;    ///< the outputs kept, ascending
  std::vector<std::uint32_t> initial;  ///< those kept by the first stage
  double q_loss_all = 0, q_loss_initial = 0, q_loss = 0;
  double pc_initial = 0, pc = 0;  ///< by the posterior attack: AE / Q_loss
  std::uint64_t bounded = 0;      ///< candidates of the second stage that a bound settled
  std::uint64_t computed = 0;     ///< those for which the exact value was needed
};

/// Algorithm 2 of Takagi et al. with the initialisation of their section 5.3.1: a range on which the attacker errs more for each metre that
/// the user loses.
///
///     RangeSearch found = search_range({.prior = prior, .weights = w, .output_loss = d, .input_loss = d});
///
/// First stage: from all outputs, drop one whenever that lowers Q_loss. Second stage: from there, drop one whenever that raises PC = AE /
/// Q_loss and Q_loss stays at most theta; AE is that of the attacker who draws from the posterior. Each stage visits the outputs in order,
/// compares with the range as it is by then, and ends after a visit of all that drops none. The last output is never dropped.
///
/// How the published listing is read: "obj' - obj < 0" is for an objective to be minimised, so PC enters with its sign changed; `obj` is
/// that of the current range, not of the first; `W_0 = W` compares with the range at the start of the same visit. theta is the Q_loss before
/// any optimisation. (With the Q_loss after the first stage the second could drop nothing: the first ended because every drop
/// raises Q_loss.) "Lower" and "higher" mean by more than the tolerance, so that rounding does not choose between equals.
///
/// The range found is that of plain evaluation, and cheaper. Dropping outputs multiplies row v of the joint table by 1 + s_v, so an output's
/// AE is a quadratic form in 1 + s. Its constant and linear parts are exact by matrix products over many candidates; the quadratic part
/// is exact but for the change of the output's mass, a term of third order in s that the triangle inequality bounds. The exact
/// value is computed only where that interval does not decide.
///
/// Throws InvalidOption for tables that do not fit together or hold entries out of range. Cost: first stage inputs x outputs per visit;
/// second, inputs^2 per candidate that theta lets pass, and a few times inputs^2 x outputs when an interval does not decide. Memory: about
/// eight tables. `input_loss` must be symmetric and obey the triangle inequality together with output_loss: d(u, v) <= l(u, o) + l(v, o).
RangeSearch search_range(const RangeProblem& problem, const RangeSearchOptions& options = {});

}  // namespace fogline::kernel
