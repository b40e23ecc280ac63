// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo sample_place_text() {
  return {
      {"sample", "place"},
      "Make positions on a network, to try releases on",
      "Writes positions at vertices chosen evenly from the network, as CSV with user_id, lon and lat. "
      "Invented data: the same seed makes "
      "the same file.",
      {{"100 positions on a lattice", "fogline sample place --network lattice:20x20:1500 -o points.csv"},
       {"10 in the sample city, to the screen", "fogline sample place --network city:1 --count 10 -o -"}}};
}

}  // namespace fogline::cli
