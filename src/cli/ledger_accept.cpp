// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/blocks.hpp"
#include "cli/verbs.hpp"

namespace fogline::cli {
namespace {

class LedgerAccept : public Command {
 public:
  CommandInfo info() const override {
    return {{"ledger", "accept"},
            "Take a ledger as it is although its anchor says otherwise",
            "A ledger whose head is kept in a second place (fogline ledger add --anchor) is refused when "
            "that place knows entries "
            "that the ledger does not hold: an older copy was put back, or its history was rewritten. What "
            "was released meanwhile "
            "is then missing from the books. If the newest copy is lost, this takes the ledger as it is, "
            "with your reason as an "
            "entry for all to see, and has the anchor begin anew from there.\n\n"
            "With --anchor the ledger gets another anchor, or one that this machine did not know.",
            {{"after the disk was restored from a backup",
              "fogline ledger add --ledger my.ledger --dataset riders --cap 'epsilon 2' --anchor anchor.log "
              "-q && fogline ledger "
              "accept --ledger my.ledger --reason 'restored from the backup of Monday'"},
             {"another place for the head",
              "fogline ledger add --ledger two.ledger --dataset riders --cap 'epsilon 2' --anchor two.log -q "
              "&& fogline ledger "
              "accept --ledger two.ledger --anchor three.log --reason 'the old disk is full'"}}};
  }

  void declare(OptionSet& options) override {
    ledger_.declare_ledger(options);
    options.value("--reason", "TEXT", reason_, "why, as an entry of the ledger").required();
    options.value("--anchor", "WHERE", anchor_, "where its head is kept from now on; otherwise where it was");
  }

  int run(Session& session) override {
    const std::string path = ledger_.path();
    const privacy::AnchorList list = anchor_list();
    std::shared_ptr<privacy::Anchor> anchor;
    const auto find_anchor = [&](const std::string& id) {
      const std::string where = anchor_.empty() ? list.find(id) : anchor_;
      if (where.empty()) throw InvalidOption("anchor", "is needed: none is known of this ledger here");
      anchor = privacy::make_anchor(where);
      return anchor;
    };
    privacy::Ledger ledger(path, {.access = privacy::Ledger::Access::existing, .anchor = find_anchor});
    ledger.accept(reason_, session.now());
    warn_of_clock(session, ledger);
    if (!ledger.is_anchored()) ledger.add_anchor(session.now());
    list.set(ledger.id(), anchor->where());
    session.note(fmt::format("{} is accepted with {} entries; {} keeps its head", path, ledger.head().entries,
                             anchor->where()));
    return 0;
  }

 private:
  LedgerBlock ledger_;
  std::string reason_, anchor_;
};

}  // namespace

std::unique_ptr<Command> ledger_accept() {
  return std::make_unique<LedgerAccept>();
}

}  // namespace fogline::cli
