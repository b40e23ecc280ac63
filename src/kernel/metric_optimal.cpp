// SPDX-License-Identifier: Apache-2.0
#include "kernel/metric_optimal.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "kernel/interior_point.hpp"
#include "kernel/metric_program.hpp"
#include "kernel/metric_rows.hpp"

namespace fogline::kernel {
namespace {

void require_metric_prior(const MetricProblem& problem) {
  constexpr double rounding = 1e-6;  // priors come from files, with as many digits as somebody wrote
  if (problem.prior.size() != problem.relation.inputs())
    throw InvalidOption("prior", "must give every input a probability");
  double sum = 0;
  for (const double probability : problem.prior) {
    if (!(probability >= 0)) throw InvalidOption("prior", "must be 0 or more everywhere");
    sum += probability;
  }
  if (!(std::abs(sum - 1) < rounding)) throw InvalidOption("prior", "must sum to 1");
}

void require_outputs(const MetricProblem& problem) {
  if (problem.outputs.empty()) throw InvalidOption("outputs", "must be at least 1");
  std::vector<char> seen(problem.relation.inputs(), 0);
  for (const InputId output : problem.outputs) {
    if (output >= seen.size() || seen[output]) throw InvalidOption("outputs", "must be inputs, each once");
    seen[output] = 1;
  }
}

void require_valid_metric(const MetricProblem& problem, const MetricOptions& options) {
  constexpr double least_gap = 1e-9;  // a smaller one would be decided by rounding
  if (problem.relation.kind() != Relation::Kind::metric) throw InvalidOption("relation", "must be a metric");
  if (problem.relation.inputs() < 2) throw InvalidOption("relation", "needs two inputs");
  if (!(problem.epsilon_per_unit > 0) || !std::isfinite(problem.epsilon_per_unit))
    throw InvalidOption("epsilon", "must be a number above 0");
  require_outputs(problem);
  require_metric_prior(problem);
  if (!(options.gap >= least_gap && options.gap <= 1))
    throw InvalidOption("gap", "must lie between 1e-9 and 1");
  if (options.iterations < 1 || options.iterations > most_iterations)
    throw InvalidOption("iterations", "must lie between 1 and 1,000");
  constexpr double longest_reach = 1000;  // foldings: weights of a table span 25
  if (options.reach != 0 && !(options.reach >= 1 && options.reach <= longest_reach))
    throw InvalidOption("reach", "must lie between 1 and 1,000, or be 0");
}

// The numbers from here on were chosen, not derived. They decide how soon a solve ends; what it returns is proven by
// its bound, whatever they are.

/// How exactly the rows' system is solved: an inexact direction costs part of an iteration, an exact one many products. Of what rows lack a tenth may be left, or
/// a hundredth of the gap, which it would otherwise hide.
constexpr double predictor_share = 0.1, corrector_share = 0.01;
constexpr double share_of_missing = 0.1, share_of_gap = 0.01;
/// What rows may lack of 1 at the end: the integer table is divided by its rows, and what two rows differ by is lost of the promise between them.
constexpr double rows_at_the_end = 1e-6;
/// What the solve that fills them may leave: a tenth of it.
constexpr double rows_when_filled = rows_at_the_end / 10;
/// Of the gap wanted: what may be left of the products where the bound is farther off.
constexpr double share_left = 0.2;
/// What columns have outside their blocks is followed, which takes time, from where the gap is so many times what it shall be.
constexpr double near_the_end = 3;

/// Where products of slacks and duals add up to this, of the first loss, multipliers are nearly what they will be.
constexpr double settled = 0.05;
/// Of the gap wanted: so much may be lost to rows that are worth more than what is outside blocks costs.
constexpr double lost_share = 0.1;
/// So often blocks are made anew for single inputs. Then, or where nothing comes of it, all reach farther.
constexpr int widenings = 2;
/// If the bound is not within so many times the gap.
constexpr double far_off = 1.5;

/// A few of some hundred thousand constraints would stop a step early. Their batches are corrected by themselves, as Gondzio corrects a whole direction, which is cheap: rows are
/// made up for once at the end. Batches are, that would stop a step sooner than four of five others, a few times; if the steps of a lane grow by 0.02 in all, of what is wished for.
constexpr double corrected_share = 0.2;
/// All are taken back if in the end the two steps together are not longer, or one is less than half as long.
constexpr double least_kept = 0.5;
constexpr int correction_rounds = 4;

/// Products of an iteration, about; for progress alone.
constexpr std::size_t usual_products = 50;

class MetricSolver {
 public:
  MetricSolver(const MetricProblem& problem, const MetricOptions& options, MetricMap& map, bool may_widen)
      : problem_(problem),
        options_(options),
        map_(map),
        may_widen_(may_widen),
        meter_(options.progress, options.gap),
        program_(problem, options, map),
        rows_(program_, [this] { meter_.advance(); }),
        multiplier_(program_.inputs(), 0.0) {}

