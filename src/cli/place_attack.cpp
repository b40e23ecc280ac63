// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo place_attack_text() {
  return {
      {"place", "attack"},
      "Attack a place mechanism and say what the attackers learn",
      "Three kinds of attack, all by somebody who knows the mechanism, the network and the prior.\n\n"
      "One report: attackers who look at the prior only, who believe the output, who take the most likely "
      "vertex, who draw "
      "from the posterior, and the optimal one, who takes the vertex of least expected distance. Exact.\n\n"
      "Informed: somebody who knows beforehand that the truth lies within --informed-radius metres of road "
      "of some place, "
      "averaged over places drawn from the prior; with the largest change from prior to posterior and the "
      "bound on it, "
      "epsilon times the widest distance there. Exact.\n\n"
      "Repeated: the same person reports again and again from the same vertex. People are drawn from the "
      "prior and reports "
      "from the mechanism with a fixed public seed, --samples of them. No private record is read, and no "
      "ledger.",
      {{"GEM on the lattice of its paper",
        "fogline place attack --network lattice:20x20:1500 --mechanism gem --epsilon 0.01"},
       {"how ten reports sharpen what is known, as JSON",
        "fogline place attack --network lattice:9x9:800 --epsilon 0.01 --reports 1,10 --samples 500 "
        "--json"}}};
}

}  // namespace fogline::cli
