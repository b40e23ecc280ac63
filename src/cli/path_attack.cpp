// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo path_attack_text() {
  return {
      {"path", "attack"},
      "Attack a published route: what is believed of a road that a reader lacks",
      "Reads the route with the network, takes one of its steps away (--missing, or each in turn), and "
      "asks what readers without that road "
      "believe: is the pair a step of the route?\n\n"
      "one label: sees the labels of that pair alone, and knows that it is a step or no road, with "
      "--prior. all but one: knows every other road and step, so "
      "that at most four pairs can join the two pieces of the route. every vertex: knows no road at "
      "all, but that the route visits every vertex once, at any of its stops, and "
      "believes in all paths that the labels leave; these are counted up to 18 vertices and sampled "
      "above, with a standard error (with several stops a vertex: not computed). loss is the logarithm of "
      "the odds after reading over those before.\n\n"
      "The promise bounds the first reader, who reaches it. In the one-sided form it bounds neither of "
      "the others: they may become certain.\n\n"
      "Layers of the published form are built in the order of the route. Where there are few enough paths, "
      "the layers of each are built too, and those that differ from the published ones drop out: that "
      "tells "
      "the direction, and often the route. What is printed tells of the route: it is private.",
      {{"one missing road",
        "fogline sample path -q && fogline ledger add --ledger my.ledger --cap 'epsilon 10' -q && fogline "
        "path release --network net.csv route.csv --epsilon-edges 1 "
        "-o public.json --ledger my.ledger -q && fogline path "
        "attack --network net.csv public.json --missing b,c --json"},
       {"every step of the route",
        "fogline sample path -q && fogline ledger add --ledger my.ledger --cap 'epsilon 10' -q && fogline "
        "path release --network net.csv route.csv --epsilon-edges 1 "
        "-o public.json --ledger my.ledger -q && fogline path "
        "attack --network net.csv public.json"}}};
}

}  // namespace fogline::cli
