// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo place_release_text() {
  return {
      {"place", "release"},
      "Release positions on a road network, with a statement, charged to the ledger",
      "Reads private positions (CSV, GeoJSON, GPX), moves each to the nearest vertex of the network, "
      "charges epsilon per "
      "metre to the dataset in the ledger, and only then draws and writes a safe vertex (plm: a point) for "
      "each, in the "
      "same order, with a "
      "statement beside it.\n\n"
      "A point over --max-snap metres from the network refuses the file. --too-far leave-out leaves its "
      "record out, which tells that it lay there; --too-far nearest moves it like any other, which tells "
      "nothing.\n\n"
      "If one and the same answer for everybody, in the middle of the map, would be as near to them, "
      "nothing is released without --anyway.\n\n"
      "If anything is wrong with the input, the options, the output's folder or the budget, nothing is "
      "charged and nothing is "
      "written. With --guarded what is wrong with the records is found after the charge. If the disk fills "
      "up after the charge, nothing is written and the budget is spent.\n\n"
      "The unit is one report: k reports of the same person add up to k times epsilon. With --persons and "
      "--per-person K the promise is for all reports of a person, at most K, and costs K times epsilon: "
      "--persons column tells persons apart by user_id, --persons FILE by a name a line for each record, and "
      "--persons declared not at all: you answer for it that nobody has more. Reports beyond K refuse the "
      "file; "
      "--too-many leave-out leaves them out. The "
      "number of records and their order are released as they are.\n\n"
      "--live, with - for input and output, answers each line of CSV as it comes. Each is a release of its "
      "own: it is charged when "
      "it comes, its statement, a line of JSON, is in the file before the answer is out "
      "(release.statements.jsonl unless "
      "--statement names another), and it is settled. A line that is refused ends the release; the answers "
      "before it stand. Run again, it goes on with the same file of statements: those that are there stay, "
      "and "
      "what a crash left of a last line is cut away, for its answer never went out. One process writes to "
      "such a file at a time. --overwrite begins it anew, and drops the statements of earlier answers. "
      "Each run begins its answers with the header; to keep those of several in one file, append them "
      "(>> safe.csv): fogline verify release.statements.jsonl --file -=safe.csv checks every statement and "
      "every answer.",
      {{"the sample city's commuter",
        "fogline sample city -o city -q && fogline ledger add --ledger my.ledger --dataset me --cap 'epsilon "
        "1 per metre' -q && fogline place release --network city/roads.osm.pbf --epsilon "
        "0.01 "
        "city/commuter.csv -o safe.csv --ledger my.ledger --dataset me"},
       {"positions on a lattice",
        "fogline sample place --network lattice:9x9:800 -o points.csv -q && fogline ledger add --ledger "
        "my.ledger --cap 'epsilon 1 per metre' -q && fogline place release "
        "--network "
        "lattice:9x9:800 --mechanism gem --epsilon 1/50 points.csv -o safe.geojson --ledger my.ledger"}}};
}

}  // namespace fogline::cli
