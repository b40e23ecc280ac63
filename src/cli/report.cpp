// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo report_text() {
  return {{"report"},
          "Write a page of pictures about releases: what they promise, cost, show and leave to attackers",
          "One HTML file that opens in any browser without a network: for each release what is promised in "
          "plain words, "
          "the budget, the checks of fogline verify, the attacks that need public things alone, and the "
          "pictures of its "
          "kind. Give released files, with their statements beside them, or the statements.\n\n"
          "Maps need the public files that the statement names; they are looked for beside it, and --file "
          "says where one "
          "lies that is elsewhere. --network lays public roads below maps that have none of their own, and "
          "gives the "
          "vertices of paths and weights their places.\n\n"
          "No private value goes into a report, unless --curator asks for it: then --original names the "
          "private file "
          "of a release (for a path: the network of its insiders), its error is measured, every page "
          "carries a mark, and "
          "the name of the report must end in .private.html. Such a report is for the curator alone.",
          {{"a release of positions",
            "fogline sample place --network lattice:9x9:800 -o points.csv -q && fogline ledger add "
            "--ledger my.ledger --cap 'epsilon 1 per metre' -q && fogline place release "
            "--network "
            "lattice:9x9:800 --epsilon 0.01 points.csv -o safe.csv --ledger my.ledger -q && fogline report "
            "safe.csv -o "
            "report.html --ledger my.ledger"},
           {"the same for its curator",
            "fogline sample place --network line:9:800 -o few.csv -q && fogline ledger add --ledger "
            "my.ledger --cap 'epsilon 1 per metre' -q && fogline place release --network "
            "line:9:800 "
            "--epsilon 0.02 few.csv -o few_safe.csv --ledger my.ledger -q && fogline report few_safe.csv "
            "--curator "
            "--original few_safe.csv=few.csv -o report.private.html --ledger my.ledger"}}};
}

}  // namespace fogline::cli
