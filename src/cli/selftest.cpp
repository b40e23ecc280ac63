// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo selftest_text() {
  return {{"selftest"},
          "Test the auditor: planted bugs must be caught, right mechanisms must not be accused",
          "Runs every part of the audit engine (exact certificates, fit of samplers to tables, falsifier, "
          "record and replay, order of charging and "
          "drawing) on mechanisms with planted bugs, on published mechanisms whose claims do not hold, on "
          "the right twin of each, and on every "
          "mechanism that Fogline releases with. Prints what was caught, by which part, with how many "
          "samples. Reads no private data.\n\n"
          "Exit code 1 if a part misses a bug that it should see, or accuses a right mechanism. Runs with "
          "the same --seed "
          "and --samples find the same; "
          "--repeat R does R runs with the seeds from --seed on, and prints only what went wrong and how "
          "often each bug was caught.",
          {{"everything, as in the project's own checks", "fogline selftest"},
           {"the planted bugs, three times with other random numbers",
            "fogline selftest --only planted --repeat 3 --seed 100"}}};
}

}  // namespace fogline::cli
