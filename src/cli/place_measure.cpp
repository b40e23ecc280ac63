// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo place_measure_text() {
  return {
      {"place", "measure"},
      "Measure what a place mechanism costs its users and leaves to an attacker",
      "Computes, exactly and from public things alone: Q_loss, the mean distance from truth to output; "
      "AE, the mean "
      "distance from truth to the guess of the best attacker, who knows mechanism and prior; PC = AE / "
      "Q_loss; TP, the "
      "probability that this guess is right; and the same for the attacker who draws from the "
      "posterior. Each by road "
      "and in a straight line. Networks of more than 6,000 vertices get Q_loss only. plm, which releases "
      "points of the plane, is measured in a straight line, and its attackers see in which square of a "
      "public grid the point lies.\n\n"
      "With --truth and --released also measures a finished release against the private records it was "
      "made from: how far "
      "they were moved. That part is for the curator alone: it is exact, private, and charged to no "
      "ledger.",
      {{"GEM on the lattice of its paper",
        "fogline place measure --network lattice:20x20:1500 --mechanism gem --epsilon 0.01 --json"},
       {"a finished release against its original",
        "fogline sample place --network line:9:800 -o points.csv -q && fogline ledger add --ledger my.ledger "
        "--cap 'epsilon 1 per metre' -q && fogline place release --network "
        "line:9:800 "
        "--epsilon 0.02 points.csv -o safe.csv --ledger my.ledger -q && fogline place measure "
        "--network line:9:800 "
        "--epsilon 0.02 --truth points.csv --released safe.csv"}}};
}

}  // namespace fogline::cli
