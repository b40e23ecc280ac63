// SPDX-License-Identifier: Apache-2.0
#include "kernel/optimal.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "kernel/interior_point.hpp"
#include "kernel/optimal_complete.hpp"
#include "kernel/optimal_program.hpp"
#include "kernel/optimal_rows.hpp"

namespace fogline::kernel {
namespace {

using Block = OptimalBlock;

void require_prior(const OptimalProblem& problem) {
  constexpr double rounding = 1e-6;  // priors come from files, with as many digits as somebody wrote
  if (problem.prior.size() != problem.relation.inputs() - problem.hubs)
    throw InvalidOption("prior", "must give every input a probability");
  double sum = 0;
  for (const double probability : problem.prior) {
    if (!(probability >= 0)) throw InvalidOption("prior", "must be 0 or more everywhere");
    sum += probability;
  }
  if (!(std::abs(sum - 1) < rounding)) throw InvalidOption("prior", "must sum to 1");
}

void require_hubs(const OptimalProblem& problem) {
  if (problem.hubs == 0) return;
  if (problem.hubs >= problem.relation.inputs())
    throw InvalidOption("hubs", "must leave an input that is not one");
  const std::size_t states = problem.relation.inputs() - problem.hubs;
  for (const RelatedPair& pair : problem.relation.pairs()) {
    if (pair.from >= states && pair.to >= states) throw InvalidOption("hubs", "must not be joined with hubs");
  }
}

void require_valid(const OptimalProblem& problem, const OptimalOptions& options) {
  constexpr double least_gap = 1e-9;  // a smaller one would be decided by rounding
  if (problem.relation.kind() == Relation::Kind::one_sided)
    throw InvalidOption("relation", "must be a metric, a policy or complete");
  if (!(problem.epsilon_per_unit > 0) || !std::isfinite(problem.epsilon_per_unit))
    throw InvalidOption("epsilon", "must be a number above 0");
  if (problem.outputs < 1) throw InvalidOption("outputs", "must be at least 1");
  require_hubs(problem);
  require_prior(problem);
  if (!(options.gap >= least_gap && options.gap <= 1))
    throw InvalidOption("gap", "must lie between 1e-9 and 1");
  if (!(options.absolute_gap >= 0)) throw InvalidOption("absolute gap", "must be 0 or more");
  if (options.iterations < 1 || options.iterations > most_iterations)
    throw InvalidOption("iterations", "must lie between 1 and 1,000");
}

/// Gondzio's corrections in an iteration, at most. Each is one more solve with factors that are there already, so
/// several are worth it beside the dense matrix; later ones gain less.
constexpr int corrections = 3;

class Solver {
 public:
  Solver(const OptimalProblem& problem, const OptimalOptions& options)
      : options_(options),
        program_(problem, options),
        rows_(program_),
        lambda_(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(program_.places()))) {}

  OptimalTable run() {
    constexpr double exact_rows = 1e-9;  // what they may lack of 1; the integer table makes up for it
    OptimalTable result;
    GapMeter meter(options_.progress, options_.gap);
    for (std::size_t iteration = 0;; ++iteration) {
      result.loss = program_.loss();
      const double bound = program_.lower_bound(lambda_, &BlockPattern::Arc::p);
      const double gap = std::isfinite(bound) ? (result.loss - bound) / result.loss : 1;
      const bool is_near =
          gap <= options_.gap || (result.loss - bound) * program_.unit() <= options_.absolute_gap;
      missing_ = program_.missing();
      result.iterations = iteration;
      result.converged = is_near && missing_.cwiseAbs().maxCoeff() < exact_rows;
      meter.begin(gap, rows_.pieces());
      if (result.converged || iteration == options_.iterations || !step(meter)) break;
    }
    meter.finish();
    // The bound that is told is proved for the full epsilon, of which the solver was given a little less.
    result.loss *= program_.unit();
    const double bound = program_.lower_bound(lambda_, &BlockPattern::Arc::bound_p) * program_.unit();
    result.lower_bound = std::isfinite(bound) ? std::clamp(bound, 0.0, result.loss) : 0;
    program_.take_columns(result);
    return result;
  }

 private:
  /// Mehrotra's predictor and corrector, then a few of Gondzio's corrections, which cost little beside the dense
  /// matrix and let the steps be longer. False if floating point can do no more.
  bool step(GapMeter& meter) {
    if (!rows_.factor([&] { meter.advance(); })) return false;
    // The predictor aims at products of 0, the optimum.
    program_.each_block([](Block& block, std::size_t) { block.target.assign(block.z.size(), 0.0); });
    aimed_ = rows_.solve(missing_);
    // How far it gets says how much centring is needed.
    const double now = program_.mean_product();
    const double left = std::max(average_product_after(find_longest_steps()), 0.0);
    const double centring = std::pow(left / now, mehrotra_power) * now;
    // The corrector takes off what the predictor's linear step leaves of the products, ds * dz.
    program_.each_block([&](Block& block, std::size_t) {
      const auto arcs = block.pattern->arcs();
      for (std::size_t a = 0; a < arcs.size(); ++a) {
        const ArcStep step = find_arc_step(block, a);
        block.target[a] = centring - step.ds * step.dz;
      }
    });
    aimed_ = rows_.solve(missing_);
    StepLengths steps = find_longest_steps();
    for (int round = 0; round < corrections && correct(centring, steps); ++round) {
    }
    move(steps);
    return true;
  }

