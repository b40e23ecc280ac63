// SPDX-License-Identifier: Apache-2.0
#include "kernel/range_rows.hpp"

#include <cmath>

#include "base/error.hpp"

namespace fogline::kernel {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// A difference below this share of the minuend has lost too many digits: four bits of 53, which tolerances of 10^-11
// can spare.
constexpr double cancelled = 1.0 / 16;

bool is_finite_sum(double sum) {
  return sum >= 0 && sum < HUGE_VAL;
}

void require_problem(const RangeProblem& problem) {
  const Index inputs = static_cast<Index>(problem.prior.size());
  const Index outputs = problem.weights.cols();
  if (inputs < 1 || outputs < 1) throw InvalidOption("range", "needs at least one input and one output");
  if (problem.weights.rows() != inputs || problem.output_loss.rows() != inputs ||
      problem.output_loss.cols() != outputs || problem.input_loss.rows() != inputs ||
      problem.input_loss.cols() != inputs) {
    throw InvalidOption("range", "needs tables that fit together");
  }
  double total = 0;
  for (const double share : problem.prior) {
    if (!is_finite_sum(share))
      throw InvalidOption("prior", "must hold finite numbers, none of them negative");
    total += share;
  }
  if (!(total > 0)) throw InvalidOption("prior", "is 0 everywhere");
  if (!(problem.weights.minCoeff() > 0) || !is_finite_sum(problem.weights.sum()))
    throw InvalidOption("weights", "must be finite and above 0");
  if (!(problem.output_loss.minCoeff() >= 0) || !is_finite_sum(problem.output_loss.sum()) ||
      !(problem.input_loss.minCoeff() >= 0) || !is_finite_sum(problem.input_loss.sum())) {
    throw InvalidOption("loss", "must be finite and not negative");
  }
}

}  // namespace

RangeRows::RangeRows(const RangeProblem& problem) {
  require_problem(problem);
  for (std::size_t v = 0; v < problem.prior.size(); ++v) {
    if (problem.prior[v] > 0) used_.push_back(static_cast<Index>(v));
  }
  prior_.resize(static_cast<Index>(used_.size()));
  for (Index row = 0; row < inputs(); ++row)
    prior_[row] = problem.prior[static_cast<std::size_t>(used_[static_cast<std::size_t>(row)])];
  prior_ /= prior_.sum();
  weight_ = problem.weights(used_, Eigen::all);
  moment_ = weight_.cwiseProduct(problem.output_loss(used_, Eigen::all));
  inside_.assign(static_cast<std::size_t>(outputs()), 1);
  size_ = outputs();
  sums_ = {weight_.rowwise().sum(), moment_.rowwise().sum()};
  summed_ = sums_;
}

void RangeRows::add_up(Index input, Index leaving_out, Sums& sums) const {
  double weight = 0, moment = 0;
  for (Index output = 0; output < outputs(); ++output) {
    if (!contains(output) || output == leaving_out) continue;
    weight += weight_(input, output);
    moment += moment_(input, output);
  }
  sums.weight[input] = weight;
  sums.moment[input] = moment;
}

RangeRows::Sums RangeRows::without(Index output) const {
  Sums left{sums_.weight - weight_.col(output), sums_.moment - moment_.col(output)};
  const Eigen::Array<bool, Eigen::Dynamic, 1> lost =
      (left.weight.array() < cancelled * sums_.weight.array()) ||
      (left.moment.array() < cancelled * sums_.moment.array());
  if (lost.any()) {
    for (Index input = 0; input < inputs(); ++input) {
      if (lost[input]) add_up(input, output, left);
    }
  }
  return left;
}

double RangeRows::q_loss(const Sums& sums) const {
  return (prior_.array() * sums.moment.array() / sums.weight.array()).sum();
}

void RangeRows::remove(Index output) {
  sums_ = without(output);
  inside_[static_cast<std::size_t>(output)] = 0;
  --size_;
  for (Index input = 0; input < inputs(); ++input) {
    if (sums_.weight[input] > summed_.weight[input] / 2 && sums_.moment[input] > summed_.moment[input] / 2)
      continue;
    add_up(input, -1, sums_);
    summed_.weight[input] = sums_.weight[input];
    summed_.moment[input] = sums_.moment[input];
  }
}

std::vector<std::uint32_t> RangeRows::range() const {
  std::vector<std::uint32_t> result;
  for (Index output = 0; output < outputs(); ++output) {
    if (contains(output)) result.push_back(static_cast<std::uint32_t>(output));
  }
  return result;
}

}  // namespace fogline::kernel
