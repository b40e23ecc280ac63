// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo weights_release_text() {
  return {
      {"weights", "release"},
      "Release the edge weights of a graph, with a statement, charged to the ledger",
      "Reads a graph whose edges are public and whose weights are private (CSV source,target,weight, an "
      "edge "
      "list, or TNTP), charges epsilon to the dataset in the ledger, and only then draws and writes a safe "
      "weight for each edge, in the same order, with a statement beside it.\n\n"
      "What is protected is named by --unit: one edge's whole weight within the public --range (edge), a "
      "change "
      "of one edge's weight by at most --most (change), or a trip that adds at most 1 to each of at most "
      "--most "
      "edges (trip). The range is yours to declare, from what everybody may know; a weight outside it is "
      "refused, with its line, or counts as the nearest end (--out-of-range clamp). With --persons declared "
      "--per-person K the promise is for K of them, all that one person has, and costs K times epsilon.\n\n"
      "Without --mechanism the best sound one for the unit is taken: blocks for whole edges, and geometric "
      "or "
      "staircase noise otherwise, whose noisy values are then made into posterior medians under a prior "
      "that is "
      "learned from them (--estimate), which costs nothing. Files of any size are released in little "
      "memory "
      "with --estimate plain (the default for whole edges) and without --order.\n\n"
      "With --round, weights between points of the grid are rounded. For a change or a trip that makes the "
      "noise larger by "
      "one step for each edge, so declare a fine --step with it.\n\n"
      "What is given as public must not come from the private weights: --prior (weight,probability), "
      "--groups "
      "(source,target,group, or a TNTP network, whose free-flow times make ten groups) and --order "
      "(source,target,rank: "
      "an edge of lower rank weighs no more than one of higher rank; or pairs "
      "lower_source,lower_target,upper_source,"
      "upper_target; or a TNTP network, by free-flow time).\n\n"
      "The paper's forms mb, lap-ci and mb-ci do not keep what they promise, and lap is drawn in floating "
      "point: they need --published, carry no guarantee, and are refused for a dataset with a cap.\n\n"
      "Weights released as they are drawn (--estimate plain, no --order) that are not nearer to the truth "
      "than the best constant, by 1 % of its error at least, need --anyway.\n\n"
      "If anything is wrong with the input, the options, the output's folder or the budget, nothing is "
      "charged "
      "and nothing is written. With --guarded what is wrong with the records is found after the charge.",
      {{"whole weights between 100 and 600",
        "fogline sample weights -o graph.csv -q && fogline ledger add --ledger my.ledger --dataset trade "
        "--cap 'epsilon 20' -q && fogline weights release graph.csv --mechanism blocks "
        "--range "
        "100:600 --epsilon 10 -o safe.csv --ledger my.ledger --dataset trade"},
       {"one unit of weight on one edge",
        "fogline sample weights -o graph.csv -q && fogline ledger add --ledger my.ledger --cap 'epsilon 20' "
        "-q && fogline weights release graph.csv --unit change --range "
        "0: "
        "--epsilon 0.5 -o safe.csv --ledger my.ledger"}}};
}

}  // namespace fogline::cli
