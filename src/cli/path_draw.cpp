// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo path_draw_text() {
  return {
      {"path", "draw"},
      "Draw a published route: its layers, all pairs, or a map",
      "Writes a picture of a published route as SVG. Up to 24 copies of stops and 60 lines are drawn in "
      "layers, roots at the bottom: two stops on one rising line are ruled out as a step. Larger ones "
      "are drawn as a grid of all pairs.\n\n"
      "With --map the vertices stand at their places, or, up to 40 without places, in a circle, and "
      "every candidate is a line. --network gives the places and adds the roads that you know; --route "
      "adds the route as "
      "`path recover` reads "
      "it. Both are private: such a picture is for insiders.",
      {{"in layers",
        "fogline sample path -q && fogline ledger add --ledger my.ledger --cap 'epsilon 10' -q && fogline "
        "path release --network net.csv route.csv --epsilon-edges 1 "
        "-o public.json "
        "--ledger my.ledger -q && fogline path draw public.json -o layers.svg"},
       {"an insider's map",
        "fogline sample path -q && fogline ledger add --ledger my.ledger --cap 'epsilon 10' -q && fogline "
        "path release --network net.csv route.csv --epsilon-edges 1 "
        "-o public.json "
        "--ledger my.ledger -q && fogline path draw public.json --map --network net.csv --route -o "
        "map.svg"}}};
}

}  // namespace fogline::cli
