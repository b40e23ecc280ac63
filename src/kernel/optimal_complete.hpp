// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/optimal.hpp"

namespace fogline::kernel {

/// kernel/optimal.hpp where every two inputs must look alike at distance 1 (Relation::complete): one hub per output.
///
///     least sum of prior(v) P(o|v) loss(v, o),   rows sum to 1,   m(o) <= P(o|v) <= exp(epsilon) m(o)
///
/// The same interior-point method. With one hub a block's normal matrix is a diagonal with a border, and its inverse
/// a diagonal plus a product of one vector: the n x n matrix of the row sums is one symmetric matrix product. The
/// bound needs no multipliers of the pairs: the cheapest column for given prices of the rows is known in closed form
/// (docs/mechanisms/stream-optimal.md).
///
/// Cost: 10 to 25 iterations of inputs^2 * outputs / 2 multiplications and 40 * inputs * outputs simple operations,
/// on one core.
OptimalTable complete_table(const OptimalProblem& problem, const OptimalOptions& options);

}  // namespace fogline::kernel
