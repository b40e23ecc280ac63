// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "kernel/best_guess.hpp"
#include "weights/mechanisms/mechanism.hpp"

namespace fogline::weights {

/// A question with two answers: how often the best attacker is right.
struct YesNoAttack {
  double success = 0;  ///< with the release
  double without = 0;  ///< without it
  double bound = 1;    ///< what the guarantee allows
};

/// One edge's weight, by an attacker who knows all other weights, the mechanism and the prior.
struct OneEdgeAttack {
  double error = 0;                  ///< expected |guess - weight| of the guess that is nearest on average
  double error_without = 0;          ///< of the prior's median
  std::optional<double> floor = {};  ///< the guarantee allows no attacker less, where that is known
  double hits = 0;                   ///< probability that the most likely weight is the true one
  double hits_without = 0;           ///< that the prior's most likely one is
  double hits_bound = 1;             ///< what the guarantee allows
};

struct WeightAttacks {
  YesNoAttack
      order;  ///< which of two edges is the heavier, if their weights are drawn from the prior and differ
  YesNoAttack
      equality;  ///< are two weights equal? Half of the time they are, and both are drawn from the prior
  OneEdgeAttack one_edge;
  bool exact =
      true;  ///< false: of a staircase, drawn numbers far outside the range are lumped; then success is a little less than the best
};

/// What the best attackers learn from a release of a sound mechanism. Everything is computed from the mechanism's probabilities; nothing is drawn and no private
/// file is read.
///
///     WeightAttacks found = attack(*mechanism, {});             // prior: all weights of the range alike
///     found.order.success <= found.order.bound;
///
/// Edges are drawn independently, so who knows all other weights knows no more about one than its own number tells.
///
/// Bounds. Let L be the most that one edge's weight can cost to move within the range: epsilon for a whole edge; for a change of at most m, epsilon times
/// the range over m, rounded up; for a trip, epsilon times the range, since a trip adds at most 1. One edge: a weight of prior probability p
/// has a posterior of at most e^L p / (1 - p + e^L p). Equality: "equal" and "different" are told apart by moving one edge, so success is at most e^L / (1 + e^L).
/// Order: exchanging two weights moves two edges, so success is at most e^2L / (1 + e^2L).
///
/// Throws InvalidOption for a grid without end or of more than 2,000 points, and a prior that is not one probability for each. Cost: matrix
/// products of points and outputs: 0.1 s for 501 points.
WeightAttacks attack(const EdgeMechanism& mechanism, std::span<const double> prior);

/// P(output | point), a row per point of the grid. Outputs are the mechanism's table, or the drawn numbers near the range, with all that lie
/// further out lumped at each end. For geometric noise these tell no more about the weight than the lump does.
kernel::Table likelihood_table(const EdgeMechanism& mechanism);

}  // namespace fogline::weights
