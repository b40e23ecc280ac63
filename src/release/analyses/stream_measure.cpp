// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/grouped.hpp"
#include "release/analyses/analysis.hpp"
#include "release/analyses/stream_released.hpp"
#include "release/kinds.hpp"
#include "stream/measures/measures.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;

class StreamMeasure : public Analysis {
 public:
  std::string kind() const override { return "stream"; }
  std::string verb() const override { return "measure"; }

  void declare(FieldTable& table) override {
    table.positional("states", "STATES", states_, "the private states, as they were given to release")
        .role(FieldRole::private_input)
        .required();
    released_.declare(table, "what was released of them");
    columns_.declare_order(table);
  }

  Findings run(Caller& caller) override {
    const ReleasedStream release = released_.read();
    const auto truth = release.read_truth(states_, columns_, caller);
    std::vector<stream::MeasuredStep> steps;
    const Progress progress = caller.progress();
    ProgressMeter meter(progress, "measuring", truth.state.size());
    for (std::size_t i = 0; i < truth.size(); ++i) {
      const auto more = stream::measure(release.tracker(), truth[i], release.sequences[i]);
      steps.insert(steps.end(), more.begin(), more.end());
      meter.advance(more.size());
    }
    meter.finish();
    const stream::StreamMeasures measures = stream::summarise(steps);

    Findings found(as_json(measures, release));
    found.add(fmt::format("PRIVATE: {}", warning));
    found.add(rows(measures, release));
    return found;
  }

 private:
  static constexpr auto warning = "exact figures of private states, for the curator alone; do not publish";

  static Json as_json(const stream::StreamMeasures& measures, const ReleasedStream& release) {
    const std::string m = release.unit();
    return {{"kind", "stream"},
            {"private", true},
            {"warning", warning},
            {"sequences", release.sequences.size()},
            {"steps", measures.steps},
            {"error" + m, measures.error},
            {"root_mean_square_error" + m, measures.root_mean_square_error},
            {"raw_error" + m, measures.raw_error},
            {"free_baseline" + m, measures.free_error},
            {"relative_error", measures.relative_error},
            {"dop", measures.dop},
            {"possible_states", measures.states},
            {"exposed_steps", measures.exposed_steps},
            {"true_state_exposed_steps", measures.truth_exposed_steps},
            {"drift_steps", measures.drift_steps}};
  }

  static Findings::Rows rows(const stream::StreamMeasures& measures, const ReleasedStream& release) {
    const char* m = release.unit().empty() ? "" : " m";
    Findings::Rows rows = release.rows(measures.steps);
    rows.emplace_back("error", fmt::format("{:.6g}{} mean, {:.6g}{} root mean square", measures.error, m,
                                           measures.root_mean_square_error, m));
    rows.emplace_back("beside",
                      fmt::format("{:.6g}{} for free, {:.6g}{} of the raw draw; {:.4f} of the free one",
                                  measures.free_error, m, measures.raw_error, m, measures.relative_error));
    rows.emplace_back(
        "dop", fmt::format("{:.2f} of {:.2f} possible states on average", measures.dop, measures.states));
    rows.emplace_back("exposed",
                      fmt::format("{} steps, the true state at {}", grouped(measures.exposed_steps),
                                  grouped(measures.truth_exposed_steps)));
    rows.emplace_back("drift", fmt::format("{} step{}", grouped(measures.drift_steps),
                                           measures.drift_steps == 1 ? "" : "s"));
    return rows;
  }

  std::string states_;
  ReleasedStreamFields released_;
  ColumnFields columns_;
};

}  // namespace

std::unique_ptr<Analysis> stream_measure() {
  return std::make_unique<StreamMeasure>();
}

}  // namespace fogline::release
