// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo weights_distances_text() {
  return {
      {"weights", "distances"},
      "Release the distances between a graph's vertices, with a statement, charged to the ledger",
      "Reads a graph whose shape is public and whose weights are private, charges epsilon to the dataset, "
      "and "
      "writes noisy shortest distances: CSV source,target,distance, for every pair of vertices, from some "
      "(--from), or for the pairs of a public file (--pairs). All of them together keep the promise; "
      "asking "
      "for more pairs costs nothing. Pairs that no way joins are left out.\n\n"
      "Methods: edges puts noise on every weight, searches in graphs that the private one may have been "
      "given the noisy weights, and takes the mean; its error grows with the number of edges of a path. "
      "tree, for graphs without circles, uses noisy sums over blocks of edges along paths; separators uses "
      "noisy distances across regions, and is for long graphs that few vertices cut apart. noise searches "
      "in the noisy weights themselves, for comparison. auto takes the one of least error, simulated on "
      "the graph's shape with invented weights: real weights have another error. A public range helps: "
      "where it is known that every edge has at least 1, say --range 1:. "
      "docs/mechanisms/distances.md says where each wins, and has the proofs.\n\n"
      "If anything is wrong with the input, the options, the output's folder or the budget, nothing is "
      "charged "
      "and nothing is written. With --guarded what is wrong with the records is found after the charge.",
      {{"a tree, one unit of weight on one edge protected",
        "fogline sample weights --edges-per-vertex 1 --vertices 300 -o tree.csv -q && fogline ledger add "
        "--ledger my.ledger --dataset trade --cap 'epsilon 20' -q && fogline weights "
        "distances "
        "tree.csv --range 100:600 --epsilon 1 -o distances.csv --ledger my.ledger --dataset trade"},
       {"from one vertex, by noise on every edge",
        "fogline sample weights --vertices 200 -o graph.csv -q && fogline ledger add --ledger my.ledger "
        "--cap 'epsilon 20' -q && fogline weights distances graph.csv "
        "--method "
        "edges --from 7 --epsilon 1/2 -o from7.csv --ledger my.ledger"}}};
}

}  // namespace fogline::cli
