// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo sample_weights_text() {
  return {{"sample", "weights"},
          "Make a graph with edge weights, to try releases on",
          "Writes a scale-free graph, grown by preferential attachment, with whole weights drawn evenly "
          "from a range, as CSV with source, "
          "target and weight. Invented data: the same seed makes the same file.",
          {{"1,000 vertices, weights 100 to 600", "fogline sample weights -o graph.csv"},
           {"A smaller one, to the screen",
            "fogline sample weights --vertices 20 --edges-per-vertex 2 --range 1:40 -o -"}}};
}

}  // namespace fogline::cli
