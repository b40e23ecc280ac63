// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo stream_release_text() {
  return {
      {"stream", "release"},
      "Release a sequence of states, with a statement, charged to the ledger",
      "Reads the true states (CSV with a column state, or positions lon,lat that fall into the model's "
      "places; a column "
      "sequence if there are several), charges epsilon to the dataset in the ledger, and only then "
      "draws an answer for "
      "each step. The output has a row for each step: the answer, the integers that were drawn, and "
      "the free baseline, "
      "which is the best answer without looking at the true state.\n\n"
      "At each step, states that the policy joins must look alike, among those that the model and the "
      "answers before "
      "leave possible. A state with no other to be taken for is joined with a partner (--repair). A "
      "true state that is "
      "not possible by the model, or outside --delta's set, is released as the nearest that is; "
      "fogline stream measure counts these steps.\n\n"
      "Mechanisms: optimal is the table of least expected error; grouped is the same on groups of states, "
      "which "
      "is faster where there are many; both exact, and certified at every step. auto takes them up to "
      "--table-states possible states, and k-norm, the paper's noise drawn exactly, above; laplace is the "
      "paper's first. The answer is the point of least expected distance given all answers so far "
      "(--answer smoothed: those after it too; raw: the drawn one).\n\n"
      "Epsilon is for one state of the sequence, and so is the charge, however many steps there are. With "
      "--persons and --per-person K all sequences of a person are protected and charged, at most K, epsilon "
      "for "
      "each of at most --steps steps; you declare them, so that the charge is known before a state is read. "
      "--persons column tells persons apart by user_id, --persons FILE by a name a line for each sequence, "
      "and "
      "--persons declared not at all: you answer for it that nobody has more. --too-many leave-out leaves "
      "out "
      "sequences and steps beyond, which otherwise refuse the file. --protect sequence protects each "
      "sequence by "
      "itself.\n\n"
      "With - for both input and output it is live: one state in, one answer out. A live release is of one "
      "sequence, charged when it begins: for one state, or for the declared --steps, after which it ends. "
      "--save keeps what everybody knows, public, after each step; --resume goes on from it, and is "
      "charged "
      "again.\n\n"
      "Before the charge, releases of 4 walks of the model of 25 steps are tried out, as fogline stream "
      "plan does, which reads nothing private. If the answers are not nearer to the truth than the best "
      "guess from the model alone, by 1 % of its error at least, nothing is released without --anyway, "
      "which also leaves the trial out.\n\n"
      "If anything is wrong with the input, the options, the output's folder or the budget, nothing is "
      "charged and "
      "nothing is written. With --guarded what is wrong with the records is found after the charge.",
      {{"one walker, states within 1,000 m",
        "fogline sample stream -o states.csv --public trips.csv -q && fogline stream learn trips.csv "
        "--grid 340 -o "
        "model.json -q && fogline ledger add --ledger my.ledger --dataset walker --cap 'epsilon 10' -q && "
        "fogline stream release --model model.json --policy util:1000 --epsilon 1 "
        "states.csv -o "
        "safe.csv --ledger my.ledger --dataset walker"},
       {"live, and to be resumed",
        "fogline sample stream -o states.csv --public trips.csv -q && fogline stream learn trips.csv "
        "--grid 340 -o "
        "model.json -q && fogline ledger add --ledger my.ledger --cap 'epsilon 10' -q && fogline stream "
        "release --model model.json --policy complete --epsilon 2 - -o "
        "- --statement "
        "live.json --ledger my.ledger --save walker.state.json < states.csv"}}};
}

}  // namespace fogline::cli
