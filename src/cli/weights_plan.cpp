// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo weights_plan_text() {
  return {
      {"weights", "plan"},
      "Say what a release of edge weights would promise, cost and blur, reading no private weight",
      "Prints the guarantee, what one release charges to the ledger, what the dataset has left, and "
      "the expected "
      "absolute error of one weight: of the mechanism, of the others that protect the same unit, of "
      "the best "
      "constant, and the floor below which no release with this promise can go on independent weights "
      "of the "
      "prior. The prior is flat over the range, or the public file given by --prior.\n\n"
      "A release of drawn weights that is not nearer to the truth than the best constant, by 1 % of its "
      "error at least, asks for --anyway. Without an end to the range only the size of the noise can be "
      "told beforehand; estimates "
      "(fogline weights release --estimate) make the error smaller where many edges have alike weights.\n\n"
      "Reads the ledger and the prior, both without changing them, and no private weight.",
      {{"the paper's first graph", "fogline weights plan --range 100:600 --epsilon 5"},
       {"one trip of at most 30 links, as JSON",
        "fogline weights plan --unit trip --most 30 --range 0:5000 --epsilon 1 --json"}}};
}

}  // namespace fogline::cli
