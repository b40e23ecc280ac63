// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo traces_measure_text() {
  return {
      {"traces", "measure"},
      "Measure what synthetic trips keep of the private ones",
      "Counts of trips that touch random discs, ranks of cells, frequent strings of cells, starts and "
      "ends, "
      "lengths, diameters, shape and times, by the definitions of the field; docs/measures.md has each. "
      "JSD is "
      "the Jensen-Shannon divergence with natural logarithms: 0 for the same, 0.693 for nothing in "
      "common.\n\n"
      "Discs and grids divide the area that the release declared, which its statement beside it tells, or "
      "--area. --area trips takes the smallest box around the true trips, as the field's own evaluators "
      "do; "
      "figures in one box do not compare with figures in another. The same seed asks the same discs. "
      "Counts "
      "are never scaled: a synthetic set of another size shows.\n\n"
      "For the curator alone: the figures are exact, private, and charged to no ledger.",
      {{"two sets of trips in one city",
        "fogline sample stream -o a.csv --public trips.csv -q && fogline sample stream --seed 2 -o b.csv "
        "--public other.csv -q && fogline traces measure trips.csv other.csv --area trips"},
       {"with larger discs in a public area, as JSON",
        "fogline sample stream -o a.csv --public trips.csv -q && fogline traces measure trips.csv "
        "trips.csv "
        "--area -30.05,44.95,-29.95,45.05 --query-share 2/5 --seed 7 --json"}}};
}

}  // namespace fogline::cli
