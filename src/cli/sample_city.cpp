// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo sample_city_text() {
  return {{"sample", "city"},
          "Make a city that does not exist: roads, a day of trips, one commuter",
          "Writes into a folder: roads.osm.pbf (the street network, in OpenStreetMap's format), trips.csv "
          "(a day of car trips with times), "
          "commuter.csv (one person's position), ground.geojson (river, parks, built-up area), "
          "land_use.csv (where people live and "
          "work) and city.svg (a map). Everything is invented; the same seed makes the same city on every "
          "machine.\n\n"
          "The network alone can be named directly, without a file, as city:SEED.",
          {{"the first city, into the folder city", "fogline sample city"},
           {"another one with fewer people", "fogline sample city --seed 7 --people 200 -o seven"}}};
}

}  // namespace fogline::cli
