// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo traces_release_text() {
  return {
      {"traces", "release"},
      "Release invented trips like the private ones, with a statement, charged to the ledger",
      "Reads trips (CSV with traj_id, lon, lat and perhaps user_id and t; GeoJSON, GPX or .dat), charges "
      "epsilon to the dataset in the ledger, and only then counts, with noise, where the trips begin and "
      "end, how they move from cell to cell, how long they are, how they turn and when they leave. From "
      "these counts alone it invents trips, and writes them with a statement beside.\n\n"
      "What is protected is one trip, or with --persons and --per-person K one person with all trips. "
      "--persons "
      "column needs user_id, --persons FILE a name a line for each trip, and no name may be blank, or stand "
      "for "
      "several people. Who has more than K trips counts each of them for less; how many users that are is "
      "told to "
      "you and is not part of the release. With --persons declared you answer for it that nobody has "
      "more.\n\n"
      "What is declared as PUBLIC is not protected, and must not be looked up in the private trips: the "
      "area, how long trips can be and last, and, with --trips, how many there are. Points outside the "
      "area "
      "are left out, and trips that are longer end early; you are told how many. If so few are declared "
      "that "
      "most counts would be noise, nothing is released without --anyway; without --trips that is known "
      "only after the charge, and told then.\n\n"
      "With --constraints the trips obey public rules: closed areas, perhaps at some hours, bounds, speed "
      "limits, one-ways and stops. With --network they are legal drives on public roads. A set of rules "
      "that "
      "leaves no legal place is refused before anything is charged, and what obeying cost is told.\n\n"
      "Trips with times get times: those of one day, told on 1 January 1970, UTC. Days and weekdays are "
      "not "
      "told.\n\n"
      "--mechanism dpe --published gives the paper's trips, for comparison: the private ones, moved. It "
      "promises nothing.\n\n"
      "If anything is wrong with the input, the options, the output's folder or the budget, nothing is "
      "charged and nothing is written. With --guarded what is wrong with the records is found after the "
      "charge.",
      {{"one trip of the sample city's day",
        "fogline sample traces -o trips.csv -q && fogline ledger add --ledger my.ledger --cap 'epsilon 10' "
        "-q && fogline traces release trips.csv --area "
        "-30.06,44.96,-29.94,45.04 --epsilon 1 --unit trip -o synthetic.csv --ledger my.ledger"},
       {"whoever drove, with up to 5 trips",
        "fogline sample traces -o trips.csv -q && fogline ledger add --ledger my.ledger --cap 'epsilon 10' "
        "-q && fogline traces release trips.csv --area "
        "-30.06,44.96,-29.94,45.04 --epsilon 1 --persons column --per-person 5 -o synthetic.csv --ledger "
        "my.ledger"}}};
}

}  // namespace fogline::cli
