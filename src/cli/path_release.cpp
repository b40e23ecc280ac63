// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo path_release_text() {
  return {
      {"path", "release"},
      "Publish one route so that those who know the roads can read it, charged to the ledger",
      "Reads a network (a CSV of roads source,target, or an OSM file and other road networks) and a route "
      "(one vertex a "
      "line), charges the ledger, and only then draws and writes a label for every pair of vertices: "
      "candidate, or ruled "
      "out. Who knows which pairs are roads reads the route exactly (fogline path recover).\n\n"
      "The promise is one-sided, and not differential privacy: whatever is published is at most e^epsilon "
      "times as likely "
      "with a road that the route takes as without that road, where epsilon is ln(1 + e^(E/2)) for "
      "--epsilon-edges E. A "
      "pair that is ruled out is certainly no step. What follows from many labels together is not bounded: "
      "see fogline "
      "path attack. If the roads are public, as streets are, everybody reads the route.\n\n"
      "With --two-sided every label says whether its pair is a step of the route and lies with probability "
      "1 / (1 + e^E): "
      "differential privacy for each label. Insiders read the most likely route, and fogline path plan "
      "says how often "
      "that is the true one.\n\n"
      "A route that comes to a vertex more than once needs --visits: each vertex then has that many stops; "
      "with "
      "--epsilon-vertices the number is drawn between what the route needs and --visits. No road is taken "
      "twice.\n\n"
      "In a city, only the vertices of a public corridor are published: inside --area, or between --from "
      "and --to, which "
      "then are public. What is declared as PUBLIC is not protected; a route of which it is not true is "
      "refused.\n\n"
      "--published gives the paper's layered graph, for comparison; it promises nothing.\n\n"
      "If anything is wrong with the input, the options, the output's folder or the budget, nothing is "
      "charged and nothing "
      "is written. With --guarded, which takes the two-sided form only, what is wrong with the records is "
      "found after the charge.",
      {{"a route that may visit a vertex twice",
        "fogline sample path -q && fogline ledger add --ledger my.ledger --dataset supply --cap 'epsilon 10' "
        "-q && fogline path release --network net.csv route.csv --epsilon-vertices 1 "
        "--epsilon-edges 1 -o public.json --ledger my.ledger --dataset supply"},
       {"differential privacy for each label",
        "fogline sample path -q && fogline ledger add --ledger my.ledger --cap 'epsilon 10' -q && fogline "
        "path release --network net.csv route.csv --two-sided "
        "--epsilon-edges 4 "
        "--every-vertex -o public.json --ledger my.ledger"}}};
}

}  // namespace fogline::cli
