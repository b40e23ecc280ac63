// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo path_measure_text() {
  return {
      {"path", "measure"},
      "Measure what a published route costs, and what insiders read of it",
      "candidate_share is the share of pairs of stops that are candidates: what a reader without roads "
      "cannot tell from steps. copies_per_vertex is the size of the "
      "layered graph against the vertices: 1 where what is ruled out can be oriented, at most 2 a "
      "stop. pairs_per_step is the number of pairs of stops, each a published label, against the "
      "steps of the route; bytes is the size of the file, not compressed.\n\n"
      "steps_read says whether one who knows all roads reads exactly the steps of the route; in the "
      "one-sided form always (else this is not a publication of this route, and measure says so and "
      "stops), "
      "in the two-sided form with luck. good_output "
      "is the paper's measure of the order: 1 if the route is read from its start on, 0.5 if nothing "
      "tells the start, else 0.\n\n"
      "For the curator alone: the figures are exact, private, and charged to no ledger.",
      {{"a release against its route",
        "fogline sample path -q && fogline ledger add --ledger my.ledger --cap 'epsilon 10' -q && fogline "
        "path release --network net.csv route.csv --epsilon-edges 1 "
        "-o public.json --ledger my.ledger -q && fogline path "
        "measure --network net.csv route.csv public.json"},
       {"labels that may lie, as JSON",
        "fogline sample path -q && fogline ledger add --ledger my.ledger --cap 'epsilon 10' -q && fogline "
        "path release --network net.csv route.csv --two-sided "
        "--every-vertex --epsilon-edges 4 -o public.json --ledger my.ledger "
        "-q && fogline path measure --network net.csv route.csv public.json --json"}}};
}

}  // namespace fogline::cli
