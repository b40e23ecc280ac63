// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo stream_audit_text() {
  return {
      {"stream", "audit"},
      "Check that the mechanism of a stream keeps its promise, reading no private state",
      "Walks of the model are released as a stream would be, and at every step the mechanism is certified "
      "from the integers it draws with: over all joined states and all answers. Then the weights that it "
      "states are compared between joined states at all answers of a table, or for noise beyond states "
      "that lie farthest apart, along the corners and facets of the sensitivity hull. At some steps "
      "draws, with a fixed public seed, are compared with these weights (of noise on a lattice coarse "
      "enough to list its answers), and the falsifier tries to tell joined states apart. A right "
      "mechanism fails this in fewer than one of a million audits. Exit code 1 if a fault is found.\n\n"
      "Counted besides: steps at which the policy left a possible state exposed, and steps at which an "
      "answer may tell states apart for certain that the policy does not join.\n\n"
      "Reads the model and the policy, no private state and no ledger.",
      {{"cells of 340 m, what one state leads to must look alike",
        "fogline sample stream -o states.csv --public trips.csv -q && fogline stream learn trips.csv "
        "--grid 340 -o model.json -q && fogline stream audit --model model.json --policy transition "
        "--epsilon 1 --json"},
       {"K-norm noise, more steps",
        "fogline sample stream -o states.csv --public trips.csv -q && fogline stream learn trips.csv "
        "--grid 340 -o model.json -q && fogline stream audit --model model.json --policy util:1000 "
        "--epsilon 1 --mechanism k-norm --steps 25"}}};
}

}  // namespace fogline::cli
