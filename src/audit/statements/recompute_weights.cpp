// SPDX-License-Identifier: Apache-2.0
#include "audit/statements/recompute_weights.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "audit/engine/exact.hpp"
#include "audit/statements/recompute_parts.hpp"
#include "audit/statements/work_limits.hpp"
#include "base/error.hpp"
#include "weights/edge_stream.hpp"
#include "weights/estimates/prior_file.hpp"
#include "weights/paper/published.hpp"
#include "weights/terms.hpp"

namespace fogline::audit {
namespace {

using privacy::Check;
using privacy::Outcome;
using weights::WeightTerms;

constexpr double weight_tolerance = 1e-6;

/// The released file, if it is here: what it holds beside `may_be`, written anew.
Check released_file(const privacy::Statement& statement, const RecomputeOptions& options,
                    const std::function<bool(double)>& may_be, const std::string& rule) {
  const std::string name = "released file";
  if (statement.outputs.size() != 1) {
    return {name, Outcome::failed,
            fmt::format("a release of weights writes one file, and the statement names {}",
                        statement.outputs.size())};
  }
  const privacy::ReleasedFile& output = statement.outputs.front();
  const weights::ReleasedSummary found =
      weights::read_released(at_hand(output.name, output.sha256, options), may_be);
  if (found.edges != output.records) {
    return {name, Outcome::failed,
            fmt::format("the statement counts {} records, and it holds {}", output.records, found.edges)};
  }
  if (found.sha256_anew != output.sha256) {
    return {name, Outcome::failed,
            "it is not what is written for its edges and weights: it holds more, or is written otherwise"};
  }
  if (found.others > 0) {
    return {name, Outcome::failed,
            fmt::format("{} of its weights cannot come from this release: {}", found.others, rule)};
  }
  return {name, Outcome::passed,
          fmt::format("{} weight{}; written anew, the file is the same; {}", found.edges,
                      found.edges == 1 ? "" : "s", rule)};
}

class WeightRecomputation {
 public:
  WeightRecomputation(const privacy::Statement& statement, const RecomputeOptions& options, WeightTerms terms)
      : statement_(statement), options_(options), terms_(std::move(terms)) {}

  std::vector<Check> run() {
    std::vector<Check> checks{check_guarantee(statement_, [&] { return terms_.guarantee(); }),
                              check_words(statement_, terms_.promise(), terms_.not_protected())};
    checks.push_back(attempt("released file", [&] { return released(); }));
    if (terms_.mechanism == "blocks") checks.push_back(attempt("table", [&] { return table(); }));
    checks.push_back(attempt("expected error", [&] { return expected_error(); }));
    return checks;
  }

 private:
  std::vector<double> prior() const {
    require_small_grid();
    if (!terms_.prior_file) return {};
    return weights::read_prior(at_hand(terms_.prior_file->name, terms_.prior_file->sha256, options_),
                               terms_.grid);
  }

  bool is_bare() const {
    return terms_.finish == weights::Finish::plain && !terms_.order_file &&
           terms_.prior != weights::PriorSource::noisy;
  }

  void require_small_grid() const {
    if (terms_.grid.is_finite())
      require_limited(options_, terms_.grid.points(),
                      terms_.mechanism == "blocks" ? WorkLimits::block_points : WorkLimits::grid_points,
                      "points of the grid");
  }

  Check released() const {
    const double lowest = terms_.grid.value(terms_.positive ? terms_.grid.lowest_positive() : 0);
    const bool finite = terms_.grid.is_finite();
    const double highest =
        finite ? terms_.grid.value(static_cast<std::int64_t>(terms_.grid.points()) - 1) : 0;
    const auto in_range = [=](double weight) { return weight >= lowest && (!finite || weight <= highest); };
    if (!is_bare()) {
      return released_file(statement_, options_, in_range,
                           fmt::format("weights lie in {}", terms_.grid.range_text()));
    }
    const auto mechanism = weights::make_mechanism(terms_.choice(prior()));
    if (mechanism->outputs() == 0) {
      const auto on_grid = [&](double weight) {
        const auto found = terms_.grid.point_of(weight, weights::Rounding::refuse);
        return in_range(weight) && found.fault == weights::WeightGrid::Fault::none;
      };
      return released_file(
          statement_, options_, on_grid,
          fmt::format("weights are points of {} by {}", terms_.grid.range_text(), terms_.grid.step_text()));
    }
    std::set<double> known;
    for (std::size_t output = 0; output < mechanism->outputs(); ++output)
      known.insert(mechanism->weight(static_cast<std::int64_t>(output)));
    return released_file(
        statement_, options_, [&](double weight) { return known.contains(weight); },
        fmt::format("weights are among the {} of the blocks", known.size()));
  }

  Check table() const {
    if (terms_.prior == weights::PriorSource::noisy)
      throw NotAtHand{"the blocks follow from a noisy prior that is not published"};
    const auto mechanism = weights::make_mechanism(terms_.choice(prior()));
    const ExactVerdict verdict =
        audit_exactly({.name = terms_.mechanism,
                       .claim = mechanism->guarantee(),
                       .relation = kernel::Relation::complete(static_cast<std::size_t>(terms_.grid.points())),
                       .row = [&](kernel::InputId point) { return mechanism->row(point); }},
                      {.threads = options_.threads, .progress = options_.progress});
    if (!verdict.holds) return {"table", Outcome::failed, verdict.sentence};
    return {"table", Outcome::passed,
            fmt::format("built anew and certified: between any two weights it loses at most {:.6g}",
                        verdict.loss_high)};
  }

  Check expected_error() const {
    const std::string name = "expected error";
    const auto anew = terms_.expected_error(prior());
    const auto& said = statement_.expected_error;
    if (anew.has_value() != said.has_value()) {
      return {name, Outcome::failed,
              anew ? "the statement gives none, and this release has one"
                   : "the statement gives one, and none is known beforehand"};
    }
    if (!anew) return {name, Outcome::passed, "none is known beforehand, and the statement gives none"};
    if (!near(anew->value, said->value, weight_tolerance)) {
      return {name, Outcome::failed,
              fmt::format("it is {:.6g}, and the statement says {:.6g}", anew->value, said->value)};
    }
    if (anew->method != said->method || anew->unit != said->unit)
      return {name, Outcome::failed, "its unit or method is not that of the mechanism"};
    return {name, Outcome::passed, fmt::format("{:.6g}, computed anew", anew->value)};
  }

  const privacy::Statement& statement_;
  const RecomputeOptions& options_;
  WeightTerms terms_;
};

}  // namespace

std::vector<Check> recompute_weights(const privacy::Statement& statement, const RecomputeOptions& options) {
  return with_parameters(
      [&] { return WeightRecomputation(statement, options, weights::terms_from(statement)).run(); });
}

std::vector<Check> recompute_published_weights(const privacy::Statement& statement,
                                               const RecomputeOptions& options) {
  const auto anything = [](double) { return true; };
  return {check_guarantee(statement,
                          [&] {
                            const auto strategy = weights::strategy_from(statement.mechanism);
                            return privacy::Guarantee::none("one edge's whole weight",
                                                            std::string(weights::reason(strategy)));
                          }),
          attempt("released file", [&] {
            return released_file(statement, options, anything, "nothing is promised of them");
          })};
}

}  // namespace fogline::audit
