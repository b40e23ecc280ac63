// SPDX-License-Identifier: Apache-2.0
#include "kernel/optimal_complete.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Core>

#include "base/error.hpp"
#include "kernel/complete_columns.hpp"
#include "kernel/dense.hpp"
#include "kernel/interior_point.hpp"
#include "kernel/widest.hpp"

namespace fogline::kernel {
namespace {

using Eigen::ArrayXd;
using Eigen::ArrayXXd;
using Eigen::Index;
using Eigen::VectorXd;

/// Shares of a step that keep slacks and duals positive.
struct CompleteSteps {
  double primal = 1;
  double dual = 1;
};
/// Gondzio's corrections in an iteration, at most, and by how much longer steps they aim at: kernel/interior_point.hpp
/// tells more. A solve is dearer beside the dense matrix here, so there are fewer, which aim farther. Chosen, not
/// derived.
constexpr int most_corrections = 2;
constexpr double longer_aimed_by = 0.3;

/// One column per output, one row per input. Rows come in eights: the last ones are inputs that nobody has and nothing
/// costs, which change nothing.
class CompleteSolver {
  static constexpr Index row_unit = widest_numbers;

 public:
  CompleteSolver(const OptimalProblem& problem, const OptimalOptions& options)
      : problem_(problem),
        options_(options),
        inputs_(static_cast<Index>(problem.relation.inputs())),
        entries_((inputs_ + row_unit - 1) / row_unit * row_unit),
        outputs_(static_cast<Index>(problem.outputs)),
        factor_(std::exp(problem.epsilon_per_unit)),
        loops_(static_cast<std::size_t>(entries_), factor_),
        prior_(ArrayXd::Zero(entries_)) {
    prior_.head(inputs_) = Eigen::Map<const ArrayXd>(problem.prior.data(), inputs_);
    read_costs();
    start();
  }

  OptimalTable run() {
    constexpr double row_rounding =
        1e-9;  // what rows may lack of 1 at the end; the integer table makes up for it
    // The products of slack and dual add up to the gap, once the duals fit: a bound before that would be in vain.
    // It is tried from four times the gap on, since prices alone may prove more than they and the duals together.
    constexpr double try_bound_from = 4;
    OptimalTable result;
    ProgressMeter meter(options_.progress, "solving", options_.iterations);
    for (std::size_t iteration = 0;; ++iteration) {
      result.loss = loss();
      const double enough = std::max(options_.gap * result.loss, options_.absolute_gap / unit_);
      if (products_ < try_bound_from * enough || iteration == options_.iterations)
        result.lower_bound = std::max(result.lower_bound, lower_bound());
      result.iterations = iteration;
      result.converged = result.loss - result.lower_bound <= enough && row_error() < row_rounding;
      if (result.converged || iteration == options_.iterations || !step()) break;
      meter.advance();
    }
    meter.finish();
    if (!result.converged) result.lower_bound = std::max(result.lower_bound, lower_bound());
    result.loss *= unit_;
    result.lower_bound = std::clamp(result.lower_bound * unit_, 0.0, result.loss);
    take_columns(result);
    return result;
  }

 private:
  void read_costs() {
    cost_ = ArrayXXd::Zero(entries_, outputs_);
    for (Index o = 0; o < outputs_; ++o) {
      auto column = cost_.col(o).head(inputs_);
      problem_.loss(static_cast<std::size_t>(o), std::span(column.data(), static_cast<std::size_t>(inputs_)));
      if (!column.isFinite().all() || (column < 0).any())
        throw InvalidOption("loss", "must be finite, and 0 or more");
      column *= prior_.head(inputs_);
    }
    // Costs near 1 keep all numbers of the method in a comfortable range.
    unit_ = cost_.sum() / static_cast<double>(inputs_ * outputs_);
    if (!(unit_ > 0)) unit_ = 1;
    cost_ /= unit_;
    column_cost_ = cost_.colwise().sum().transpose();
  }

