// SPDX-License-Identifier: Apache-2.0
// Any bytes as the log of an anchor, and as the list of them: refused, or read; what is kept after them is what is read then.
#include "fuzz_file.hpp"
#include "privacy/anchor.hpp"

namespace {

using namespace fogline;
using namespace fogline::privacy;

const std::string id(32, 'a');
constexpr std::uint64_t most_entries = 100'000'000'000'000;

void check_log(const std::string& path) {
  const auto anchor = make_anchor(path);
  const auto kept = anchor->kept(id);
  if (kept) fuzz::require(kept->ledger_id == id && kept->entries < most_entries);
  const LedgerHead head{.ledger_id = id, .entries = 7, .hash = std::string(64, '0')};
  anchor->accept(head, 1);
  const auto now = anchor->kept(id);
  fuzz::require(now && now->entries == 7);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  {
    const fuzz::InputFile log(data, size, ".anchor");
    fuzz::accept_or_refuse([&] { check_log(log.path()); });
  }
  return fuzz::run_file(data, size, ".json", {.form = fuzz::Form::tree, .unpacks = false},
                        [](const std::string& path) { AnchorList(path).find(id); });
}
