// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo sample_path_text() {
  return {{"sample", "path"},
          "Make a network and a private route in it, to try releases on",
          "Writes a network as CSV with source and target, and a route through all its vertices, one "
          "vertex a line: a path in "
          "random order, and roads drawn evenly from the other pairs. Up to 26 vertices are called by "
          "letters, and b and c are "
          "always a step of the route. With --network it writes the shortest way between two vertices of "
          "that network instead, "
          "and no network. Invented data: the same seed makes the same files.",
          {{"8 vertices and 12 roads, in net.csv and route.csv", "fogline sample path"},
           {"a way across the sample city",
            "fogline sample path --network city:7 --from 12 --to 300 -o way.csv"}}};
}

}  // namespace fogline::cli
