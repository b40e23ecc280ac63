// SPDX-License-Identifier: Apache-2.0
#include "stream/paper/experiment_run.hpp"

#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/parallel.hpp"
#include "fogline/column_set.hpp"
#include "mobility/model_file.hpp"
#include "privacy/file_hash.hpp"
#include "random/key.hpp"
#include "stream/run.hpp"
#include "stream/saved_state.hpp"
#include "stream/terms.hpp"

namespace fogline::stream {
namespace {

ExperimentForm form_of(std::string series, const ExperimentStream& stream, std::string policy_text,
                       PolicyGraph policy, StreamSetting setting) {
  ExperimentForm form{.series = std::move(series),
                      .policy_text = std::move(policy_text),
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

/// A model as a file and as everybody reads it: who reads evens out last digits, on which the groups of a table may hang.
struct ModelFile {
  std::string text;
  mobility::StateModel model;
};

ModelFile file_of(const mobility::StateModel& learned) {
  std::string text = mobility::to_json(learned);
  io::TextSource source = io::TextSource::from_memory("the model", text);
  return {.text = std::move(text), .model = mobility::read_model_json(source)};
}

/// What everybody reads of a released sequence.
std::vector<ReleasedFormat::Row> released_rows(const ExperimentStream& stream, const ModelFile& file,
                                               const ExperimentForm& form, std::size_t q,
                                               const FigureOptions& options) {
  const auto& sequence = stream.sequences[q];
  nlohmann::ordered_json fields{{"policy", form.policy_text},
                                {"epsilon", form.setting.epsilon.to_string()},
                                {"mechanism", to_string(form.setting.mechanism)},
                                {"repair", to_string(form.setting.repair)},
                                {"answer", form.is_raw ? "raw" : "estimate"},
                                {"anyway", true}};
  if (form.setting.delta > 0) fields["delta"] = form.setting.delta;
  std::vector<std::string> states;
  for (std::size_t i = 1; i < sequence.size(); ++i)
    states.emplace_back(stream.model.space.names.name(sequence[i]));
  const SavedStream begin{.state = {.step = 1, .states = {sequence.front()}, .probability = {1.0}}};
  const ColumnSet records = ColumnSet().hold("state", std::move(states));
  const DrawWhole draw =
      options.whole({.kind = "stream",
                     .fields = fields,
                     .records = records,
                     .files = {{"model", "model.json", file.text},
                               {"resume", "begin.json", to_json(begin, privacy::sha256_of_text(file.text))}},
                     .first_record = q});
  const ReleasedFormat format(stream.model.space);
  // A part that is not the first has no header.
  std::string text = (q == 0 ? "" : format.header()) + draw(random::SeededKey(1));
  io::TextSource source = io::TextSource::from_memory("the release", std::move(text));
  return format.read(source);
}

void release_one(const ExperimentStream& stream, const ModelFile& file, const ExperimentForm& form,
                 std::size_t q, const FigureOptions& options, Sums& sums) {
  const auto& sequence = stream.sequences[q];
  const std::vector<ReleasedFormat::Row> rows = released_rows(stream, file, form, q, options);
  Tracker tracker(file.model, *form.policy, form.setting, form.hulls);
  tracker.restore({.step = 1, .states = {sequence.front()}, .probability = {1.0}});
  random::Stream noise = noise_of_sequence(random::SeededKey(1), q);
  const auto now = [&] { return options.seconds ? options.seconds() : 0.0; };
  for (std::size_t i = 1; i < sequence.size(); ++i) {
    const double before = now();
    tracker.prepare();
    if (options.seconds) tracker.draw(sequence[i], noise);
    tracker.observe(rows[i - 1].draw);
    if (options.seconds) form.is_raw ? tracker.raw() : tracker.estimate();
    const double after = now();
    const auto truth = stream.model.space.value(sequence[i]);
    sums.run.seconds[i - 1] += after - before;
    sums.run.dop[i - 1] += tracker.degree_of_protection(tracker.place_of(sequence[i]));
    sums.run.error[i - 1] += distance(rows[i - 1].value, truth);
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
  return form_of("DPLS", stream, "complete", PolicyGraph::complete(stream.model.chain.states()),
                 {.delta = 0.01});
}

ExperimentForm util_form(const ExperimentStream& stream, double reach_m) {
  return form_of("within r", stream, fmt::format("util:{}", reach_m),
                 PolicyGraph::within(stream.model.space, reach_m), {});
}

ExperimentForm transition_form(const ExperimentStream& stream) {
  return form_of("transition", stream, "transition", PolicyGraph::transition(stream.model.chain), {});
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
  const ModelFile file = file_of(stream.model);
  std::vector<Sums> each(stream.sequences.size(), Sums(steps));
  parallel_for(stream.sequences.size(), {.threads = options.threads},
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t q = begin; q < end; ++q)
                   release_one(stream, file, form, q, options, each[q]);
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
