// SPDX-License-Identifier: Apache-2.0
#include "kernel/posterior_bounds.hpp"

#include <algorithm>
#include <utility>

#include <Eigen/Dense>

#include "kernel/dense.hpp"

namespace fogline::kernel {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double rounding = 1e-12;  // relative error of the sums here, with room to spare

}  // namespace

PosteriorBounds::PosteriorBounds(const RangeRows& rows, MatrixXd input_loss)
    : distance_(std::move(input_loss)) {
  refresh(rows);
}

void PosteriorBounds::refresh(const RangeRows& rows) {
  const std::vector<std::uint32_t> range = rows.range();
  const auto outputs = static_cast<Index>(range.size());
  total_ = rows.sums().weight;
  column_.assign(static_cast<std::size_t>(rows.outputs()), -1);
  const VectorXd scale = rows.prior().cwiseQuotient(total_);
  joint_.resize(rows.inputs(), outputs);
  spread_.resize(rows.inputs(), outputs);
  for (Index column = 0; column < outputs; ++column) {
    const Index output = range[static_cast<std::size_t>(column)];
    column_[static_cast<std::size_t>(output)] = column;
    joint_.col(column) = rows.weight().col(output).cwiseProduct(scale);
    spread_.col(column) = rows.moment().col(output).cwiseProduct(scale);
  }
  mass_ = joint_.colwise().sum();
  const MatrixXd shared = joint_ * mass_.cwiseInverse().asDiagonal();
  set_product(shared, joint_.transpose(), quadratic_);
  quadratic_.array() *= distance_.array();
  set_product(distance_, joint_, linear_);
  linear_.array() *= joint_.array();
  own_ = linear_.colwise().sum();
  left_ = VectorXd::Ones(outputs);
  removed_ = 0;
}

double PosteriorBounds::value() const {
  return own_.cwiseQuotient(mass_).sum();
}

VectorXd PosteriorBounds::change(const Candidate& candidate) const {
  return (total_ - candidate.left.weight).cwiseQuotient(candidate.left.weight);
}

Interval PosteriorBounds::bound(Index column, const VectorXd& x, const VectorXd& linear,
                                const VectorXd& spread, double quadratic) const {
  double certain = 0, doubtful = 0, largest_share = 0;
  for (Index o = 0; o < mass_.size(); ++o) {
    if (o == column || left_[o] == 0) continue;
    const double mass = mass_[o] + x[o], share = x[o] / mass;
    certain += (own_[o] + 2 * linear[o]) / mass;
    doubtful += share * 2 * x[o] * spread[o] / mass_[o];
    largest_share = std::max(largest_share, share);
  }
  const double high = certain + std::max(0.0, quadratic);
  const double low = high - std::min(doubtful, largest_share * std::max(0.0, quadratic));
  return {low * (1 - rounding), high * (1 + rounding)};
}

std::vector<Interval> PosteriorBounds::without(const std::vector<Candidate>& candidates) const {
  const auto count = static_cast<Index>(candidates.size());
  MatrixXd s(total_.size(), count), own_column(total_.size(), count);
  for (Index i = 0; i < count; ++i) {
    const Candidate& candidate = candidates[static_cast<std::size_t>(i)];
    s.col(i) = change(candidate);
    own_column.col(i) =
        s.col(i).cwiseProduct(joint_.col(column_[static_cast<std::size_t>(candidate.output)]));
  }
  const MatrixXd x = product(joint_.transpose(), s), linear = product(linear_.transpose(), s),
                 spread = product(spread_.transpose(), s), through = product(quadratic_, s),
                 own_through = product(distance_, own_column);
  std::vector<Interval> result;
  for (Index i = 0; i < count; ++i) {
    const Index column = column_[static_cast<std::size_t>(candidates[static_cast<std::size_t>(i)].output)];
    // The candidate's own output goes with it.
    const double quadratic =
        s.col(i).dot(through.col(i)) - own_column.col(i).dot(own_through.col(i)) / mass_[column];
    result.push_back(bound(column, x.col(i), linear.col(i), spread.col(i), quadratic));
  }
  return result;
}

double PosteriorBounds::exactly_without(const Candidate& candidate) const {
  const VectorXd s = change(candidate);
  const MatrixXd added = s.asDiagonal() * joint_;
  const MatrixXd through = product(distance_, added);
  const VectorXd x = added.colwise().sum(), linear = linear_.transpose() * s,
                 quadratic = added.cwiseProduct(through).colwise().sum();
  double sum = 0;
  for (Index o = 0; o < mass_.size(); ++o) {
    if (o != column_[static_cast<std::size_t>(candidate.output)])
      sum += (own_[o] + 2 * linear[o] + quadratic[o]) / (mass_[o] + x[o]);
  }
  return sum;
}

void PosteriorBounds::remove(Index output) {
  const Index column = column_[static_cast<std::size_t>(output)];
  const VectorXd joint = joint_.col(column);
  for (Index v = 0; v < joint.size(); ++v)
    quadratic_.col(v) -= (joint[v] / mass_[column]) * distance_.col(v).cwiseProduct(joint);
  left_[column] = 0;
  ++removed_;
}

}  // namespace fogline::kernel
