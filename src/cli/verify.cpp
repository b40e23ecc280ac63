// SPDX-License-Identifier: Apache-2.0
#include "cli/analysis_command.hpp"
#include "cli/verbs.hpp"
#include "release/kinds.hpp"

namespace fogline::cli {

std::unique_ptr<Command> verify() {
  CommandInfo info{
      {"verify"},
      "Recompute what a release promises, check files and ledger, and say it in plain words",
      "Takes a released file whose statement lies beside it (OUTPUT.statement.json), or the statement. "
      "Works out the guarantee from the statement's parameters and public inputs and compares it with what "
      "the statement "
      "claims: the guarantee, every sentence, the expected error, the released file, the hashes of all "
      "files (looked for "
      "beside the statement, or in --folder), and, if the ledger is at hand, the entry that was charged, "
      "whether this is the output it was settled with, and what the dataset has spent "
      "in all. Says in plain words what is promised, to whom, and what is not. Exit code 1 if a check "
      "fails, or if something is promised by a mechanism that this version cannot recompute.\n\n"
      "A statement may come from anybody, and a short one can name a huge network: what would be long work "
      "is "
      "not checked, and said so, unless --no-limit is given.\n\n"
      "That the mechanism keeps its promise is proved in docs/mechanisms; what a verified statement does "
      "not show is in "
      "docs/statement.md.",
      {{"a release and its statement",
        "fogline sample place --network line:101:1000 -o points.csv -q && fogline place release --network "
        "line:101:1000 --epsilon 0.02 "
        "points.csv -o safe.csv --ledger my.ledger -q && fogline verify safe.csv --ledger "
        "my.ledger"},
       {"for a program",
        "fogline sample place --network line:9:800 -o few.csv -q && fogline place release --network "
        "line:9:800 --epsilon 0.02 "
        "few.csv -o few_safe.csv --ledger my.ledger -q && fogline verify few_safe.csv.statement.json "
        "--json --ledger my.ledger "
        "--strict"}}};
  return std::make_unique<AnalysisCommand>(std::move(info), release::verify_statement());
}

}  // namespace fogline::cli
