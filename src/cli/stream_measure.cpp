// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/blocks.hpp"
#include "cli/stream_released.hpp"
#include "cli/verbs.hpp"
#include "release/column_fields.hpp"
#include "stream/measures.hpp"

namespace fogline::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr auto stream_measure_warning =
    "exact figures of private states, for the curator alone; do not publish";

class StreamMeasure : public Command {
 public:
  CommandInfo info() const override {
    return {
        {"stream", "measure"},
        "Measure what a release of a stream keeps of its private original",
        "error is the mean distance of the released answers from the true ones; raw_error that of the drawn "
        "answers, which the paper would have released; free_baseline that of the best answers that look at "
        "nothing private. relative_error is error over free_baseline: what lies above 1 was not worth its "
        "privacy. dop is the mean degree of protection of the true states (how many possible states the "
        "sensitivity hull hides each among, itself counted). At an exposed step the policy as given left "
        "some "
        "possible state with no other to be taken for; at a drift step the true state was none of the "
        "possible ones, and the nearest of these answered.\n\n"
        "Policy, epsilon and mechanism come from the statement beside the release. For the curator alone: "
        "the figures are exact, private, and charged to no ledger.",
        {{"a release against its original",
          "fogline sample stream -o states.csv --public trips.csv -q && fogline stream learn trips.csv "
          "--grid "
          "340 -o model.json -q && fogline stream release --model model.json --policy util:1000 --epsilon 1 "
          "states.csv -o safe.csv --ledger my.ledger -q && fogline stream measure --model model.json "
          "states.csv safe.csv"},
         {"rooms by name, as JSON",
          "printf 'from,to,probability\\na,a,.5\\na,b,.5\\nb,a,.5\\nb,b,.5\\n' > model.csv && printf "
          "'state\\na\\nb\\n' > rooms.csv && fogline stream release --model model.csv --policy complete "
          "--epsilon 1 rooms.csv -o safe.csv --ledger my.ledger -q && fogline stream measure --model "
          "model.csv "
          "rooms.csv safe.csv --json"}}};
  }

  void declare(OptionSet& options) override {
    options.positional("STATES", states_, "the private states, as they were given to release").required();
    options.positional("RELEASED", released_.released, "what was released of them").required();
    released_.declare(options);
    columns_.declare_order(options);
    options.group("Output");
    options.flag("--json", json_, "print JSON");
  }

  int run(Session& session) override {
    const ReleasedStream release = released_.read();
    const auto truth = mobility::read_sequences(
        states_, release.stream.model().space,
        {.columns = columns_.map(), .times = columns_.times(), .sort = columns_.sort});
    tell_odd_columns(session, states_, truth.columns);
    session.warn(truth.warnings);
    release.require_truth(truth, states_);
    std::vector<stream::MeasuredStep> steps;
    const Progress progress = session.progress();
    ProgressMeter meter(progress, "measuring", truth.state.size());
    for (std::size_t i = 0; i < truth.size(); ++i) {
      const auto more = stream::measure(release.tracker(), truth[i], release.sequences[i]);
      steps.insert(steps.end(), more.begin(), more.end());
      meter.advance(more.size());
    }
    meter.finish();
    const stream::StreamMeasures found = stream::summarise(steps);
    session.data(json_ ? to_text(as_json(found, release)) : as_text(found, release));
    return 0;
  }

 private:
  static Json as_json(const stream::StreamMeasures& found, const ReleasedStream& release) {
    const std::string m = release.unit();
    return {{"kind", "stream"},
            {"private", true},
            {"warning", stream_measure_warning},
            {"sequences", release.sequences.size()},
            {"steps", found.steps},
            {"error" + m, found.error},
            {"root_mean_square_error" + m, found.root_mean_square_error},
            {"raw_error" + m, found.raw_error},
            {"free_baseline" + m, found.free_error},
            {"relative_error", found.relative_error},
            {"dop", found.dop},
            {"possible_states", found.states},
            {"exposed_steps", found.exposed_steps},
            {"true_state_exposed_steps", found.truth_exposed_steps},
            {"drift_steps", found.drift_steps}};
  }

  static std::string as_text(const stream::StreamMeasures& found, const ReleasedStream& release) {
    const char* m = release.unit().empty() ? "" : " m";
    return fmt::format("PRIVATE: {}\n", stream_measure_warning) +
           fields(
               {{"release",
                 fmt::format("{} steps of {} sequence{}, {} epsilon {} a step, policy {}",
                             grouped(found.steps), grouped(release.sequences.size()),
                             release.sequences.size() == 1 ? "" : "s", to_string(release.terms.mechanism),
                             release.terms.epsilon.value().to_string(), release.terms.policy)},
                {"error", fmt::format("{:.6g}{} mean, {:.6g}{} root mean square", found.error, m,
                                      found.root_mean_square_error, m)},
                {"beside", fmt::format("{:.6g}{} for free, {:.6g}{} of the raw draw; {:.4f} of the free one",
                                       found.free_error, m, found.raw_error, m, found.relative_error)},
                {"dop", fmt::format("{:.2f} of {:.2f} possible states on average", found.dop, found.states)},
                {"exposed", fmt::format("{} steps, the true state at {}", grouped(found.exposed_steps),
                                        grouped(found.truth_exposed_steps))},
                {"drift",
                 fmt::format("{} step{}", grouped(found.drift_steps), found.drift_steps == 1 ? "" : "s")}});
  }

  std::string states_;
  ReleasedBlock released_;
  release::ColumnFields columns_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> stream_measure() {
  return std::make_unique<StreamMeasure>();
}

}  // namespace fogline::cli
