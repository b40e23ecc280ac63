// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo stream_learn_text() {
  return {
      {"stream", "learn"},
      "Learn a model of how states follow each other from public sequences",
      "Counts which state follows which, adds a little to every step to a neighbour, and writes the model "
      "that the other verbs of `stream` take. States are the cells of a grid (--grid METRES) over all "
      "positions, the vertices of a road network (--network), or what a column `state` names. The trips "
      "become public with the model: never learn from the sequence that is to be kept private. A file is "
      "split "
      "into sequences by its columns user_id and sequence (or traj_id), as by every verb of `stream`.\n\n"
      "With --noise-m the positions are taken as noisy, and the model is found by expectation maximisation "
      "over the cells that they may have come from.",
      {{"cells of 340 m in the sample city",
        "fogline sample stream -o states.csv --public trips.csv -q && fogline stream learn trips.csv "
        "--grid "
        "340 -o model.json"},
       {"rooms by name",
        "printf 'sequence,state\\n1,hall\\n1,study\\n1,hall\\n' > rooms.csv && fogline stream learn "
        "rooms.csv "
        "-o rooms.json --json"}}};
}

}  // namespace fogline::cli