  /// Blocks were found too small on the way, and what was returned means nothing.
  bool is_widened() const { return is_widened_; }

  OptimalTable run() {
    OptimalTable result;
    for (std::size_t iteration = 0;; ++iteration) {
      result.loss = loss_ = program_.loss();
      const double bound = program_.lower_bound(multiplier_, &MetricBatch::ratio);
      gap_ = std::isfinite(bound) ? (result.loss - bound) / result.loss : 1;
      products_ = program_.mean_product({0, 0});
      // Following columns outside their blocks takes time, and counts towards the end alone.
      missing_ = program_.missing(gap_ < near_the_end * options_.gap ||
                                  sum_of_products() < near_the_end * share_left * options_.gap * loss_);
      result.iterations = iteration;
      is_widened_ = widen();
      if (is_widened_) return result;
      result.converged = is_near() && largest_missing() < rows_at_the_end;
      meter_.begin(gap_, usual_products);
      if (result.converged || iteration == options_.iterations) break;
      if (!(is_near() ? fill_rows() : step())) break;
    }
    meter_.finish();
    // The bound that is told is proved for the full epsilon, of which the solver was given a little less.
    result.loss *= program_.unit();
    const double bound = program_.lower_bound(multiplier_, &MetricBatch::bound_ratio) * program_.unit();
    result.lower_bound = std::isfinite(bound) ? std::clamp(bound, 0.0, result.loss) : 0;
    program_.take_columns(result);
    return result;
  }

 private:
  /// Rows that are worth more than outputs outside their blocks cost there keep the bound away; by how much is known before the end.
  bool widen() {
    if (!may_widen_ || sum_of_products() > settled) return false;
    std::vector<double> worth(multiplier_.size(), 0.0);
    double lost = 0;
    for (InputId v = 0; v < worth.size(); ++v) {
      if (problem_.prior[v] > 0) worth[v] = multiplier_[v] * program_.unit() / problem_.prior[v];
      lost += problem_.prior[v] * std::max(0.0, worth[v] - map_.least_outside(v));
    }
    return lost > lost_share * options_.gap * loss_ * program_.unit() && map_.widen(worth);
  }
  /// Within the gap of the bound; or so little is left of the products of slacks and duals, which add up to what the loss can still fall by, that more steps would gain nothing. Where the prior is uneven the
  /// bound stays farther off: it charges what lies outside blocks with its prior alone.
  bool is_near() const {
    return gap_ <= options_.gap || sum_of_products() <= share_left * options_.gap * loss_;
  }

  double sum_of_products() const { return products_ * static_cast<double>(program_.constraints()); }

  double largest_missing() const {
    double largest = 0;
    for (const double each : missing_) largest = std::max(largest, std::abs(each));
    return largest;
  }

  std::vector<double> solve(std::vector<double> guess, double share) {
    return rows_.solve(
        missing_, std::move(guess),
        {.share = share,
         .row = std::max(share_of_missing * largest_missing(), share_of_gap * std::abs(gap_))});
  }

  /// A step that gives rows what they lack, and leaves the products of slacks and duals as they are, and the duals. So little is lacking in the end that it can be followed wholly.
  bool fill_rows() {
    if (!rows_.factor()) return false;
    program_.each_batch([](MetricBatch& batch) { hold_products(batch); });
    rows_.solve(missing_, multiplier_, {.share = corrector_share, .row = rows_when_filled});
    const double primal = std::min(1.0, to_boundary * program_.find_steps().primal);
    program_.each_batch([&](MetricBatch& batch) { move(batch, {primal, 0}); });
    return true;
  }

  /// Mehrotra's predictor and corrector, and corrections of the batches that would stop the step. False if floating point can do no more.
  bool step() {
    if (!rows_.factor()) return false;
    program_.each_batch([](MetricBatch& batch) { std::fill(batch.target.begin(), batch.target.end(), 0.0); });
    std::vector<double> aimed = solve(multiplier_, predictor_share);
    const double left = std::max(program_.mean_product(program_.find_steps()), 0.0);
    const double centring = std::pow(left / products_, mehrotra_power) * products_;
    if (!(centring >= 0) || !std::isfinite(centring)) return false;
    program_.each_batch([&](MetricBatch& batch) { aim_at_centre(batch, centring); });
    aimed = solve(std::move(aimed), corrector_share);
    const StepLengths longest = correct_batches(centring, aimed);
    const StepLengths steps{std::min(1.0, to_boundary * longest.primal),
                            std::min(1.0, to_boundary * longest.dual)};
    program_.each_batch([&](MetricBatch& batch) { move(batch, steps); });
    for (std::size_t v = 0; v < multiplier_.size(); ++v)
      multiplier_[v] += steps.dual * (aimed[v] - multiplier_[v]);
    return true;
  }

