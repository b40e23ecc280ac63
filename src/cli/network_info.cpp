// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo network_info_text() {
  return {
      {"network", "info"},
      "Read a road network and say what is in it and what was left out",
      "Reads the network as every other command would, with the same options, and prints its size, extent, "
      "road classes, and what was left out on the way: roads of another mode, loose parts, duplicates.\n\n"
      "A network is public. Formats: OpenStreetMap (.osm.pbf, .osm, also compressed), DIMACS (.gr with "
      ".co), "
      "a CSV file of nodes with one of edges, or a generated one: lattice:ROWSxCOLUMNS:METRES, "
      "line:VERTICES:METRES, "
      "city:SEED, valley:SEED.",
      {{"a generated lattice of 20 x 20 junctions, 1,500 m wide", "fogline network info lattice:20x20:1500"},
       {"the sample city, as JSON", "fogline network info city:1 --json"}}};
}

}  // namespace fogline::cli
