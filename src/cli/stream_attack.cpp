// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo stream_attack_text() {
  return {
      {"stream", "attack"},
      "Attack a release of a stream and say what the attackers learn",
      "The attackers know the model, the policy, the mechanism and all answers. filter guesses each state "
      "from the answers up to it, smoother from all answers, viterbi takes the likeliest path; without "
      "knows "
      "the model alone. For each stand the expected distance of its best point and the share of states "
      "that "
      "it names rightly, by its own reckoning; with --states also against the true states, which makes the "
      "output private.\n\n"
      "The policy may fall into parts within the possible states; told counts the steps at which an answer "
      "alone tells the part. The leak of a step is the largest log-ratio with which the answers tell two "
      "joined states of that step apart: within epsilon for its own answer, more with answers before and "
      "after, because they speak of the same walk. Beside it stand the sums that bound whole sequences: "
      "for "
      "two whose states are joined at every step, and for any two possible ones.",
      {{"what a release leaves to an attacker",
        "fogline sample stream -o states.csv --public trips.csv -q && fogline stream learn trips.csv "
        "--grid "
        "340 -o model.json -q && fogline ledger add --ledger my.ledger --cap 'epsilon 10' -q && fogline "
        "stream release --model model.json --policy util:1000 --epsilon 1 "
        "states.csv -o safe.csv --ledger my.ledger -q && fogline stream attack --model model.json "
        "safe.csv"},
       {"and how right they are, as JSON",
        "printf 'from,to,probability\\na,a,.5\\na,b,.5\\nb,a,.5\\nb,b,.5\\n' > model.csv && printf "
        "'state\\na\\nb\\n' > rooms.csv && fogline ledger add --ledger my.ledger --cap 'epsilon 10' -q && "
        "fogline stream release --model model.csv --policy complete "
        "--epsilon 1 rooms.csv -o safe.csv --ledger my.ledger -q && fogline stream attack --model "
        "model.csv "
        "safe.csv --states rooms.csv --json"}}};
}

}  // namespace fogline::cli
