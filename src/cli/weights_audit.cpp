// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo weights_audit_text() {
  return {
      {"weights", "audit"},
      "Check that a mechanism for edge weights keeps its promise, reading no private record",
      "A sound mechanism draws each edge by itself, so one edge's loss is audited. A table (blocks) is "
      "certified "
      "exactly: its integers, between any two weights of the range. Noise (geometric, staircase) is "
      "certified by its rule: the sensitivity is worked out anew from unit, range and step, and compared "
      "with the one the noise is made for. Then weights all over the range are drawn with a fixed public "
      "seed: the draws are compared with the table or the law, and pairs of edges with independent ones, "
      "which can contradict that edges are drawn by themselves, but not prove it. A right mechanism fails "
      "this in fewer than one of a million audits. Neighbours differ in one "
      "edge, or for a trip in at most --most edges, whose losses are added up. Exit code 1 if a fault is "
      "found.\n\n"
      "A form of the paper (--published) promises nothing, and the audit says what the paper's claim is "
      "worth: a lower bound on the true epsilon, with a confidence of 99.9999 %, on two graphs that the "
      "paper calls neighbours. Samples show no more than about ln(samples) - 4; a replay with the same "
      "noise also shows private data that goes round the noise, at any epsilon. Exit code 0: the bound is "
      "the answer.\n\n"
      "Reads no graph, no ledger and no private record.",
      {{"the default for an edge's whole weight, as JSON",
        "fogline weights audit --mechanism blocks --range 100:600 --epsilon 10 --json"},
       {"what the paper's claim for MB-CI is worth",
        "fogline weights audit --mechanism mb-ci --published --epsilon 1"}}};
}

}  // namespace fogline::cli
