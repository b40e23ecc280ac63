// SPDX-License-Identifier: Apache-2.0
#include "weights/paper/published_terms.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "fogline/version.hpp"

namespace fogline::weights {

privacy::Statement published_draft(const PublishedTerms& terms) {
  const WeightsStrategy strategy = terms.options.strategy;
  nlohmann::ordered_json parameters = {{"claimed_epsilon", terms.epsilon.value().to_string()},
                                       {"range", terms.range},
                                       {"directed", terms.directed}};
  if (strategy == WeightsStrategy::mb || strategy == WeightsStrategy::mb_ci)
    parameters["k"] = terms.options.k;
  const std::string why(reason(strategy));
  return {.kind = "weights",
          .mechanism = std::string(to_string(strategy)),
          .form = privacy::Form::published,
          .guarantee = privacy::Guarantee::none("one edge's whole weight", why),
          .parameters = std::move(parameters),
          .public_inputs = {},
          .outputs = {},
          .ledger = privacy::NoLedgerEntry{"not charged yet"},
          .version = std::string(version),
          .randomness = random::Source::operating_system,
          .expected_error = std::nullopt,
          .not_protected =
              {"The weights: this form of the paper promises nothing.",
               "The graph itself: which vertices and edges there are, and how they are called and ordered."},
          .promise = {fmt::format("Nothing: {}.", why)}};
}

void require_in_range(const io::GraphTable& graph, const WeightRange& range) {
  for (std::size_t e = 0; e < graph.edge_count(); ++e) {
    if (graph.weight[e] >= range.lowest && graph.weight[e] <= range.highest) continue;
    throw DataError({graph.source_name, graph.line[e]}, "the weight lies outside the range",
                    "declare another `range`");
  }
}

}  // namespace fogline::weights
