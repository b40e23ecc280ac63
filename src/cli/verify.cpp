// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo verify_text() {
  return {
      {"verify"},
      "Recompute what a release promises, check files and ledger, and say it in plain words",
      "Takes a released file whose statement lies beside it (OUTPUT.statement.json), or the statement. "
      "Works out the guarantee from the statement's parameters and public inputs and compares it with what "
      "the statement "
      "claims: the guarantee, every sentence, the expected error, the released file, the hashes of all "
      "files (looked for "
      "beside the statement, or in --folder), and, if the ledger is at hand, the entry that was charged, "
      "whether this is the output it was settled with, and what the dataset has spent "
      "in all; and, given the keys that you trust (--trust), who signed it. Says in plain words what is "
      "promised, to whom, and what is "
      "not.\n\n"
      "The verdict is one of three. Settled and signed by KEY: exit code 0. Consistent, but nothing shows "
      "that it was drawn, because "
      "nobody signed it, the ledger is not at hand, or the mechanism is not known here: exit code 4. Does "
      "not hold: exit code 1.\n\n"
      "A .jsonl holds a statement on each line, of answers that were given one by one (place release "
      "--live). "
      "With --file -=safe.csv, the file that these were kept in, each is held against its answer, and an "
      "answer "
      "of which no statement tells makes the whole not hold.\n\n"
      "A statement may come from anybody, and a short one can name a huge network: what would be long work "
      "is "
      "not checked, and said so, unless --no-limit is given.\n\n"
      "That the mechanism keeps its promise is proved in docs/mechanisms; what a verified statement does "
      "not show is in "
      "docs/statement.md.",
      {{"a signed release",
        "fogline key make -o office.key -q && fogline sample place --network line:101:1000 -o points.csv -q "
        "&& fogline ledger add "
        "--ledger my.ledger --cap 'epsilon 1 per metre' -q && fogline place release --network line:101:1000 "
        "--epsilon 0.02 "
        "points.csv -o safe.csv --ledger my.ledger --sign office.key -q && fogline verify safe.csv --ledger "
        "my.ledger --trust "
        "office.pub"},
       {"for a program",
        "fogline key make -o few.key -q && fogline sample place --network line:9:800 -o few.csv -q && "
        "fogline ledger add --ledger "
        "few.ledger --cap 'epsilon 1 per metre' -q && fogline place release --network line:9:800 --epsilon "
        "0.02 few.csv -o "
        "few_safe.csv --ledger few.ledger --sign few.key -q && fogline verify few_safe.csv.statement.json "
        "--json --ledger "
        "few.ledger --trust few.pub --strict"}}};
}

}  // namespace fogline::cli
