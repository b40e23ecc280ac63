// SPDX-License-Identifier: Apache-2.0
#include "kernel/best_guess.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/Dense>

#include "base/error.hpp"
#include "kernel/dense.hpp"

namespace fogline::kernel {
namespace {

using Eigen::Index;
using Panel = Eigen::MatrixXd;  // a column per output, so that a column is read in one run

constexpr Index panel_columns = 256;  // outputs at a time, which bounds the memory; sums do not cross them
constexpr double same = 1e-12;        // relative difference below which two guesses are equally good

void require_counts(const TableView& table, const char* name) {
  // A sum is finite only if all its terms are; NaN fails the comparison.
  if (table.size() > 0 && !(table.minCoeff() >= 0 && table.sum() < HUGE_VAL)) {
    throw InvalidOption(name, "must hold finite numbers, none of them negative");
  }
}

void require_kernel(std::span<const double> prior, const TableView& likelihood) {
  if (prior.size() != static_cast<std::size_t>(likelihood.rows()))
    throw InvalidOption("prior", "must have a probability for each row of the likelihood");
  for (const double share : prior) {
    if (!(share >= 0 && share < HUGE_VAL))
      throw InvalidOption("prior", "must hold finite numbers, none of them negative");
  }
  require_counts(likelihood, "likelihood");
}

void require_loss(const TableView& likelihood, const TableView& loss) {
  if (loss.cols() != likelihood.rows() || loss.rows() < 1)
    throw InvalidOption("loss", "must have a row per guess and a column per input");
  require_counts(loss, "loss");
}

/// Calls body(first output, joint) for panels of outputs; joint holds prior(v) P(o|v), an output per column.
template <class Body>
void for_each_panel(std::span<const double> prior, const TableView& likelihood, const Body& body) {
  const Eigen::Map<const Eigen::VectorXd> share(prior.data(), static_cast<Index>(prior.size()));
  Panel joint;
  for (Index first = 0; first < likelihood.cols(); first += panel_columns) {
    const Index width = std::min(panel_columns, likelihood.cols() - first);
    joint = share.asDiagonal() * likelihood.middleCols(first, width);
    body(first, joint);
  }
}

/// The first row that is as small as the smallest, but for rounding.
template <class Column>
Index first_smallest(const Column& values) {
  const double bound = values.minCoeff() * (1 + same);
  Index row = 0;
  while (values[row] > bound) ++row;
  return row;
}

template <class Column>
Index first_largest(const Column& values) {
  const double bound = values.maxCoeff() * (1 - same);
  Index row = 0;
  while (values[row] < bound) ++row;
  return row;
}

BestGuesses room_for(Index outputs) {
  const auto count = static_cast<std::size_t>(outputs);
  return {std::vector<std::uint32_t>(count), std::vector<double>(count)};
}

void add_output(const Eigen::Ref<const Eigen::VectorXd>& joint, const Eigen::Ref<const Eigen::VectorXd>& cost,
                AttackMeasures& sums) {
  const double mass = joint.sum();
  if (!(mass > 0)) return;
  const Index best = first_smallest(cost), likeliest = first_largest(joint);
  sums.optimal_loss += cost[best];
  sums.optimal_hits += joint[best];
  sums.posterior_loss += joint.dot(cost) / mass;
  sums.posterior_hits += joint.squaredNorm() / mass;
  sums.most_likely_loss += cost[likeliest];
  sums.most_likely_hits += joint[likeliest];
}

}  // namespace

double BestGuesses::total_loss() const {
  return std::accumulate(loss.begin(), loss.end(), 0.0);
}

BestGuesses best_guesses(std::span<const double> prior, const TableView& likelihood, const TableView& loss) {
  require_kernel(prior, likelihood);
  require_loss(likelihood, loss);
  BestGuesses result = room_for(likelihood.cols());
  Panel cost;
  for_each_panel(prior, likelihood, [&](Index first, const Panel& joint) {
    set_product(loss, joint, cost);
    for (Index column = 0; column < cost.cols(); ++column) {
      const Index best = first_smallest(cost.col(column));
      const auto output = static_cast<std::size_t>(first + column);
      result.guess[output] = static_cast<std::uint32_t>(best);
      result.loss[output] = cost(best, column);
    }
  });
  return result;
}

BestGuesses most_likely_guesses(std::span<const double> prior, const TableView& likelihood) {
  require_kernel(prior, likelihood);
  if (likelihood.rows() < 1) throw InvalidOption("likelihood", "must have a row");
  BestGuesses result = room_for(likelihood.cols());
  for_each_panel(prior, likelihood, [&](Index first, const Panel& joint) {
    for (Index column = 0; column < joint.cols(); ++column) {
      const Index likeliest = first_largest(joint.col(column));
      const auto output = static_cast<std::size_t>(first + column);
      result.guess[output] = static_cast<std::uint32_t>(likeliest);
      result.loss[output] = joint.col(column).sum() - joint(likeliest, column);
    }
  });
  return result;
}

AttackMeasures measure_attacks(std::span<const double> prior, const TableView& likelihood,
                               const TableView& loss) {
  require_kernel(prior, likelihood);
  require_loss(likelihood, loss);
  if (loss.rows() != loss.cols()) throw InvalidOption("loss", "must have as many rows as columns");
  AttackMeasures sums;
  Panel cost;
  for_each_panel(prior, likelihood, [&](Index, const Panel& joint) {
    set_product(loss, joint, cost);
    for (Index column = 0; column < cost.cols(); ++column)
      add_output(joint.col(column), cost.col(column), sums);
  });
  return sums;
}

}  // namespace fogline::kernel
