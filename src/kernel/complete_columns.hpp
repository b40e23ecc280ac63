// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace fogline::kernel {

/// The inner loops of kernel/optimal_complete.hpp, over one output's column. A column has a multiple of eight entries.
///
/// `low` and `high` are an entry's distances from its bounds m and factor * m, each with its dual; `target` is the product of the two that a
/// step aims at. With weights w = dual / slack, `inverse` is 1 / (w_low + w_high) and `border` (w_low + factor w_high) * inverse.
struct CompleteColumn {
  double *low, *high, *low_dual, *high_dual;
  double *per_low, *per_high, *inverse, *border;
  double *low_target, *high_target, *right, *step;
  const double* cost;
};

/// What a direction allows and leads to.
struct DirectionLook {
  double primal = 0;  ///< the largest fall of a slack, as a share of it
  double dual = 0;    ///< of a dual
  double slack_change = 0, dual_change = 0,
         both_change = 0;  ///< of the sum of all products, by each and by both together

  void take(const DirectionLook& other);
};

class CompleteLoops {
 public:
  CompleteLoops(std::size_t entries, double factor) : entries_(entries), factor_(factor) {}

  /// Slacks and duals into `inverse` and `border`; adds the inverses to `diagonal`. Returns the hub's pivot.
  double weigh(const CompleteColumn& column, double* diagonal) const;
  /// Targets into `right`; returns the hub's own right side with the column eliminated.
  double right_side(const CompleteColumn& column) const;
  /// sums += what the entries move by if the hub moves by `hub` and the rows' prices are 0.
  void add_moves(const CompleteColumn& column, double hub, double* sums) const;
  /// sum of border * price.
  double priced(const CompleteColumn& column, const double* price) const;
  /// The step for these prices and this move of the hub, into `step`; adds it to `sums`.
  DirectionLook direct(const CompleteColumn& column, const double* price, double hub, double* sums) const;
  /// Targets of the corrector: `centring` less what the predictor's products are off by.
  void aim(const CompleteColumn& column, double hub, double centring) const;
  /// Targets of a centrality correction, for steps of these lengths.
  void pull(const CompleteColumn& column, double hub, double primal, double dual, double centring) const;
  /// Goes along the step; adds the entries, without their hub, to `sums`. Returns the sum of products of slack and dual.
  double move(const CompleteColumn& column, double hub, double primal, double dual, double* sums) const;

 private:
  std::size_t entries_;
  double factor_;
};

/// What a column is worth at given prices of its rows: the least of sum t (cost - price) over 1 <= t <= factor; and how fast that grows as the
/// prices are lowered along `weight`.
struct Worth {
  double worth = 0;
  double rate = 0;
};
Worth worth_of(const double* cost, const double* price, const double* weight, double factor,
               std::size_t entries);

}  // namespace fogline::kernel
