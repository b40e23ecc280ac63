// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo network_cut_text() {
  return {
      {"network", "cut"},
      "Cut a part out of a road network and write it as a map of its own",
      R"(Writes the vertices in a box, a circle or polygons, or the N that are nearest to a place by road, with the roads between them, and of that the largest connected piece. Roads that leave the part are left out as a whole. The same map and options write the same bytes.

An OpenStreetMap file (.osm.pbf, .osm, also compressed) holds the shapes of roads, their classes and one-way streets, and its junctions keep their ids. Of a .csv file X.csv, X.csv gets the places, and X_edges.csv beside it the roads with their lengths and one-way streets.

For what takes long on a large map: optimal, measure, attack, and whole tables.)",
      {{"the middle of the sample city", "fogline network cut city:1 --circle -30,45,800 -o centre.csv"},
       {"700 vertices around a place, from and to an OpenStreetMap file",
        "fogline sample city && fogline network cut city/roads.osm.pbf --around -30,45 --vertices "
        "700 -o centre.osm.pbf"}}};
}

}  // namespace fogline::cli
