// SPDX-License-Identifier: Apache-2.0
#include "weights/distances/distance_terms.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "fogline/version.hpp"
#include "weights/term_parameters.hpp"
#include "weights/terms.hpp"

namespace fogline::weights {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> own_parameters(const std::string& method) {
  if (method == "edges") return {"posterior_draws"};
  if (method == "noise") return {};
  if (method == "tree") return {"heavy_paths", "longest_path_edges", "most_levels"};
  if (method == "separators") return {"bisections", "regions"};
  throw InvalidOption("method", "is edges, noise, tree or separators");
}

/// A count, or a list of them.
bool is_whole(const Json& value) {
  if (value.is_array())
    return std::all_of(value.begin(), value.end(), [](const Json& one) {
      return one.is_number_integer() && one.get<std::int64_t>() >= 0;
    });
  return value.is_number_integer() && value.get<std::int64_t>() >= 0;
}

/// The sentences about one unit of protection are those of a release of the weights.
WeightTerms as_weights(const DistanceTerms& terms) {
  return {.mechanism = "geometric",
          .epsilon = terms.epsilon,
          .grid = terms.grid,
          .protection = terms.protection,
          .rounding = terms.rounding,
          .directed = terms.directed};
}

}  // namespace

DistanceSettings DistanceTerms::settings() const {
  const WholeWeights weights(grid);
  const std::uint64_t steps = protection.sensitivity_steps(grid, rounding);
  const auto step = static_cast<std::uint64_t>(weights.step);
  if (steps > std::uint64_t{WholeWeights::most_units} / step)
    throw InvalidOption("most", "is more than 2^40 steps of the grid");
  return {.epsilon = epsilon, .weights = weights, .sensitivity = steps * step};
}

void DistanceTerms::take(const DistancePlan& plan, const Topology& graph) {
  method = plan.mechanism->name();
  own = plan.mechanism->parameters();
  directed = graph.directed();
  vertices = graph.vertex_count();
  edges = graph.edge_count();
}

privacy::Guarantee DistanceTerms::guarantee() const {
  return protection.guarantee(epsilon, grid);
}

void DistanceTerms::declare(privacy::ParameterTable& table) {
  PromiseParameters{epsilon, grid, protection, rounding, directed}.declare(table);
  table.value("vertices", vertices, "of the graph, whose shape is public");
  table.value("edges", edges, "of the graph");
  table.value("method", method, "`edges`, `noise`, `tree` or `separators`, with what it says of itself");
  for (const std::string& name : own_parameters(method))
    table.member(name, own, "what the method says of itself ([distances.md](mechanisms/distances.md))");
}

std::vector<privacy::ParameterTable::Listed> DistanceTerms::listed() {
  DistanceTerms any{.epsilon = {1, 1}, .grid = WeightGrid::parse("0:1", "1")};
  return privacy::list_parameters(any);
}

nlohmann::ordered_json DistanceTerms::parameters() const {
  return privacy::parameters_of(*this);
}

std::vector<std::string> DistanceTerms::promise() const {
  std::vector<std::string> sentences = as_weights(*this).promise();
  sentences.push_back(
      "Distances are computed from noisy numbers and the public shape of the graph alone: all of them "
      "together "
      "keep the promise, and more of them would cost nothing.");
  return sentences;
}

std::vector<std::string> DistanceTerms::not_protected() const {
  std::vector<std::string> sentences = as_weights(*this).not_protected();
  sentences.push_back(
      "Which pairs of vertices distances are given for, and which are not joined by any way.");
  return sentences;
}

privacy::Statement DistanceTerms::draft(double expected_error) const {
  return {.kind = "weights",
          .mechanism = "distances",
          .form = privacy::Form::sound,
          .guarantee = guarantee(),
          .parameters = parameters(),
          .public_inputs = {},
          .outputs = {},
          .ledger = privacy::NoLedgerEntry{"not charged yet"},
          .version = std::string(version),
          .randomness = random::Source::operating_system,
          .expected_error =
              privacy::ExpectedError{
                  expected_error, "weight",
                  fmt::format("mean absolute error of a distance, simulated on this shape with {}",
                              invented_weights_words(settings()))},
          .not_protected = not_protected(),
          .promise = promise()};
}

DistanceTerms distance_terms_from(const privacy::Statement& statement) {
  const Json& parameters = statement.parameters.json();
  DistanceTerms terms{.epsilon = {1, 1}, .grid = grid_to_be_read()};
  privacy::read_parameters(parameters, terms);
  for (const auto& own : terms.own.json().items())
    if (!is_whole(own.value())) throw InvalidOption(own.key(), "is not a whole number, or several");
  terms.settings();  // throws for what does not fit together
  privacy::require_spelling(parameters, terms.parameters());
  if (!statement.public_inputs.empty())
    throw InvalidOption("public_inputs", "hold a file; a release of distances has none");
  return terms;
}

}  // namespace fogline::weights
