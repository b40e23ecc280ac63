// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <Eigen/Core>

#include "kernel/range_rows.hpp"

namespace fogline::kernel {

/// A number that lies between two others, both included.
struct Interval {
  double low = 0;
  double high = 0;
};

/// AE of the attacker who draws from the posterior, for ranges with one output fewer. Part of search_range.
///
///     PosteriorBounds error(rows, distance);
///     std::vector<Interval> ae = error.without(rows, {{17, left_17}, {23, left_23}});
///     rows.remove(17); error.remove(17);         // later candidates are bounded from here
///
/// Works from a snapshot of the range. Let q_o(v) = prior(v) P(o|v) be the snapshot's column of output o, m_o its sum, and D the distances:
/// AE is the sum over o of q_o' D q_o / m_o. Other row totals multiply q_o(v) by 1 + s_v, with s >= 0 when outputs have gone, so that
///
///     AE = sum over o of (q_o' D q_o + 2 (q_o s)' D q_o + (q_o s)' D (q_o s)) / (m_o + x_o),   x_o = q_o . s .
///
/// The first two terms are products of matrices. Of the third, the sum with 1/m_o in place of 1/(m_o + x_o) is one quadratic form in s; each
/// of its terms lies between 0 and 2 x_o (q_o s) . l_o, where l_o(v) is the loss from v to o, by the triangle inequality.
class PosteriorBounds {
 public:
  struct Candidate {
    Eigen::Index output = 0;
    RangeRows::Sums left;  ///< the rows without it
  };

  PosteriorBounds(const RangeRows& rows, Eigen::MatrixXd input_loss);

  void refresh(const RangeRows& rows);          ///< takes a new snapshot
  bool fresh() const { return removed_ == 0; }  ///< is the range still that of the snapshot?
  double value() const;                         ///< AE of the snapshot

  std::vector<Interval> without(const std::vector<Candidate>& candidates) const;
  double exactly_without(const Candidate& candidate) const;  ///< only while fresh()
  void remove(Eigen::Index output);

 private:
  Eigen::VectorXd change(const Candidate& candidate) const;
  Interval bound(Eigen::Index column, const Eigen::VectorXd& x, const Eigen::VectorXd& linear,
                 const Eigen::VectorXd& spread, double quadratic) const;

  Eigen::MatrixXd distance_;          // inputs by inputs
  Eigen::VectorXd total_;             // of the rows at the snapshot
  Eigen::MatrixXd joint_;             // q, a column per output of the snapshot
  Eigen::MatrixXd linear_;            // q times (D q), entry by entry
  Eigen::MatrixXd spread_;            // q times the loss to the output, entry by entry
  Eigen::MatrixXd quadratic_;         // D times the sum of q q' / m over the outputs left, entry by entry
  Eigen::VectorXd mass_, own_;        // m and q' D q
  Eigen::VectorXd left_;              // 1 for the outputs not removed since, else 0
  std::vector<Eigen::Index> column_;  // of each output; -1 for none
  Eigen::Index removed_ = 0;
};

}  // namespace fogline::kernel
