// SPDX-License-Identifier: Apache-2.0
#include "cli/analysis_command.hpp"
#include "cli/verbs.hpp"
#include "release/kinds.hpp"

namespace fogline::cli {

std::unique_ptr<Command> network_info() {
  CommandInfo info{
      {"network", "info"},
      "Read a road network and say what is in it and what was left out",
      "Reads the network as every other command would, with the same options, and prints its size, extent, "
      "road classes, and what was left out on the way: roads of another mode, loose parts, duplicates.\n\n"
      "A network is public. Formats: OpenStreetMap (.osm.pbf, .osm, also compressed), DIMACS (.gr with "
      ".co), "
      "a CSV file of nodes with one of edges, or a generated one: lattice:ROWSxCOLUMNS:METRES, "
      "line:VERTICES:METRES, "
      "city:SEED.",
      {{"a generated lattice of 20 x 20 junctions, 1,500 m wide", "fogline network info lattice:20x20:1500"},
       {"the sample city, as JSON", "fogline network info city:1 --json"}}};
  return std::make_unique<AnalysisCommand>(std::move(info), release::network_info());
}

}  // namespace fogline::cli
