// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo ledger_verify_text() {
  return {{"ledger", "verify"},
          "Look for edits, losses and broken rules in a ledger",
          "Reads the whole ledger and checks SQLite's own integrity, the chain of hashes, the head, every "
          "number, and that no cap was "
          "ever exceeded. Exit code 1 if anything is found.\n\n"
          "Whoever owns the file can rewrite all of it consistently, or put an older copy in its place. "
          "That is seen only against something kept elsewhere: "
          "the statements of earlier releases, given as arguments, or a head written down earlier, given "
          "with --head.",
          {{"a fresh ledger",
            "fogline ledger cap --ledger my.ledger --dataset riders --epsilon 2 -q && fogline ledger "
            "verify --ledger my.ledger"},
           {"for a program",
            "fogline ledger cap --ledger my.ledger --dataset riders --epsilon 2 -q && fogline ledger "
            "verify --ledger my.ledger --json"}}};
}

}  // namespace fogline::cli
