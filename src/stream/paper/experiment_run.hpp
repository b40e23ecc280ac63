// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "stream/paper/experiment_stream.hpp"
#include "stream/policy/sensitivity.hpp"
#include "stream/tracker.hpp"

namespace fogline::stream {

/// One way to release a stream, for figures.
struct ExperimentForm {
  std::string series = {};
  std::string policy_text = {};  ///< as a release takes it
  std::shared_ptr<const PolicyGraph> policy = {};
  std::shared_ptr<const SensitivityHulls> hulls = {};
  StreamSetting setting = {};
  bool is_raw = true;  ///< the error is that of the drawn answer, as in the paper; otherwise of the estimate

  ExperimentForm with(const Rational& epsilon) const;  ///< the same at another epsilon
};

/// The paper's three: the complete policy on the delta-location set (DPLS), answers within r, and one-step transitions; all by K-norm with the
/// greedy repair. And ours for the same policy: the estimate of least expected distance given their answers, and given those of tables on
/// groups of states.
ExperimentForm dpls_form(const ExperimentStream& stream);
ExperimentForm util_form(const ExperimentStream& stream, double reach_m);
ExperimentForm transition_form(const ExperimentStream& stream);
ExperimentForm estimate_form(const ExperimentForm& form);  ///< "..., estimate"
ExperimentForm table_form(const ExperimentForm& form);     ///< "..., tables"

/// Means over sequences, one entry per step.
struct ExperimentRun {
  std::vector<double> seconds = {};  ///< to prepare, draw and update
  std::vector<double> dop = {};      ///< degree of protection of the true state, or of its surrogate
  std::vector<double> error = {};    ///< distance from the true state's point, metres
  std::vector<double> free = {};     ///< of the best answer that looks at nothing private
  double states = 0;                 ///< mean size of the constraint set
  double drift = 0;                  ///< share of steps whose true state was not in it
};

double mean_of(const std::vector<double>& values);

/// Releases every sequence, each from its first state on, which is public: whole releases, whose files are read. Seeded: the same each time. Times are of a
/// walk through the same steps, whose draws are thrown away.
ExperimentRun run_experiment(const ExperimentStream& stream, const ExperimentForm& form,
                             const FigureOptions& options);

}  // namespace fogline::stream
