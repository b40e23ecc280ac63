// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <Eigen/Core>

#include "kernel/range_search.hpp"

namespace fogline::kernel {

/// The rows of a kernel whose range shrinks, and Q_loss by their sums. Part of search_range.
///
///     RangeRows rows(problem);
///     RangeRows::Sums left = rows.without(output);
///     if (rows.q_loss(left) < rows.q_loss()) rows.remove(output);
///
/// Inputs of prior 0 are left out: they count in no measure. Sums lose no digits by subtraction: a row that has become small is added up
/// anew.
class RangeRows {
 public:
  explicit RangeRows(const RangeProblem& problem);

  /// Of each row over the outputs in the range.
  struct Sums {
    Eigen::VectorXd weight;
    Eigen::VectorXd moment;  ///< weight times loss
  };

  const Sums& sums() const { return sums_; }
  Sums without(Eigen::Index output) const;
  double q_loss() const { return q_loss(sums_); }
  double q_loss(const Sums& sums) const;
  void remove(Eigen::Index output);

  bool contains(Eigen::Index output) const { return inside_[static_cast<std::size_t>(output)] != 0; }
  Eigen::Index size() const { return size_; }  ///< outputs in the range
  Eigen::Index inputs() const { return prior_.size(); }
  Eigen::Index outputs() const { return weight_.cols(); }
  std::vector<std::uint32_t> range() const;

  const Eigen::VectorXd& prior() const { return prior_; }
  const Eigen::MatrixXd& weight() const { return weight_; }
  const Eigen::MatrixXd& moment() const { return moment_; }
  const std::vector<Eigen::Index>& used_inputs() const { return used_; }  ///< rows of the problem's tables

 private:
  void add_up(Eigen::Index input, Eigen::Index leaving_out, Sums& sums) const;

  std::vector<Eigen::Index> used_;
  Eigen::VectorXd prior_;
  Eigen::MatrixXd weight_, moment_;  // a column per output
  Sums sums_, summed_;               // now, and when each row was last added up
  std::vector<std::uint8_t> inside_;
  Eigen::Index size_ = 0;
};

}  // namespace fogline::kernel
