// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include "kernel/optimal_program.hpp"

namespace fogline::kernel {

/// The Newton steps of kernel/optimal.hpp: the blocks' own systems, joined by the dense one of the row sums.
class OptimalRows {
 public:
  explicit OptimalRows(OptimalProgram& program) : program_(program) {}

  bool factor();  ///< from slacks and duals as they stand; false if floating point can do no more
  /// The step towards the blocks' target products of slack and dual, into their dx. Returns the multipliers of the rows it aims at.
  Eigen::VectorXd solve(const Eigen::VectorXd& missing);

 private:
  bool factor_blocks();
  bool factor_rows();
  void write_panel(std::span<const double> panel, std::span<const std::uint32_t> columns, std::size_t first);
  Eigen::VectorXd solved(const Eigen::VectorXd& right) const;
  void refine(const Eigen::VectorXd& missing, Eigen::VectorXd& aimed);

  OptimalProgram& program_;
  Eigen::MatrixXd rows_;
  Eigen::LLT<Eigen::MatrixXd, Eigen::Lower> cholesky_;
};

}  // namespace fogline::kernel