  /// Every output alike from everywhere; all products of slack and dual equal, and the hubs' own equations solved:
  /// the low dual is `factor` times the high one. The hub lies so that the slacks are as their duals, inversely.
  /// Prices are those that solve the rows' equations in the mean over outputs.
  void start() {
    // Costs are 1 in the mean, and duals are of that order. Chosen, not derived.
    constexpr double dual = 0.3;
    const double level = 1 / static_cast<double>(outputs_), room = (factor_ - 1) / 2 * level;
    hub_ = ArrayXd::Constant(outputs_, level - room / factor_);
    low_ = ArrayXXd::Constant(entries_, outputs_, room / factor_);
    high_ = ArrayXXd::Constant(entries_, outputs_, room);
    low_dual_ = ArrayXXd::Constant(entries_, outputs_, dual);
    high_dual_ = low_dual_ / factor_;
    products_ = 2 * dual * room / factor_ * static_cast<double>(low_.size());
    price_ = cost_.rowwise().mean() - dual * (1 - 1 / factor_);
    missing_ = ArrayXd::Zero(entries_);
    for (ArrayXXd* one :
         {&per_low_, &per_high_, &inverse_, &border_, &low_target_, &high_target_, &right_, &step_})
      one->resize(entries_, outputs_);
  }

  CompleteColumn column(Index o) {
    const Index at = o * entries_;
    return {low_.data() + at,        high_.data() + at,        low_dual_.data() + at, high_dual_.data() + at,
            per_low_.data() + at,    per_high_.data() + at,    inverse_.data() + at,  border_.data() + at,
            low_target_.data() + at, high_target_.data() + at, right_.data() + at,    step_.data() + at,
            cost_.data() + at};
  }

  double loss() const { return (cost_ * low_).sum() + (column_cost_ * hub_).sum(); }
  double row_error() const { return missing_.abs().maxCoeff(); }
  double mean_product() const { return products_ / static_cast<double>(2 * low_.size()); }

  /// The prices of the rows, lowered along the prior until no column pays: docs/mechanisms/stream-optimal.md. What a
  /// column is worth grows with the shift at a rate of at least 1, and the rate falls (it is concave), so that two
  /// tangents come close from below, and what is then missing at rate 1 is always enough.
  double lower_bound() const {
    const double factor = std::exp(std::max(problem_.epsilon_per_unit, problem_.bound_epsilon_per_unit));
    ArrayXd lowered = price_;
    lowered.tail(entries_ - inputs_).setZero();
    constexpr int tangents = 2;
    for (int round = 0; round <= tangents; ++round) {
      double shift = -std::numeric_limits<double>::infinity();
      for (Index o = 0; o < outputs_; ++o) {
        const Worth column = worth_of(cost_.data() + o * entries_, lowered.data(), prior_.data(), factor,
                                      static_cast<std::size_t>(entries_));
        shift =
            std::max(shift, round < tangents ? -column.worth / column.rate : std::max(0.0, -column.worth));
      }
      lowered -= shift * prior_;
    }
    return lowered.sum();
  }

  /// Mehrotra's predictor and corrector, then a few of Gondzio's corrections. False if floating point can do no more.
  bool step() {
    if (!factor_rows()) return false;
    low_target_.setZero();
    high_target_.setZero();
    DirectionLook look = solve();
    const CompleteSteps first = steps_of(look);
    const double after = products_ + first.primal * look.slack_change + first.dual * look.dual_change +
                         first.primal * first.dual * look.both_change;
    const double centring = std::pow(std::max(after, 0.0) / products_, mehrotra_power) * mean_product();
    for (Index o = 0; o < outputs_; ++o) loops_.aim(column(o), d_hub_[o], centring);
    look = solve();
    if (!aimed_.allFinite()) return false;
    CompleteSteps steps = steps_of(look);
    for (int round = 0; round < most_corrections && correct(centring, steps); ++round) {
    }
    move(steps);
    return true;
  }

  /// The Schur complement of all columns: a diagonal, and one product of a matrix with its own transpose.
  bool factor_rows() {
    ArrayXd diagonal = ArrayXd::Zero(entries_);
    pivot_.resize(outputs_);
    for (Index o = 0; o < outputs_; ++o) pivot_[o] = loops_.weigh(column(o), diagonal.data());
    if (!(pivot_ > 0).all()) return false;
    rows_.setZero(entries_, entries_);
    rows_.diagonal() = diagonal;
    const Eigen::MatrixXd scaled = (border_.rowwise() / pivot_.transpose().sqrt()).matrix();
    add_product(scaled, scaled.transpose(), rows_, {.threads = options_.threads, .part = Part::lower});
    return cholesky_.factor(rows_, options_.threads);
  }

