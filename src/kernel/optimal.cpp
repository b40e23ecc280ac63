// SPDX-License-Identifier: Apache-2.0
#include "kernel/optimal.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "kernel/optimal_complete.hpp"
#include "kernel/optimal_program.hpp"
#include "kernel/optimal_rows.hpp"

namespace fogline::kernel {
namespace {

using Block = OptimalBlock;

void require_prior(const OptimalProblem& problem) {
  if (problem.prior.size() != problem.relation.inputs() - problem.hubs)
    throw InvalidOption("prior", "must give every input a probability");
  double sum = 0;
  for (const double probability : problem.prior) {
    if (!(probability >= 0)) throw InvalidOption("prior", "must be 0 or more everywhere");
    sum += probability;
  }
  if (!(std::abs(sum - 1) < 1e-6)) throw InvalidOption("prior", "must sum to 1");
}

void require_hubs(const OptimalProblem& problem, const OptimalOptions& options) {
  if (problem.hubs == 0) return;
  if (problem.hubs >= problem.relation.inputs())
    throw InvalidOption("hubs", "must leave an input that is not one");
  if (options.free_inputs != 0) throw InvalidOption("free_inputs", "must be 0 with hubs");
  const std::size_t states = problem.relation.inputs() - problem.hubs;
  for (const RelatedPair& pair : problem.relation.pairs()) {
    if (pair.from >= states && pair.to >= states) throw InvalidOption("hubs", "must not be joined with hubs");
  }
}

void require_valid(const OptimalProblem& problem, const OptimalOptions& options) {
  if (problem.relation.kind() == Relation::Kind::one_sided)
    throw InvalidOption("relation", "must be a metric, a policy or complete");
  if (!(problem.epsilon_per_unit > 0) || !std::isfinite(problem.epsilon_per_unit))
    throw InvalidOption("epsilon", "must be a number above 0");
  if (problem.outputs < 1) throw InvalidOption("outputs", "must be at least 1");
  require_hubs(problem, options);
  require_prior(problem);
  if (!(options.gap >= 1e-9 && options.gap <= 1)) throw InvalidOption("gap", "must lie between 1e-9 and 1");
  if (!(options.absolute_gap >= 0)) throw InvalidOption("absolute gap", "must be 0 or more");
  if (options.iterations < 1 || options.iterations > 1000)
    throw InvalidOption("iterations", "must lie between 1 and 1,000");
}

/// Shares of a step that keep slacks and duals positive.
struct Steps {
  double primal = 1;
  double dual = 1;
};
constexpr int corrections = 3;

class Solver {
 public:
  Solver(const OptimalProblem& problem, const OptimalOptions& options)
      : options_(options),
        program_(problem, options),
        rows_(program_),
        lambda_(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(program_.places()))) {}

  OptimalTable run() {
    OptimalTable result;
    ProgressMeter meter(options_.progress, "solving", options_.iterations);
    for (std::size_t iteration = 0;; ++iteration) {
      result.loss = program_.loss();
      const double bound = program_.lower_bound(lambda_, &BlockPattern::Arc::p);
      const double gap = std::isfinite(bound) ? (result.loss - bound) / result.loss : 1;
      const bool is_near =
          gap <= options_.gap || (result.loss - bound) * program_.unit() <= options_.absolute_gap;
      missing_ = program_.missing(gap < 10 * options_.gap);
      result.iterations = iteration;
      result.converged = is_near && missing_.cwiseAbs().maxCoeff() < (program_.is_local() ? 1e-6 : 1e-9);
      if (result.converged || iteration == options_.iterations || !step()) break;
      meter.advance();
    }
    meter.finish();
    result.loss *= program_.unit();
    const double bound = program_.lower_bound(lambda_, &BlockPattern::Arc::bound_p) * program_.unit();
    result.lower_bound = std::isfinite(bound) ? std::clamp(bound, 0.0, result.loss) : 0;
    program_.take_columns(result);
    return result;
  }

