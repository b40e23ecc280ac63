// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/blocks.hpp"
#include "cli/budget_view.hpp"
#include "cli/spelling.hpp"
#include "cli/verbs.hpp"
#include "release/stream_fields.hpp"

namespace fogline::cli {
namespace {

class StreamPlan : public Command {
 public:
  CommandInfo info() const override {
    return {
        {"stream", "plan"},
        "Say what a release of a stream would promise, cost and blur, reading no private state",
        "Prints the guarantee, what one release charges to the ledger in all, what the dataset has left, and "
        "what is to be expected: the error of the estimate and of the raw answer, beside the free baseline, "
        "which is the best answer from the model and the answers before without looking at the true state, "
        "and beside the best guess from the model alone, without any release; the degree of protection; how "
        "many states are possible at a step, and at how many steps the policy leaves one of them "
        "exposed.\n\n"
        "The figures come from releases of walks of the model itself, --walks of them with --walk-steps "
        "steps, so they hold as far as people move as the model says. With 4 walks of 25 steps, as if "
        "nothing "
        "is said, they are those by which a release that is no better than the guess asks for --anyway. The "
        "ledger is read and not changed, and no private state is read.",
        {{"cells of 340 m, states within 1,000 m must look alike",
          "fogline sample stream -o states.csv --public trips.csv -q && fogline stream learn trips.csv "
          "--grid 340 -o "
          "model.json -q && fogline stream plan --model model.json --policy util:1000 --epsilon 1"},
         {"what a day of at most 48 steps costs in all, as JSON",
          "fogline sample stream -o states.csv --public trips.csv -q && fogline stream learn trips.csv "
          "--grid 340 -o "
          "model.json -q && fogline stream plan --model model.json --policy transition --epsilon 0.2 "
          "--protect sequence --steps 48 --json"}}};
  }

  void declare(OptionSet& options) override {
    release_.declare(options);
    options.group("Simulation");
    options.value("--walks", "N", forecast_.walks, "of the model (4)");
    options.value("--walk-steps", "N", forecast_.steps, "of each walk (25)");
    ledger_.declare(options);
    options.group("Output");
    options.flag("--json", json_, "print JSON");
  }

  int run(Session& session) override {
    const stream::StreamTerms terms = release_.terms();
    const stream::PublicStream stream(terms, release_.stream.named());
    warn_of_numbers(session, stream.model().space);
    forecast_.begin = release_.begin(terms, {});
    forecast_.progress = session.progress();
    const stream::Forecast expected = stream::forecast(stream, forecast_);
    session.data(json_ ? to_text(as_json(terms, stream, expected)) : as_text(terms, stream, expected));
    return 0;
  }

 private:
  static std::string unit(const stream::PublicStream& stream) {
    return stream.model().space.is_places() ? "m" : "";
  }

  nlohmann::ordered_json as_json(const stream::StreamTerms& terms, const stream::PublicStream& stream,
                                 const stream::Forecast& expected) const {
    const auto guarantee = terms.guarantee();
    const std::string suffix = stream.model().space.is_places() ? "_m" : "";
    nlohmann::ordered_json report{{"kind", "stream"},
                                  {"mechanism", to_string(terms.mechanism)},
                                  {"notion", to_string(guarantee.notion())},
                                  {"unit", guarantee.unit()},
                                  {"epsilon", guarantee.epsilon().to_string()},
                                  {"exactness", to_string(guarantee.exactness())},
                                  {"policy", terms.policy},
                                  {"parameters", terms.parameters()},
                                  {"states", stream.model().space.states()}};
    report["expected_error" + suffix] = expected.error;
    report["raw_error" + suffix] = expected.raw_error;
    report["free_baseline" + suffix] = expected.free_error;
    report["without_release" + suffix] = expected.unpaid_error;
    report["needs_anyway"] = !release::worth_of(terms, stream, expected).is_better();
    report.update({{"dop", expected.dop},
                   {"possible_states", expected.states},
                   {"exposed_steps", expected.exposed_steps},
                   {"separated_steps", expected.separated_steps},
                   {"largest_step_loss", expected.largest_loss},
                   {"any_two_states_loss", expected.any_two_loss},
                   {"simulated_steps", expected.steps}});
    BudgetView(ledger_, guarantee).add_to(report);
    report["promise"] = terms.promise();
    report["not_protected"] = terms.not_protected();
    return report;
  }

  std::string as_text(const stream::StreamTerms& terms, const stream::PublicStream& stream,
                      const stream::Forecast& expected) const {
    const BudgetView budget(ledger_, terms.guarantee(), release::cost_of(terms));
    const std::string in = unit(stream).empty() ? "" : " " + unit(stream);
    std::vector<std::pair<std::string, std::string>> rows{
        {"mechanism", std::string(to_string(terms.mechanism))}, {"guarantee", to_string(terms.guarantee())}};
    budget.add_to(rows);
    const std::vector<std::pair<std::string, std::string>> expectations{
        {"expected error", fmt::format("{:.4g}{}, of the estimate", expected.error, in)},
        {"raw answer", fmt::format("{:.4g}{}", expected.raw_error, in)},
        {"free baseline",
         fmt::format("{:.4g}{}, of the best answer without the step's own draw", expected.free_error, in)},
        {"without release", fmt::format("{:.4g}{}, of the best guess from the model, which costs nothing",
                                        expected.unpaid_error, in)},
        {"protected among",
         fmt::format("{:.1f} states at a step (degree of protection), of {:.1f} possible ones", expected.dop,
                     expected.states)},
        {"exposed steps", fmt::format("{:.1f} %, at which the policy leaves a possible state alone{}",
                                      100 * expected.exposed_steps,
                                      terms.repair == stream::Repair::none ? "" : " and a partner is added")},
        {"separated steps",
         fmt::format("{:.1f} %, at which an answer can tell states that are not joined apart for certain",
                     100 * expected.separated_steps)},
        {"largest loss", fmt::format("{:.6g} at a step between joined states, certified at every step",
                                     expected.largest_loss)},
        {"simulated", fmt::format("{} steps of walks of the model", grouped(expected.steps))}};
    rows.insert(rows.end(), expectations.begin(), expectations.end());
    std::string text = fields(rows) + spelled(release::worth_of(terms, stream, expected).remark());
    for (const std::string& sentence : terms.promise()) text += sentence + "\n";
    text += budget.remarks();
    return text;
  }

  release::StreamReleaseFields release_;
  LedgerBlock ledger_;
  stream::ForecastOptions forecast_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> stream_plan() {
  return std::make_unique<StreamPlan>();
}

}  // namespace fogline::cli
