// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo place_plan_text() {
  return {
      {"place", "plan"},
      "Say what a release of positions would promise, cost and blur, reading no private record",
      "Prints the guarantee, what one release charges to the ledger, what the dataset has left, and the "
      "expected "
      "displacement in metres of road for somebody who is equally likely to be at any vertex, or who "
      "follows --prior; for plm in a straight line. Where "
      "the whole would take longer than about a second, it is the mean over a public sample of vertices, "
      "with "
      "its standard error; --exact-error asks for the whole.\n\n"
      "Without --mechanism it is auto, the best that is ready in about a minute: optimal up to 1,000 "
      "vertices, "
      "tight up to whole cities, else gem. The plan says which and why.\n\n"
      "With several epsilons (0.005,0.01,0.02) or --compare it puts all mechanisms that fit the map side by "
      "side, or those that --mechanism names, somebody's tables among them (gem,theirs.npz); --target 150m "
      "finds the epsilon for a wanted "
      "displacement.\n\n"
      "If one and the same answer for everybody, in the middle of the map, would be as near, it says so, "
      "and a release needs --anyway.\n\n"
      "Reads the network and the ledger, both without changing them, and no private record.",
      {{"GEM on the lattice of its paper",
        "fogline place plan --network lattice:20x20:1500 --mechanism gem --epsilon 0.01"},
       {"in the sample city, as JSON", "fogline place plan --network city:1 --epsilon 0.02 --json"}}};
}

}  // namespace fogline::cli
