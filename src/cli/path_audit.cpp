// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo path_audit_text() {
  return {{"path", "audit"},
          "Check what publishing a route promises: exactly on small networks, by attack on others",
          "Certifies the tables that labels are drawn from, from their integers. On small networks it then "
          "enumerates: every route "
          "of the network, each with every one of its steps taken away, and the probability of every "
          "publication, compared in both "
          "directions and printed beside the promise and the paper's bound. The mechanism itself is "
          "sampled and compared with its "
          "tables, and a falsifier tries to tell a route from the same route without one step.\n\n"
          "Towards the road is the direction that is promised: how much more likely a publication is with "
          "the road than without. "
          "Back is the other one, which the one-sided form leaves open: it is infinite, because a pair "
          "that is ruled out is no "
          "step for certain.\n\n"
          "Reads no private route. The exit code is 1 if anything speaks against the promise.",
          {{"a small network",
            "fogline sample path -q && fogline path audit --network net.csv --epsilon-edges 1"},
           {"differential privacy for each label, as JSON",
            "fogline sample path --vertices 5 --roads 7 -q && fogline path audit --network net.csv "
            "--two-sided --epsilon-edges 2 "
            "--json"}}};
}

}  // namespace fogline::cli
