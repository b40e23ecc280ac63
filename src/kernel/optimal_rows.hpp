// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include <Eigen/Core>

#include "kernel/dense.hpp"
#include "kernel/optimal_program.hpp"

namespace fogline::kernel {

/// The Newton steps of kernel/optimal.hpp: the blocks' own systems, joined by the dense one of the row sums.
class OptimalRows {
 public:
  explicit OptimalRows(OptimalProgram& program) : program_(program) {}

  /// From slacks and duals as they stand; false if floating point can do no more. `panel_done` is called pieces()
  /// times, from several threads, and may throw.
  bool factor(const std::function<void()>& panel_done);
  std::size_t pieces() const;  ///< that most of the time goes into
  /// The step towards the blocks' target products of slack and dual, into their dx. Returns the multipliers of the
  /// rows it aims at.
  Eigen::VectorXd solve(const Eigen::VectorXd& missing);

 private:
  bool factor_blocks();
  bool factor_rows(const std::function<void()>& panel_done);
  void write_panel(std::span<const double> panel, std::span<const std::uint32_t> columns, std::size_t first);
  Eigen::VectorXd solved(const Eigen::VectorXd& right) const;
  void refine(const Eigen::VectorXd& missing, Eigen::VectorXd& aimed);

  OptimalProgram& program_;
  Eigen::MatrixXd rows_;  // as it is added up; the factor takes it
  DenseCholesky cholesky_;
};

}  // namespace fogline::kernel
