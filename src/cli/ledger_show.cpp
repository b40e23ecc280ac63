// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo ledger_show_text() {
  return {{"ledger", "show"},
          "Show what was released from each dataset, what it cost and what is left",
          "Prints, for each dataset, what was spent per account (notion and unit of protection), its caps "
          "and what is left; with "
          "--entries also every line of the ledger. The head (number of entries and hash of the last) can "
          "be written down elsewhere and given to "
          "ledger verify --head later.",
          {{"a ledger with one cap",
            "fogline ledger cap --ledger my.ledger --dataset riders --epsilon-per-metre 0.5 && fogline "
            "ledger show --ledger my.ledger"},
           {"every entry, as JSON",
            "fogline ledger cap --ledger my.ledger --dataset riders --epsilon 2 -q && fogline ledger show "
            "--ledger my.ledger --entries --json"}}};
}

}  // namespace fogline::cli
