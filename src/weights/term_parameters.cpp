// SPDX-License-Identifier: Apache-2.0
#include "weights/term_parameters.hpp"

#include <nlohmann/json.hpp>

#include "privacy/parameter_fields.hpp"

namespace fogline::weights {

using Json = nlohmann::ordered_json;
using privacy::fraction_of;
using privacy::text_of;
using privacy::truth_of;

Json PromiseParameters::json() const {
  Json result = {{"epsilon", epsilon.value().to_string()},
                 {"unit", to_string(protection.unit)},
                 {"range", grid.range_text()},
                 {"step", grid.step_text()},
                 {"directed", directed}};
  if (protection.unit != ProtectedUnit::edge) result["most"] = protection.most.to_string();
  if (rounding == Rounding::nearest) result["rounded"] = true;
  return result;
}

PromiseParameters promise_parameters_from(const Json& parameters) {
  PromiseParameters found{
      .epsilon = privacy::Epsilon::parse(text_of(parameters, "epsilon")),
      .grid = WeightGrid::parse(text_of(parameters, "range"), text_of(parameters, "step"))};
  found.protection.unit = protected_unit_from(text_of(parameters, "unit"));
  if (found.protection.unit != ProtectedUnit::edge) found.protection.most = fraction_of(parameters, "most");
  found.rounding = truth_of(parameters, "rounded") ? Rounding::nearest : Rounding::refuse;
  found.directed = truth_of(parameters, "directed");
  return found;
}

}  // namespace fogline::weights
