// SPDX-License-Identifier: Apache-2.0
#include "release/outcome_json.hpp"

#include <nlohmann/json.hpp>

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;

void add_budget(Json& report, const Outcome& outcome) {
  const std::string suffix = outcome.told.measure == privacy::EpsilonMeasure::per_metre ? "_per_metre" : "";
  Json spent, left;
  if (outcome.book) {
    spent = outcome.book->total(outcome.told.measure).spent.to_string();
    if (const auto remaining = outcome.book->remaining(outcome.released.statement.guarantee))
      left = remaining->to_string();
  }
  report["spent" + suffix] = std::move(spent);
  report["remaining" + suffix] = std::move(left);
}

}  // namespace

Json outcome_json(const Release& request, const Outcome& outcome) {
  const privacy::Statement& statement = outcome.released.statement;
  const std::string& file = outcome.released.statement_file;
  Json report = {{"output", request.to.output.name()},
                 {"statement", file.empty() ? Json() : Json(file)},
                 {"records", statement.outputs.front().records * outcome.answers},
                 {"guarantee", to_string(statement.guarantee)},
                 {"ledger", request.to.ledger.name()},
                 {"entry", outcome.entry},
                 {"dataset", request.to.ledger.dataset}};
  add_budget(report, outcome);
  report.update(outcome.told.json.json());
  return report;
}

}  // namespace fogline::release
