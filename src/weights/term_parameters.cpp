// SPDX-License-Identifier: Apache-2.0
#include "weights/term_parameters.hpp"

namespace fogline::weights {

void PromiseParameters::declare(privacy::ParameterTable& table) const {
  table.value("epsilon", epsilon, "in all, exact");
  table.word("unit", protection.unit, protected_unit_from, "what is protected: `edge`, `change` or `trip`");
  std::string range = grid.range_text(), step = grid.step_text();
  table.value("range", range, "lowest and highest weight of the public grid");
  table.value("step", step, "of the grid");
  if (table.reads()) grid = WeightGrid::parse(range, step);
  table.value("directed", directed, "whether a,b and b,a are two edges");
  table.when(protection.unit != ProtectedUnit::edge)
      .value("most", protection.most, "the largest change, or number of edges of a trip, that is protected");
  bool rounded = rounding == Rounding::nearest;
  table.optional().value("rounded", rounded,
                         "true where weights between grid points were rounded, which the noise pays for");
  rounding = rounded ? Rounding::nearest : Rounding::refuse;
}

WeightGrid grid_to_be_read() {
  return WeightGrid::parse("0:1", "1");
}

}  // namespace fogline::weights
