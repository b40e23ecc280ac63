// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo stream_measure_text() {
  return {
      {"stream", "measure"},
      "Measure what a release of a stream keeps of its private original",
      "error is the mean distance of the released answers from the true ones; raw_error that of the drawn "
      "answers, which the paper would have released; free_baseline that of the best answers that look at "
      "nothing private. relative_error is error over free_baseline: what lies above 1 was not worth its "
      "privacy. dop is the mean degree of protection of the true states (how many possible states the "
      "sensitivity hull hides each among, itself counted). At an exposed step the policy as given left "
      "some "
      "possible state with no other to be taken for; at a drift step the true state was none of the "
      "possible ones, and the nearest of these answered.\n\n"
      "Policy, epsilon and mechanism come from the statement beside the release. For the curator alone: "
      "the figures are exact, private, and charged to no ledger.",
      {{"a release against its original",
        "fogline sample stream -o states.csv --public trips.csv -q && fogline stream learn trips.csv "
        "--grid "
        "340 -o model.json -q && fogline ledger add --ledger my.ledger --cap 'epsilon 10' -q && fogline "
        "stream release --model model.json --policy util:1000 --epsilon 1 "
        "states.csv -o safe.csv --ledger my.ledger -q && fogline stream measure --model model.json "
        "states.csv safe.csv"},
       {"rooms by name, as JSON",
        "printf 'from,to,probability\\na,a,.5\\na,b,.5\\nb,a,.5\\nb,b,.5\\n' > model.csv && printf "
        "'state\\na\\nb\\n' > rooms.csv && fogline ledger add --ledger my.ledger --cap 'epsilon 10' -q && "
        "fogline stream release --model model.csv --policy complete "
        "--epsilon 1 rooms.csv -o safe.csv --ledger my.ledger -q && fogline stream measure --model "
        "model.csv "
        "rooms.csv safe.csv --json"}}};
}

}  // namespace fogline::cli
