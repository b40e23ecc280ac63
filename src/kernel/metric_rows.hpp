// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "kernel/dense.hpp"
#include "kernel/metric_program.hpp"

namespace fogline::kernel {

/// The Newton steps of kernel/metric_optimal.hpp: the batches' own systems, joined by that of the row sums, S = sum over all outputs of the inverses of their normal matrices.
///
/// S is not formed. Conjugate gradients ask for its products, and an additive Schwarz preconditioner makes them few: a tile has the block of S on the
/// inputs it keeps, added up from the outputs that have one of them, with the map cut off some roads beyond; dense, and factored. Blocks are kept for an iteration more, if that
/// costs few steps.
class MetricRows {
 public:
  /// `product_done` is called after each product with S, and may throw.
  MetricRows(MetricProgram& program, std::function<void()> product_done)
      : program_(program), product_done_(std::move(product_done)) {}

  /// From slacks and duals as they stand; false if floating point can do no more.
  bool factor();

  struct Accuracy {
    double share = 0;  ///< of the first residual, in the norm of the preconditioner, at most
    double row = 0;    ///< what any row may lack, at most
  };
  /// The step towards the batches' targets, into their dx. Returns the multipliers of the rows it aims at, found from a guess.
  std::vector<double> solve(std::span<const double> missing, std::vector<double> guess,
                            const Accuracy& accuracy);

 private:
  bool factor_tiles();
  std::vector<double> direction_sums(std::span<const double> multiplier);
  std::vector<double> multiply(std::span<const double> vector);
  std::vector<double> precondition(std::span<const double> vector) const;

  MetricProgram& program_;
  std::function<void()> product_done_;
  std::vector<DenseCholesky> blocks_;  // of the tiles
  std::size_t most_steps_ = 0;         // of a solve since blocks were made
  std::size_t kept_for_ = 0;           // iterations
};

}  // namespace fogline::kernel
