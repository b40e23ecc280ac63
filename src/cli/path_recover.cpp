// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo path_recover_text() {
  return {
      {"path", "recover"},
      "Read a published route with the roads that you know",
      "For those the route was published for. A road that you know and that is a candidate is a step of "
      "the route; every "
      "other road that you know is not. With all roads you read the route exactly, and its direction if it "
      "was published. "
      "With some roads missing you read pieces of it, each certain, and are told what cannot be "
      "decided.\n\n"
      "A publication with --two-sided has labels that may lie. What is read then is the most likely route "
      "among your "
      "roads, with how much more likely it is than the next; it need not be the true one.\n\n"
      "With --participant, one vertex reads its own place alone, from its own row and its own roads: which "
      "neighbours the "
      "route joins it with.\n\n"
      "The network may hold more vertices than were published. What is printed is the private route: keep "
      "it as such.",
      {{"read it",
        "fogline sample path -q && fogline ledger add --ledger my.ledger --cap 'epsilon 10' -q && fogline "
        "path release --network net.csv route.csv --epsilon-edges 1 -o "
        "public.json --ledger my.ledger -q && fogline path recover --network net.csv public.json"},
       {"one participant's place",
        "fogline sample path -q && fogline ledger add --ledger my.ledger --cap 'epsilon 10' -q && fogline "
        "path release --network net.csv route.csv --epsilon-edges 1 -o "
        "public.json "
        "--ledger my.ledger -q && fogline path recover --network net.csv public.json --participant b "
        "--json"}}};
}

}  // namespace fogline::cli
