// SPDX-License-Identifier: Apache-2.0
#include "weights/term_parameters.hpp"

namespace fogline::weights {

void PromiseParameters::declare(privacy::ParameterTable& table) const {
  table.value("epsilon", epsilon, "in all, exact");
  table.word("unit", protection.unit, protected_unit_from, "what is protected: `edge`, `change` or `trip`");
  std::string range = grid.range_text(), step = grid.step_text();
  table.value("range", range, "lowest and highest weight of the public grid");
  table.value("step", step, "of the grid");
  bool clamps = grid.clamps();
  table.optional().value("clamped", clamps,
                         "true where weights outside the range counted as the nearest end of it");
  if (table.reads()) grid = WeightGrid::parse(range, step, clamps);
  table.value("directed", directed, "whether a,b and b,a are two edges");
  table.when(protection.unit != ProtectedUnit::edge)
      .value("most", protection.most, "the largest change, or number of edges of a trip, that is protected");
  table.optional().value("per_person", protection.per_person,
                         "how many such units of one person the promise covers",
                         {1, Protection::most_per_person});
  table.when(table.lists() || protection.per_person > 0)
      .word("persons", protection.persons, privacy::persons_from,
            "`declared`: weights name nobody, so that nobody has more is declared");
  if (table.reads() && protection.per_person > 0 && protection.persons != privacy::Persons::declared)
    throw InvalidOption("persons", "of weights are declared: nothing in them tells persons apart");
  bool rounded = rounding == Rounding::nearest;
  table.optional().value("rounded", rounded,
                         "true where weights between grid points were rounded, which the noise pays for");
  rounding = rounded ? Rounding::nearest : Rounding::refuse;
}

WeightGrid grid_to_be_read() {
  return WeightGrid::parse("0:1", "1");
}

}  // namespace fogline::weights
