// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo weights_measure_text() {
  return {
      {"weights", "measure"},
      "Measure what a release of edge weights keeps of its private original",
      "WARE is the mean absolute error of the weights; best_constant that of the private median on "
      "every edge. KSP is the share of shortest paths "
      "that are the same in both graphs, over all ordered pairs with a path; LARE the mean error in "
      "length of those. Where several paths are "
      "shortest, the one of fewest edges is taken, and among those, from the target back, one by a "
      "fixed lot of the vertices, the same in "
      "both graphs; KSP_any also counts a path that is one of several shortest in the release.\n\n"
      "For the curator alone: the figures are exact, private, and charged to no ledger. Edges are "
      "matched by the names of their ends.",
      {{"a release against its original",
        "fogline sample weights -o graph.csv -q && fogline ledger add --ledger my.ledger --cap 'epsilon 20' "
        "-q && fogline weights release graph.csv --range 100:600 "
        "--epsilon 10 -o safe.csv --ledger "
        "my.ledger -q && fogline weights measure graph.csv safe.csv"},
       {"paths from 100 vertices only, as JSON",
        "fogline sample weights -o big.csv -q && fogline weights measure big.csv big.csv --sources 100 "
        "--json"}}};
}

}  // namespace fogline::cli