  /// The Newton step towards the target products of slack and dual.
  DirectionLook solve() {
    constexpr double left_by_rounding = 1e-13;  // of sums of probabilities, with room to spare
    ArrayXd sums = ArrayXd::Zero(entries_);
    hub_right_.resize(outputs_);
    for (Index o = 0; o < outputs_; ++o) {
      hub_right_[o] = loops_.right_side(column(o));
      loops_.add_moves(column(o), hub_right_[o] / pivot_[o], sums.data());
    }
    aimed_ = solve_rows((missing_ - sums).matrix());
    DirectionLook look = direct(sums);
    // Near the optimum the matrix is nearly singular: what its solution leaves of the row sums is solved for again,
    // once.
    if ((missing_ - sums).abs().maxCoeff() > left_by_rounding) {
      aimed_ += solve_rows((missing_ - sums).matrix());
      look = direct(sums);
    }
    return look;
  }

  ArrayXd solve_rows(const VectorXd& right) const {
    VectorXd solution = right;
    cholesky_.solve(solution);
    return solution.array();
  }

  DirectionLook direct(ArrayXd& sums) {
    DirectionLook look;
    sums.setZero();
    d_hub_.resize(outputs_);
    for (Index o = 0; o < outputs_; ++o) {
      d_hub_[o] = (hub_right_[o] + loops_.priced(column(o), aimed_.data())) / pivot_[o];
      look.take(loops_.direct(column(o), aimed_.data(), d_hub_[o], sums.data()));
    }
    return look;
  }

  static CompleteSteps steps_of(const DirectionLook& look) {
    return {look.primal > 1 ? 1 / look.primal : 1, look.dual > 1 ? 1 / look.dual : 1};
  }

  /// Pulls outlying products of slack and dual back towards `centring`; keeps the new direction if it can be followed
  /// farther.
  bool correct(double centring, CompleteSteps& steps) {
    const CompleteSteps wished{std::min(1.0, longer_steps * steps.primal + longer_aimed_by),
                               std::min(1.0, longer_steps * steps.dual + longer_aimed_by)};
    old_low_target_ = low_target_;
    old_high_target_ = high_target_;
    old_step_ = step_;
    const ArrayXd old_hub = d_hub_, old_aim = aimed_;
    for (Index o = 0; o < outputs_; ++o)
      loops_.pull(column(o), d_hub_[o], wished.primal, wished.dual, centring);
    const CompleteSteps found = steps_of(solve());
    if (aimed_.allFinite() && found.primal + found.dual > steps.primal + steps.dual + least_growth) {
      steps = found;
      return true;
    }
    low_target_.swap(old_low_target_);
    high_target_.swap(old_high_target_);
    step_.swap(old_step_);
    d_hub_ = old_hub;
    aimed_ = old_aim;
    return false;
  }

  void move(const CompleteSteps& longest) {
    const double primal = std::min(1.0, to_boundary * longest.primal);
    const double dual = std::min(1.0, to_boundary * longest.dual);
    ArrayXd sums = ArrayXd::Zero(entries_);
    products_ = 0;
    for (Index o = 0; o < outputs_; ++o)
      products_ += loops_.move(column(o), d_hub_[o], primal, dual, sums.data());
    hub_ += primal * d_hub_;
    price_ += dual * (aimed_ - price_);
    missing_ = 1 - hub_.sum() - sums;
  }

  void take_columns(OptimalTable& result) const {
    for (Index o = 0; o < outputs_; ++o) {
      // A row sums to 1 up to rounding, so that a probability may stand a little above it.
      const ArrayXd probability = (low_.col(o).head(inputs_) + hub_[o]).min(1.0);
      result.columns.push_back({.probability = {probability.begin(), probability.end()}});
    }
  }

  const OptimalProblem& problem_;
  const OptimalOptions& options_;
  Index inputs_, entries_, outputs_;
  double factor_;
  CompleteLoops loops_;
  ArrayXd prior_;
  double unit_ = 1;
  ArrayXXd cost_;
  ArrayXd column_cost_;
  ArrayXXd low_, high_, low_dual_, high_dual_;
  ArrayXd hub_;
  double products_ = 0;              // of slacks and duals, in all
  ArrayXd price_, aimed_, missing_;  // multipliers of the row sums, those aimed at; what the rows lack of 1
  ArrayXXd per_low_, per_high_, inverse_, border_;
  ArrayXd pivot_, hub_right_, d_hub_;
  ArrayXXd low_target_, high_target_, right_, step_;
  ArrayXXd old_low_target_, old_high_target_, old_step_;
  Eigen::MatrixXd rows_;
  DenseCholesky cholesky_;
};

}  // namespace

OptimalTable complete_table(const OptimalProblem& problem, const OptimalOptions& options) {
  CompleteSolver solver(problem, options);
  return solver.run();
}

}  // namespace fogline::kernel
