// SPDX-License-Identifier: Apache-2.0
#include "cli/analysis_command.hpp"
#include "cli/verbs.hpp"
#include "release/kinds.hpp"

namespace fogline::cli {

std::unique_ptr<Command> ledger_verify() {
  CommandInfo info{
      {"ledger", "verify"},
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
  return std::make_unique<AnalysisCommand>(std::move(info), release::ledger_verify());
}

}  // namespace fogline::cli
