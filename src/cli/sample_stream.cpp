// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo sample_stream_text() {
  return {{"sample", "stream"},
          "Make a walk to keep private, and a public history of walks to learn from",
          "Writes the positions of one walker, every three minutes, as CSV with t, lon and lat; and with "
          "--public the walks of other people in the same town, with traj_id, from which `stream learn` "
          "makes a model. People walk between favourite places by the shortest way and rest there. "
          "Invented data: the same seed makes the same files, and the walk does not depend on how many "
          "others there are.",
          {{"a walk of 100 steps and 200 others in the sample city",
            "fogline sample stream -o states.csv --public trips.csv"},
           {"a shorter one on a lattice, to the screen",
            "fogline sample stream --network lattice:20x20:3000 --steps 10 -o -"}}};
}

}  // namespace fogline::cli