 private:
  /// Mehrotra's predictor and corrector, then a few of Gondzio's corrections, which cost little beside the dense matrix and let the
  /// steps be longer. False if floating point can do no more.
  bool step() {
    if (!rows_.factor()) return false;
    program_.each_block([](Block& block, std::size_t) { block.target.assign(block.z.size(), 0.0); });
    aimed_ = rows_.solve(missing_);
    const double now = program_.mean_product();
    const double centring = std::pow(std::max(mu_after(longest_steps()), 0.0) / now, 3) * now;
    program_.each_block([&](Block& block, std::size_t) {
      const auto arcs = block.pattern->arcs();
      for (std::size_t a = 0; a < arcs.size(); ++a) {
        const ArcStep step = arc_step(block, a);
        block.target[a] = centring - step.ds * step.dz;
      }
    });
    aimed_ = rows_.solve(missing_);
    Steps steps = longest_steps();
    for (int round = 0; round < corrections && correct(centring, steps); ++round) {
    }
    move(steps);
    return true;
  }

  /// Pulls outlying products of slack and dual back towards `centring`; keeps the new direction if it can be followed farther.
  bool correct(double centring, Steps& steps) {
    const Steps wished{std::min(1.0, 1.1 * steps.primal + 0.1), std::min(1.0, 1.1 * steps.dual + 0.1)};
    program_.each_block([&](Block& block, std::size_t) {
      block.old_target = block.target;
      block.old_dx = block.dx;
      for (std::size_t a = 0; a < block.z.size(); ++a) {
        const ArcStep step = arc_step(block, a);
        const double product = (step.s + wished.primal * step.ds) * (block.z[a] + wished.dual * step.dz);
        const double wanted = std::clamp(product, 0.1 * centring, 10 * centring);
        block.target[a] += std::max(wanted - product, -10 * centring);
      }
    });
    const Eigen::VectorXd old_aim = aimed_;
    aimed_ = rows_.solve(missing_);
    const Steps found = longest_steps();
    if (found.primal + found.dual > steps.primal + steps.dual + 0.02) {
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

  struct ArcStep {
    double s, ds, dz;
  };
  static ArcStep arc_step(const Block& block, std::size_t a) {
    const auto& arc = block.pattern->arcs()[a];
    const double s = slack(arc, block.x);
    const double ds = slack(arc, block.dx);
    return {s, ds, (block.target[a] - block.z[a] * ds) / s - block.z[a]};
  }

  Steps longest_steps() {
    std::vector<Steps> longest(program_.blocks().size(), {1, 1});
    program_.each_block([&](Block& block, std::size_t o) {
      for (std::size_t a = 0; a < block.z.size(); ++a) {
        const auto [s, ds, dz] = arc_step(block, a);
        if (ds < 0) longest[o].primal = std::min(longest[o].primal, -s / ds);
        if (dz < 0) longest[o].dual = std::min(longest[o].dual, -block.z[a] / dz);
      }
    });
    Steps result{1, 1};
    for (const Steps& one : longest) {
      result.primal = std::min(result.primal, one.primal);
      result.dual = std::min(result.dual, one.dual);
    }
    return result;
  }

  double mu_after(const Steps& steps) {
    std::vector<double> sum(program_.blocks().size(), 0);
    program_.each_block([&](Block& block, std::size_t o) {
      for (std::size_t a = 0; a < block.z.size(); ++a) {
        const auto [s, ds, dz] = arc_step(block, a);
        sum[o] += (s + steps.primal * ds) * (block.z[a] + steps.dual * dz);
      }
    });
    return std::accumulate(sum.begin(), sum.end(), 0.0) / static_cast<double>(program_.arcs());
  }

  void move(const Steps& longest) {
    const Steps steps{std::min(1.0, 0.995 * longest.primal), std::min(1.0, 0.995 * longest.dual)};
    program_.each_block([&](Block& block, std::size_t) {
      for (std::size_t a = 0; a < block.z.size(); ++a) block.z[a] += steps.dual * arc_step(block, a).dz;
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
