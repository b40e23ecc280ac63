// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Core>

namespace fogline::kernel {

using Table = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using TableView = Eigen::Ref<const Table>;

/// The best that can be guessed from each output of a kernel by somebody who knows the kernel and a prior.
struct BestGuesses {
  std::vector<std::uint32_t> guess;  ///< per output: a row of the loss table
  std::vector<double> loss;          ///< per output: sum over inputs v of prior(v) P(o|v) loss(guess, v)

  double total_loss() const;  ///< over all outputs: the expected loss of the best attack
};

/// For each output of a kernel, the guess of least expected loss. `likelihood` is P(o|v), a row per input; `loss` says what each guess (a
/// row) costs when the truth is each input (a column).
///
///     BestGuesses attack = best_guesses(prior, likelihood, distances_m);
///     attack.total_loss();        // AE: how far, on average, the best attacker is from the truth
///     attack.guess[output];       // the Bayesian remap of that output
///
/// No attack does better, with or without randomness. An attack is a distribution h(.|o) over guesses for each output o; its expected loss
/// is the sum over o of sum_g h(g|o) c(g, o), where c(g, o) = sum_v prior(v) P(o|v) loss(g, v). The outputs share no variable, so the sum
/// is least when each term is, and a mean of numbers c(., o) is least when all its weight lies on the smallest. So no linear program is
/// needed: c is one product of matrices.
///
/// Where several guesses are equally good, to one part in 10^12, the first of them is taken, so that the rounding of the product does
/// not choose. The prior need not add up to 1: all results scale with it. An output that never occurs gets guess 0 and loss 0.
///
/// Throws InvalidOption for tables that do not fit together, and for entries that are not finite or negative. Cost: 2 * guesses * inputs *
/// outputs floating-point operations (kernel/dense.hpp), on all cores; memory for 256 outputs at a time besides the arguments.
BestGuesses best_guesses(std::span<const double> prior, const TableView& likelihood, const TableView& loss);

/// The most likely input of each output: the guess that is right most often. Ties as above; the loss is the probability of the output
/// less that of the guess being right. Cost: one pass over the table.
BestGuesses most_likely_guesses(std::span<const double> prior, const TableView& likelihood);

/// How well three attackers do on average over inputs from the prior and outputs of the kernel. The guesses are the inputs.
struct AttackMeasures {
  double optimal_loss = 0;      ///< guesses what costs least: best_guesses
  double optimal_hits = 0;      ///< probability that this guess is the truth
  double posterior_loss = 0;    ///< guesses by drawing from the posterior given the output
  double posterior_hits = 0;    ///< probability that the draw is the truth
  double most_likely_loss = 0;  ///< guesses what is most likely
  double most_likely_hits = 0;  ///< the largest such probability there is
};

/// All of them from the same product as best_guesses, with the same limits; `loss` has a row and a column per input. The attacker who
/// draws loses at most twice what the best one does if the loss is a metric: go by way of the best guess.
AttackMeasures measure_attacks(std::span<const double> prior, const TableView& likelihood,
                               const TableView& loss);

}  // namespace fogline::kernel
