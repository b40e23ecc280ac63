// SPDX-License-Identifier: Apache-2.0
#include "weights/paper/published_terms.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "fogline/version.hpp"

namespace fogline::weights {
namespace {

constexpr std::uint64_t most_k = 1'000'000;  // as a release takes it

}  // namespace

void PublishedTerms::declare(privacy::ParameterTable& table) {
  table.value("claimed_epsilon", epsilon, "the paper's, which is not kept");
  table.value("range", range, "the public range of the weights");
  table.value("directed", directed, "whether a,b and b,a are two edges");
  const bool merges = options.strategy == WeightsStrategy::mb || options.strategy == WeightsStrategy::mb_ci;
  auto groups = static_cast<std::uint32_t>(options.k);
  table.when(merges).value("k", groups, "groups of equal size that it takes to merge", {1, most_k});
  if (table.reads() && merges) options.k = static_cast<int>(groups);
}

nlohmann::ordered_json PublishedTerms::parameters() const {
  return privacy::parameters_of(*this);
}

privacy::Statement published_draft(const PublishedTerms& terms) {
  const WeightsStrategy strategy = terms.options.strategy;
  const std::string why(reason(strategy));
  return {.kind = "weights",
          .mechanism = std::string(to_string(strategy)),
          .form = privacy::Form::published,
          .guarantee = privacy::Guarantee::none("one edge's whole weight", why),
          .parameters = terms.parameters(),
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
