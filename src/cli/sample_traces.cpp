// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo sample_traces_text() {
  return {{"sample", "traces"},
          "Make a day of car trips in the sample city, to try releases on",
          "Writes the trips of a day as CSV with traj_id, user_id, t, lon and lat: a point every 15 "
          "seconds. People drive to work and home, to shops and out in the evening; they take the quickest "
          "way and respect one-way streets. They are the trips.csv of `fogline sample city`, without the "
          "city: its roads are city:SEED, wherever a network is asked for. Invented data: the same seed "
          "makes the same file.",
          {{"the trips of 2,000 people", "fogline sample traces -o trips.csv"},
           {"of 20, to the screen", "fogline sample traces --people 20 -o -"}}};
}

}  // namespace fogline::cli
