// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "privacy/parameter_table.hpp"
#include "privacy/statement.hpp"
#include "weights/distances/distance_plan.hpp"
#include "weights/grid.hpp"
#include "weights/protection.hpp"

namespace fogline::weights {

/// What a release of distances says about itself. All of it follows from public things.
///
///     DistanceTerms terms{.epsilon = {1, 1}, .grid = grid, .protection = {.unit = ProtectedUnit::change}};
///     const DistancePlan plan = plan_distances(graph, terms.settings(), "auto");
///     terms.take(plan, graph);
///     terms.draft(plan.chosen.expected_error);
struct DistanceTerms {
  privacy::Epsilon epsilon;
  WeightGrid grid;
  Protection protection = {};
  Rounding rounding = Rounding::refuse;
  bool directed = false;
  std::string method = "edges";  ///< of the release
  privacy::Parameters own = {};  ///< DistanceMechanism::parameters()
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;

  DistanceSettings settings() const;  ///< throws InvalidOption as Protection::sensitivity_steps

  void take(const DistancePlan& plan, const Topology& graph);

  privacy::Guarantee guarantee() const;
  void declare(privacy::ParameterTable& table);                  ///< the parameters
  static std::vector<privacy::ParameterTable::Listed> listed();  ///< every parameter there may be
  nlohmann::ordered_json parameters() const;
  std::vector<std::string> promise() const;
  std::vector<std::string> not_protected() const;

  /// Complete but for outputs, ledger and randomness.
  privacy::Statement draft(double expected_error) const;
};

/// Reads the terms back from a statement's parameters. Throws InvalidOption naming the first that is missing, unknown, of the wrong type or not written
/// as DistanceTerms::parameters() writes it.
DistanceTerms distance_terms_from(const privacy::Statement& statement);

}  // namespace fogline::weights
