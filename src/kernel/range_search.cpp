// SPDX-License-Identifier: Apache-2.0
#include "kernel/range_search.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "kernel/posterior_bounds.hpp"
#include "kernel/range_rows.hpp"

namespace fogline::kernel {
namespace {

using Eigen::Index;
using Candidate = PosteriorBounds::Candidate;

/// Candidates that are bounded together, by products of matrices: more are quicker each, and more are thrown away when
/// one is dropped. Chosen, not derived.
constexpr std::size_t largest_panel = 32;

/// The second stage.
class PcStage {
 public:
  PcStage(RangeRows& rows, PosteriorBounds& error, double most_q_loss, double tolerance, RangeSearch& result)
      : rows_(rows), error_(error), most_q_loss_(most_q_loss), tolerance_(tolerance), result_(result) {
    set_current();
  }

  double pc() const { return error_.value() / rows_.q_loss(); }  ///< after a refresh

  /// Visits all outputs once; true if one was dropped.
  bool visit(ProgressMeter& meter) {
    bool dropped = false;
    for (Index next = 0; next < rows_.outputs();) {
      const Index begin = next;
      const std::vector<Candidate> panel = gather(next);
      const Drop drop = first_drop(panel);
      dropped = dropped || drop.found;
      if (drop.resume >= 0) next = drop.resume;
      // Where panels are not used up, most of a large one would be thrown away.
      panel_size_ = drop.resume >= 0 ? std::size_t{1} : std::min(2 * panel_size_, largest_panel);
      meter.advance(static_cast<std::uint64_t>(next - begin));
    }
    return dropped;
  }

 private:
  struct Drop {
    bool found = false;
    Index resume = -1;  // the output to go on from, where the panel was not used up
  };
  enum class Verdict { drop, keep, unknown };

  void set_current() {
    const double exact = pc();
    current_ = {exact, exact};
  }

  /// The next outputs of the range that theta allows to drop; `next` moves behind the last one looked at.
  std::vector<Candidate> gather(Index& next) const {
    std::vector<Candidate> panel;
    for (; next < rows_.outputs() && panel.size() < panel_size_ && rows_.size() > 1; ++next) {
      if (!rows_.contains(next)) continue;
      Candidate candidate{next, rows_.without(next)};
      if (rows_.q_loss(candidate.left) <= most_q_loss_ * (1 + tolerance_))
        panel.push_back(std::move(candidate));
    }
    if (rows_.size() <= 1) next = rows_.outputs();
    return panel;
  }

  Verdict compare(const Interval& pc) const {
    if (pc.low > current_.high * (1 + tolerance_)) return Verdict::drop;
    if (pc.high <= current_.low * (1 + tolerance_)) return Verdict::keep;
    return Verdict::unknown;
  }

  Drop first_drop(const std::vector<Candidate>& panel) {
    if (panel.empty()) return {};
    const std::vector<Interval> ae = error_.without(panel);
    for (std::size_t i = 0; i < panel.size(); ++i) {
      const double q_loss = rows_.q_loss(panel[i].left);
      Interval pc{ae[i].low / q_loss, ae[i].high / q_loss};
      Verdict verdict = compare(pc);
      if (verdict == Verdict::unknown && !error_.fresh()) {
        error_.refresh(rows_);
        set_current();
        return {false, panel[i].output};
      }
      ++(verdict == Verdict::unknown ? result_.computed : result_.bounded);
      if (verdict == Verdict::unknown) {
        const double exact = error_.exactly_without(panel[i]) / q_loss;
        pc = {exact, exact};
        verdict = compare(pc);
      }
      if (verdict == Verdict::drop) {
        rows_.remove(panel[i].output);
        error_.remove(panel[i].output);
        current_ = pc;
        return {true, panel[i].output + 1};
      }
    }
    return {};
  }

  RangeRows& rows_;
  PosteriorBounds& error_;
  double most_q_loss_, tolerance_;
  RangeSearch& result_;
  Interval current_;  // PC of the range as it is
  std::size_t panel_size_ = 1;
};

bool visit_for_q_loss(RangeRows& rows, double tolerance, ProgressMeter& meter) {
  bool dropped = false;
  double current = rows.q_loss();
  for (Index output = 0; output < rows.outputs() && rows.size() > 1; ++output) {
    meter.advance();
    if (!rows.contains(output)) continue;
    const double without = rows.q_loss(rows.without(output));
    if (!(without < current * (1 - tolerance))) continue;
    rows.remove(output);
    current = without;
    dropped = true;
  }
  return dropped;
}

Eigen::MatrixXd used_losses(const RangeProblem& problem, const RangeRows& rows) {
  return problem.input_loss(rows.used_inputs(), rows.used_inputs());
}

}  // namespace

RangeSearch search_range(const RangeProblem& problem, const RangeSearchOptions& options) {
  // Less would be decided by the rounding of sums (10^-12); more would keep what is plainly worse.
  constexpr double least_tolerance = 1e-11, most_tolerance = 0.1;
  if (!(options.tolerance >= least_tolerance && options.tolerance <= most_tolerance))
    throw InvalidOption("tolerance", "must lie between 1e-11 and 0.1");
  if (options.most_q_loss && !(*options.most_q_loss >= 0))
    throw InvalidOption("most_q_loss", "must be a number, not negative");
  RangeRows rows(problem);
  RangeSearch result;
  result.q_loss_all = rows.q_loss();
  ProgressMeter first(options.progress, "lowering Q_loss", 0);
  while (visit_for_q_loss(rows, options.tolerance, first)) {
  }
  first.finish();
  result.initial = rows.range();
  result.q_loss_initial = rows.q_loss();

  PosteriorBounds error(rows, used_losses(problem, rows));
  PcStage second(rows, error, options.most_q_loss.value_or(result.q_loss_all), options.tolerance, result);
  result.pc_initial = second.pc();
  ProgressMeter meter(options.progress, "raising PC", 0);
  while (second.visit(meter)) {
  }
  meter.finish();
  result.range = rows.range();
  result.q_loss = rows.q_loss();
  if (!error.fresh()) error.refresh(rows);
  result.pc = second.pc();
  return result;
}

}  // namespace fogline::kernel
