// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo traces_audit_text() {
  return {
      {"traces", "audit"},
      "Check that a release of trips keeps its promise, on invented trips",
      "Makes up neighbouring sets of trips, with one trip more (standing still, straight across, through "
      "every cell, to and fro a hundred times) or one user more (with one trip, as many as count in full, "
      "many more), releases one of them and records every place where private numbers meet noise. Then "
      "it releases the other with the noise shifted so that all noisy numbers are the same. Whatever is "
      "made of them must be the same too, the private numbers may differ by no more than is declared, and "
      "all that was declared may cost no more than epsilon. Unless --trips is given, all of it is done "
      "once more with so many trips declared that everything is asked that is asked of many.\n\n"
      "The noise itself is compared with the law it declares: a right mechanism fails that in fewer than "
      "one of a million audits.\n\n"
      "Reads no private trip, no ledger, and draws everything from a public seed. Exit code 1 if a fault "
      "is found.",
      {{"one trip, at epsilon 1", "fogline traces audit --area 116.15,39.75,116.60,40.10 --epsilon 1"},
       {"users with up to 20 trips, as JSON",
        "fogline traces audit --plane --area 0,0,38400,38920 --epsilon 1 --persons column --per-person 20 "
        "--json"}}};
}

}  // namespace fogline::cli
