// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo place_kernel_text() {
  return {
      {"place", "kernel"},
      "Show a prepared mechanism, and write its table for others to compute with",
      R"(Says what a file of fogline place prepare holds, after certifying it if it is new here. With --matrix it writes the
table of probabilities: sparse as SciPy reads it (scipy.sparse.load_npz), with --dense as an array of NumPy, or as CSV. With
--weights it writes the exact integers that releases are drawn from, each in two halves of 64 bits.

The other way round, plan, measure, attack, audit and release take somebody's table, or one of these, as --mechanism
FILE.)",
      {{"what a file holds",
        "fogline place prepare --network lattice:5x5:400 --epsilon 0.01 -o small.kernel && fogline place "
        "kernel small.kernel"},
       {"its table, for SciPy",
        "fogline place prepare --network line:9:800 --mechanism gem --epsilon 0.01 -o line.kernel && fogline "
        "place kernel "
        "line.kernel --matrix m.npz --json"}}};
}

}  // namespace fogline::cli
