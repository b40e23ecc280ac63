// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo weights_attack_text() {
  return {{"weights", "attack"},
          "Attack a release of edge weights and say what the attackers learn",
          "Three questions, each by somebody who knows the mechanism, the graph and how weights are "
          "distributed: which of two edges is the heavier; are two "
          "weights equal; what is one edge's weight, with all others known. Beside each success stands "
          "what the guarantee allows: exchanging two "
          "weights moves two edges, so their order may cost twice epsilon; the others move one.\n\n"
          "For a sound mechanism everything is computed exactly from its probabilities, under --prior or "
          "all weights of the range alike. For a published form, "
          "releases of invented weights are drawn with a fixed public seed: edges have one of --levels "
          "weights each. No private file is read, and no ledger.",
          {{"what blocks leave to an attacker",
            "fogline weights attack --mechanism blocks --range 100:600 --epsilon 5"},
           {"a form of the paper that tells the order of any two weights",
            "fogline weights attack --mechanism lap-ci --published --range 100:600 --epsilon 0.1"}}};
}

}  // namespace fogline::cli