  /// Pulls outlying products of slack and dual back towards `centring`; keeps the new direction if it can be followed
  /// farther.
  bool correct(double centring, StepLengths& steps) {
    const StepLengths wished{std::min(1.0, longer_steps * steps.primal + longer_by),
                             std::min(1.0, longer_steps * steps.dual + longer_by)};
    program_.each_block([&](Block& block, std::size_t) {
      block.old_target = block.target;
      block.old_dx = block.dx;
      for (std::size_t a = 0; a < block.z.size(); ++a) {
        const ArcStep step = find_arc_step(block, a);
        const double product = (step.s + wished.primal * step.ds) * (block.z[a] + wished.dual * step.dz);
        const double wanted = std::clamp(product, least_product * centring, most_product * centring);
        block.target[a] += std::max(wanted - product, -most_product * centring);
      }
    });
    const Eigen::VectorXd old_aim = aimed_;
    aimed_ = rows_.solve(missing_);
    const StepLengths found = find_longest_steps();
    if (found.primal + found.dual > steps.primal + steps.dual + least_growth) {
      steps = found;
      return true;
    }
    aimed_ = old_aim;
    program_.each_block([](Block& block, std::size_t) {
      block.target.swap(block.old_target);
      block.dx.swap(block.old_dx);
    });
    return false;
  }

  /// A slack, its step and its dual's: dz from the linear equation z ds + s dz = target - s z. It is computed anew
  /// wherever it is needed, so that blocks, of which there are many, need no memory for it.
  struct ArcStep {
    double s, ds, dz;
  };
  static ArcStep find_arc_step(const Block& block, std::size_t a) {
    const auto& arc = block.pattern->arcs()[a];
    const double s = slack(arc, block.x);
    const double ds = slack(arc, block.dx);
    return {s, ds, (block.target[a] - block.z[a] * ds) / s - block.z[a]};
  }

  StepLengths find_longest_steps() {
    std::vector<StepLengths> longest(program_.blocks().size(), {1, 1});
    program_.each_block([&](Block& block, std::size_t o) {
      for (std::size_t a = 0; a < block.z.size(); ++a) {
        const auto [s, ds, dz] = find_arc_step(block, a);
        if (ds < 0) longest[o].primal = std::min(longest[o].primal, -s / ds);
        if (dz < 0) longest[o].dual = std::min(longest[o].dual, -block.z[a] / dz);
      }
    });
    StepLengths result{1, 1};
    for (const StepLengths& one : longest) {
      result.primal = std::min(result.primal, one.primal);
      result.dual = std::min(result.dual, one.dual);
    }
    return result;
  }

  double average_product_after(const StepLengths& steps) {
    std::vector<double> sum(program_.blocks().size(), 0);
    program_.each_block([&](Block& block, std::size_t o) {
      for (std::size_t a = 0; a < block.z.size(); ++a) {
        const auto [s, ds, dz] = find_arc_step(block, a);
        sum[o] += (s + steps.primal * ds) * (block.z[a] + steps.dual * dz);
      }
    });
    return std::accumulate(sum.begin(), sum.end(), 0.0) / static_cast<double>(program_.arcs());
  }

  void move(const StepLengths& longest) {
    const StepLengths steps{std::min(1.0, to_boundary * longest.primal),
                            std::min(1.0, to_boundary * longest.dual)};
    program_.each_block([&](Block& block, std::size_t) {
      // Duals first: their steps depend on the slacks as they were.
      for (std::size_t a = 0; a < block.z.size(); ++a) block.z[a] += steps.dual * find_arc_step(block, a).dz;
      for (std::size_t i = 0; i < block.x.size(); ++i) block.x[i] += steps.primal * block.dx[i];
    });
    lambda_ += steps.dual * (aimed_ - lambda_);
  }

  const OptimalOptions& options_;
  OptimalProgram program_;
  OptimalRows rows_;
  Eigen::VectorXd missing_;
  Eigen::VectorXd lambda_, aimed_;  // multipliers of the row sums, by place
};

}  // namespace

OptimalTable optimal_table(const OptimalProblem& problem, const OptimalOptions& options) {
  require_valid(problem, options);
  if (problem.relation.kind() == Relation::Kind::complete) return complete_table(problem, options);
  Solver solver(problem, options);
  return solver.run();
}

}  // namespace fogline::kernel
