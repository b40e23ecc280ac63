// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo path_plan_text() {
  return {
      {"path", "plan"},
      "Say what publishing a route would promise, cost and show, reading no route",
      "Prints the guarantee and what it is made of, what one release charges to the ledger, what the "
      "dataset has left, and what "
      "is not covered. The ledger is read and not changed.\n\n"
      "With --network it also says what would be published for the vertices of the corridor, and how "
      "large the file would be.\n\n"
      "With --two-sided it also says how often insiders will read exactly the right steps, whatever their "
      "direction: routes are invented, published and read again, --runs of them, on random networks of "
      "--vertices and --roads, or on your own --network. What is printed then depends on your roads: keep "
      "it to yourself.",
      {{"what would be published in a city of 20 by 20 crossings",
        "fogline path plan --epsilon-edges 1 --network lattice:20x20:100 --from 0 --to 399 --stretch 1.1"},
       {"differential privacy for each label: how often insiders read the right route",
        "fogline path plan --two-sided --epsilon-edges 4 --every-vertex --vertices 30 --roads 45 "
        "--runs 100"}}};
}

}  // namespace fogline::cli
