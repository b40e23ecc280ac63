// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo place_prepare_text() {
  return {
      {"place", "prepare"},
      "Build a mechanism for positions once, into a file that releases draw from at once",
      R"(Writes everything that a release needs besides the positions: the map, the mechanism's table or lengths, its
expected error and, for optimal, the bound that nothing can beat. Every verb of place takes such a file with --kernel,
in place of network, mechanism and epsilon; a statement then names its hash.

A file from somebody else is doubted: before it is first used, this program checks that it is whole and certifies its
integers on every road, and it remembers that in the cache folder until the file changes. Whether its map is that of
the network it names, fogline verify tells who has that network.

Nothing private is read, and nothing private is in the file. gem, tight and optimal can be prepared; plmg and plm need
no preparing.)",
      {{"the sample city",
        "fogline place prepare --network city:1 --mechanism tight --epsilon 0.01 -o city.kernel"},
       {"the lattice of GEM's paper, as JSON",
        "fogline place prepare --network lattice:20x20:1500 --epsilon 0.01 -o lattice.kernel --json"}}};
}

}  // namespace fogline::cli
