// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo traces_plan_text() {
  return {{"traces", "plan"},
          "Say what a release of trips would promise, cost and blur, reading no trip",
          "Prints the guarantee, what one release charges to the ledger, what the dataset has left, and what "
          "would be counted: how the budget is shared among the counts, into how many cells or classes each "
          "is split, and how far off each of these numbers will be on average, in trips. A trip counts at "
          "most one in all for each, so moves and visits are parts of trips.\n\n"
          "How fine the finest grid is depends on the number of trips: give --expect, or --trips if that is "
          "public. Rules and roads, if given, are checked as a release would check them.\n\n"
          "Reads the ledger, without changing it, and no private trip.",
          {{"a city of 15,000 trips",
            "fogline traces plan --area 116.15,39.75,116.60,40.10 --epsilon 1 --expect 15000"},
           {"users with up to 20 trips, as JSON",
            "fogline traces plan --plane --area 0,0,38400,38920 --epsilon 1 --persons column --per-person 20 "
            "--json"}}};
}

}  // namespace fogline::cli
