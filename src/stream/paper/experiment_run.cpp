// SPDX-License-Identifier: Apache-2.0
#include "stream/paper/experiment_run.hpp"

#include <cmath>
#include <numeric>

#include "base/parallel.hpp"
#include "random/key.hpp"
#include "stream/run.hpp"

namespace fogline::stream {
namespace {

ExperimentForm form_of(std::string series, const ExperimentStream& stream, PolicyGraph policy,
                       StreamSetting setting) {
  ExperimentForm form{.series = std::move(series),
                      .policy = std::make_shared<PolicyGraph>(std::move(policy))};
  form.setting = std::move(setting);
  form.setting.epsilon = Rational(1);
  form.setting.mechanism = MechanismKind::k_norm;
  form.setting.repair = Repair::nearest;
  const LatticeQuery query(stream.model.space, form.setting.lattice_step);
  form.hulls = std::make_shared<SensitivityHulls>(*form.policy, query);
  return form;
}

double distance(std::span<const double> a, std::span<const double> b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(squares);
}

/// Sums over sequences.
struct Sums {
  explicit Sums(std::size_t steps) {
    for (auto* one : {&run.seconds, &run.dop, &run.error, &run.free}) one->assign(steps, 0.0);
  }
  void add(const Sums& other) {
    for (std::size_t i = 0; i < run.error.size(); ++i) {
      run.seconds[i] += other.run.seconds[i];
      run.dop[i] += other.run.dop[i];
      run.error[i] += other.run.error[i];
      run.free[i] += other.run.free[i];
    }
    run.states += other.run.states;
    run.drift += other.run.drift;
  }
  ExperimentRun run;
};

void release_one(const ExperimentStream& stream, const ExperimentForm& form, std::size_t q,
                 const FigureOptions& options, Sums& sums) {
  const auto& sequence = stream.sequences[q];
  Tracker tracker(stream.model, *form.policy, form.setting, form.hulls);
  tracker.restore({.step = 1, .states = {sequence.front()}, .probability = {1.0}});
  random::Stream noise = noise_of_sequence(random::SeededKey(1), q);
  const auto now = [&] { return options.seconds ? options.seconds() : 0.0; };
  for (std::size_t i = 1; i < sequence.size(); ++i) {
    const double before = now();
    tracker.prepare();
    tracker.observe(tracker.draw(sequence[i], noise));
    const auto answer = form.is_raw ? tracker.raw() : tracker.estimate();
    const double after = now();
    const auto truth = stream.model.space.value(sequence[i]);
    sums.run.seconds[i - 1] += after - before;
    sums.run.dop[i - 1] += tracker.degree_of_protection(tracker.place_of(sequence[i]));
    sums.run.error[i - 1] += distance(answer, truth);
    sums.run.free[i - 1] += distance(tracker.free_estimate(), truth);
    sums.run.states += static_cast<double>(tracker.situation().states.size());
    sums.run.drift += tracker.is_drift(sequence[i]) ? 1 : 0;
  }
}

}  // namespace

ExperimentForm ExperimentForm::with(const Rational& epsilon) const {
  ExperimentForm form = *this;
  form.setting.epsilon = epsilon;
  return form;
}

ExperimentForm dpls_form(const ExperimentStream& stream) {
  return form_of("DPLS", stream, PolicyGraph::complete(stream.model.chain.states()), {.delta = 0.01});
}

ExperimentForm util_form(const ExperimentStream& stream, double reach_m) {
  return form_of("within r", stream, PolicyGraph::within(stream.model.space, reach_m), {});
}

ExperimentForm transition_form(const ExperimentStream& stream) {
  return form_of("transition", stream, PolicyGraph::transition(stream.model.chain), {});
}

ExperimentForm estimate_form(const ExperimentForm& form) {
  ExperimentForm ours = form;
  ours.series += ", estimate";
  ours.is_raw = false;
  return ours;
}

ExperimentForm table_form(const ExperimentForm& form) {
  ExperimentForm ours = form;
  ours.series += ", tables";
  ours.setting.mechanism = MechanismKind::grouped;
  ours.setting.groups = 0;
  ours.is_raw = false;
  return ours;
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

ExperimentRun run_experiment(const ExperimentStream& stream, const ExperimentForm& form,
                             const FigureOptions& options) {
  const std::size_t steps = stream.sequences.front().size() - 1;
  std::vector<Sums> each(stream.sequences.size(), Sums(steps));
  parallel_for(stream.sequences.size(), {.threads = options.threads},
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t q = begin; q < end; ++q) release_one(stream, form, q, options, each[q]);
               });
  Sums all(steps);
  for (const Sums& one : each) all.add(one);
  const auto count = static_cast<double>(stream.sequences.size());
  ExperimentRun& run = all.run;
  for (auto* values : {&run.seconds, &run.dop, &run.error, &run.free}) {
    for (double& value : *values) value /= count;
  }
  run.states /= count * static_cast<double>(steps);
  run.drift /= count * static_cast<double>(steps);
  return run;
}

}  // namespace fogline::stream