  /// What corrections do to the rows is made up for once, together; should that shorten the steps, they are taken back.
  StepLengths correct_batches(double centring, std::vector<double>& aimed) {
    const StepLengths before = program_.find_steps(), wished = steps_of_most();
    program_.each_batch([&](MetricBatch& batch) {
      batch.old_target = batch.target;
      correct(batch, wished, centring, aimed);
    });
    std::vector<double> joined = solve(aimed, corrector_share);
    const StepLengths after = program_.find_steps();
    if (after.primal + after.dual >= before.primal + before.dual &&
        after.primal >= least_kept * before.primal && after.dual >= least_kept * before.dual) {
      aimed = std::move(joined);
      return after;
    }
    program_.each_batch([&](MetricBatch& batch) {
      batch.target.swap(batch.old_target);
      write_direction(batch, aimed);
    });
    return before;
  }

  /// Steps that four of five batches allow.
  StepLengths steps_of_most() {
    std::vector<double> primal, dual;
    for (const MetricBatch& batch : program_.batches()) {
      const StepLengths steps = shortest(batch.steps);
      primal.push_back(steps.primal);
      dual.push_back(steps.dual);
    }
    const auto quantile = [&](std::vector<double>& values) {
      const auto at =
          values.begin() + static_cast<std::ptrdiff_t>(corrected_share * static_cast<double>(values.size()));
      std::nth_element(values.begin(), at, values.end());
      return *at;
    };
    return {quantile(primal), quantile(dual)};
  }

  /// Lane by lane the better of the direction before and after is kept.
  static void correct(MetricBatch& batch, const StepLengths& wished, double centring,
                      std::span<const double> aimed) {
    const StepLengths aim{std::min(1.0, longer_steps * wished.primal + longer_by),
                          std::min(1.0, longer_steps * wished.dual + longer_by)};
    LaneSteps steps = batch.steps;
    const auto is_short = [&](std::size_t lane) {
      return steps.primal[lane] < wished.primal || steps.dual[lane] < wished.dual;
    };
    const auto worth = [&](const LaneSteps& of, std::size_t lane) {
      return std::min(of.primal[lane] / wished.primal, 1.0) + std::min(of.dual[lane] / wished.dual, 1.0);
    };
    for (int round = 0; round < correction_rounds; ++round) {
      bool is_any_short = false, is_any_better = false;
      for (std::size_t lane = 0; lane < lane_count; ++lane) is_any_short = is_any_short || is_short(lane);
      if (!is_any_short) return;
      const Lanes old_target = batch.target, old_dx = batch.dx;
      pull_outliers(batch, centring, aim);
      write_direction(batch, aimed);
      const LaneSteps found = longest_steps(batch);
      for (std::size_t lane = 0; lane < lane_count; ++lane) {
        if (is_short(lane) && worth(found, lane) > worth(steps, lane) + least_growth) {
          is_any_better = true;
          steps.primal[lane] = found.primal[lane];
          steps.dual[lane] = found.dual[lane];
          continue;
        }
        for (std::size_t k = lane; k < batch.target.size(); k += lane_count) batch.target[k] = old_target[k];
        for (std::size_t k = lane; k < batch.dx.size(); k += lane_count) batch.dx[k] = old_dx[k];
      }
      if (!is_any_better) return;
    }
  }

  const MetricProblem& problem_;
  const MetricOptions& options_;
  MetricMap& map_;
  bool may_widen_;
  bool is_widened_ = false;
  GapMeter meter_;
  MetricProgram program_;
  MetricRows rows_;
  std::vector<double> multiplier_;  // of the rows
  std::vector<double> missing_;
  double gap_ = 1, loss_ = 0;
  double products_ = 0;  // of a slack and its dual, in the mean
};

}  // namespace

OptimalTable metric_table(const MetricProblem& problem, const MetricOptions& options) {
  require_valid_metric(problem, options);
  MetricMap map(problem, options);
  for (int round = 0;; ++round) {
    MetricSolver solver(problem, options, map, options.reach == 0 && round < widenings);
    OptimalTable result = solver.run();
    if (solver.is_widened()) continue;
    const bool is_close =
        result.converged && result.loss - result.lower_bound <= far_off * options.gap * result.loss;
    if (is_close || options.reach > 0 || !map.widen_all()) return result;
  }
}

}  // namespace fogline::kernel
