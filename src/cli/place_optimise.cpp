// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo place_optimise_text() {
  return {
      {"place", "optimise"},
      "Choose the outputs of GEM so that it serves a public prior better",
      "The greedy algorithm of GEM's paper (Algorithm 2): first drops outputs as long as that lowers "
      "Q_loss, then as long as "
      "that raises PC = AE / Q_loss against an attacker who draws from the posterior, while Q_loss stays "
      "at most that of GEM "
      "with every vertex (or --most-q-loss). Writes the vertices kept, one a line, for --range of the "
      "other verbs.\n\n"
      "GEM keeps its guarantee with any range chosen from public things. So the prior must be PUBLIC: one "
      "counted from the "
      "records to be released would tell of them. Reads no private record and no ledger. Networks of at "
      "most 6,000 vertices.",
      {{"for a person who is equally likely to be anywhere",
        "fogline place optimise --network lattice:20x20:1500 --epsilon 0.01 -o range.csv"},
       {"for one who is mostly in two places",
        "printf 'vertex,probability\\n22,0.6\\n77,0.4\\n' > prior.csv && fogline place optimise --network "
        "lattice:10x10:1000 --epsilon 0.01 --prior prior.csv -o range.csv"}}};
}

}  // namespace fogline::cli
