// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo stream_plan_text() {
  return {
      {"stream", "plan"},
      "Say what a release of a stream would promise, cost and blur, reading no private state",
      "Prints the guarantee, what one release charges to the ledger in all, what the dataset has left, and "
      "what is to be expected: the error of the estimate and of the raw answer, beside the free baseline, "
      "which is the best answer from the model and the answers before without looking at the true state, "
      "and beside the best guess from the model alone, without any release; the degree of protection; how "
      "many states are possible at a step, and at how many steps the policy leaves one of them "
      "exposed.\n\n"
      "The figures come from releases of walks of the model itself, --walks of them with --walk-steps "
      "steps, so they hold as far as people move as the model says. With 4 walks of 25 steps, as if "
      "nothing "
      "is said, they are those by which a release that is no better than the guess asks for --anyway. The "
      "ledger is read and not changed, and no private state is read.",
      {{"cells of 340 m, states within 1,000 m must look alike",
        "fogline sample stream -o states.csv --public trips.csv -q && fogline stream learn trips.csv "
        "--grid 340 -o "
        "model.json -q && fogline stream plan --model model.json --policy util:1000 --epsilon 1"},
       {"what a day of at most 48 steps costs in all, as JSON",
        "fogline sample stream -o states.csv --public trips.csv -q && fogline stream learn trips.csv "
        "--grid 340 -o "
        "model.json -q && fogline stream plan --model model.json --policy transition --epsilon 0.2 "
        "--protect sequence --steps 48 --json"}}};
}

}  // namespace fogline::cli
