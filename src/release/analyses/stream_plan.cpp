// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/grouped.hpp"
#include "release/analyses/analysis.hpp"
#include "release/analyses/budget_view.hpp"
#include "release/kinds.hpp"
#include "release/stream_fields.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;

class StreamPlan : public Analysis {
 public:
  std::string kind() const override { return "stream"; }
  std::string verb() const override { return "plan"; }
  LedgerFields* ledger() override { return &ledger_; }

  void declare(FieldTable& table) override {
    release_.declare(table);
    table.group("Simulation");
    table.value("walks", "N", forecast_.walks, "of the model (4)").range("1", "10000");
    table.value("walk-steps", "N", forecast_.steps, "of each walk (25)").range("1", "100000");
    ledger_.declare(table);
  }

  Findings run(Caller& caller) override {
    const stream::StreamTerms terms = release_.terms();
    const stream::PublicStream stream(terms, release_.stream.named());
    warn_of_numbers(caller, stream.model().space);
    forecast_.begin = release_.begin(terms, {});
    forecast_.progress = caller.progress();
    const stream::Forecast expected = stream::forecast(stream, forecast_);
    const Worth worth = worth_of(terms, stream, expected);
    const BudgetView budget(ledger_, terms.guarantee(), cost_of(terms));

    Findings found(as_json(terms, stream, expected, worth, budget));
    found.add(rows(terms, stream, expected, budget));
    found.add(worth.remarks());
    found.add(terms.promise());
    found.add(budget.remarks());
    return found;
  }

 private:
  static Json as_json(const stream::StreamTerms& terms, const stream::PublicStream& stream,
                      const stream::Forecast& expected, const Worth& worth, const BudgetView& budget) {
    const auto guarantee = terms.guarantee();
    const std::string suffix = stream.model().space.is_places() ? "_m" : "";
    Json json = {{"kind", "stream"},
                 {"mechanism", to_string(terms.mechanism)},
                 {"notion", to_string(guarantee.notion())},
                 {"unit", guarantee.unit()},
                 {"epsilon", guarantee.epsilon().to_string()},
                 {"exactness", to_string(guarantee.exactness())},
                 {"policy", terms.policy},
                 {"parameters", terms.parameters()},
                 {"states", stream.model().space.states()},
                 {"expected_error" + suffix, expected.error},
                 {"raw_error" + suffix, expected.raw_error},
                 {"free_baseline" + suffix, expected.free_error},
                 {"without_release" + suffix, expected.unpaid_error},
                 {"needs_anyway", !worth.is_better()},
                 {"dop", expected.dop},
                 {"possible_states", expected.states},
                 {"exposed_steps", expected.exposed_steps},
                 {"separated_steps", expected.separated_steps},
                 {"largest_step_loss", expected.largest_loss},
                 {"any_two_states_loss", expected.any_two_loss},
                 {"simulated_steps", expected.steps}};
    budget.add_to(json);
    json["promise"] = terms.promise();
    json["not_protected"] = terms.not_protected();
    return json;
  }

  static Findings::Rows rows(const stream::StreamTerms& terms, const stream::PublicStream& stream,
                             const stream::Forecast& expected, const BudgetView& budget) {
    const char* in = stream.model().space.is_places() ? " m" : "";
    Findings::Rows rows{{"mechanism", std::string(to_string(terms.mechanism))},
                        {"guarantee", to_string(terms.guarantee())}};
    budget.add_to(rows);
    const Findings::Rows expectations{
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
    return rows;
  }

  StreamReleaseFields release_;
  LedgerFields ledger_;
  stream::ForecastOptions forecast_;
};

}  // namespace

std::unique_ptr<Analysis> stream_plan() {
  return std::make_unique<StreamPlan>();
}

}  // namespace fogline::release
