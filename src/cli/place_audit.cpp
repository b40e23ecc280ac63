// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo place_audit_text() {
  return {{"place", "audit"},
          "Check that a place mechanism keeps its promise on a network, reading no private record",
          "Computes the largest privacy loss from the integers that releases are drawn from: over all "
          "roads, both ways and all outputs. "
          "What holds on every road holds between any two vertices, so a pass is a certificate. Where "
          "roads times outputs exceed "
          "--comparisons, the local rule that the weights follow is certified instead, from the integers and "
          "for every map, and the roads of a sample are checked besides; a mechanism without such a rule is "
          "checked on the sample alone, which is no certificate. The verdict says which of the three it "
          "was.\n\n"
          "Then draws releases from three vertices with a fixed public seed and compares their counts with "
          "the table. A right sampler "
          "fails this in fewer than one of a million networks.\n\n"
          "Exit code 1 if a fault is found. Reads the network, no ledger and no private record.",
          {{"GEM on the lattice of its paper",
            "fogline place audit --network lattice:20x20:1500 --mechanism gem --epsilon 0.01"},
           {"by the local rule, with few of the sample city's roads, as JSON",
            "fogline place audit --network city:1 --epsilon 0.05 --comparisons 1000000 --samples 5000 "
            "--json"}}};
}

}  // namespace fogline::cli
