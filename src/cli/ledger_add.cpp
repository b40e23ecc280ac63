// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/blocks.hpp"
#include "cli/usage_error.hpp"
#include "cli/verbs.hpp"

namespace fogline::cli {
namespace {

class LedgerAdd : public Command {
 public:
  CommandInfo info() const override {
    return {
        {"ledger", "add"},
        "Declare a dataset and what may be spent on it; keep the ledger's head in a second place",
        "A release is charged to a dataset, and only to one that was declared here: a slip of the pen would "
        "be a fresh "
        "budget. Say with --cap how much all its releases together may spend ('epsilon 2', or for places "
        "'epsilon 0.5 per "
        "metre'; both may be given), or with --uncapped that nothing limits it, which is shown ever after. "
        "'epsilon 2 per person' bounds what releases of all kinds can tell of one person, and only releases "
        "that "
        "say how persons are told apart (--persons, --per-person) may be charged then. 'epsilon 0.1 per "
        "metre per "
        "subject in 24 h' is for a service (fogline serve): each of its subjects has that much, in any 24 "
        "hours. A "
        "name that "
        "looks like one that is there (case, blanks, 0 and o) is refused. fogline ledger cap changes a cap "
        "later.\n\n"
        "With --anchor the ledger's head is kept in a second place after each entry, before anything is "
        "drawn, and "
        "compared before each: an older copy of the ledger, a cut tail or a rewritten history is then "
        "refused. The place "
        "is a file, a folder, postgresql://HOST/DATABASE (a table in PostgreSQL; the password, if it needs "
        "one, "
        "goes into ~/.pgpass), or command:PROGRAM, which is run with 'kept ID', 'keep ID ENTRIES HASH' or "
        "'accept ID ENTRIES "
        "HASH'. Which ledger has which anchor is remembered in your data folder.",
        {{"riders, with at most epsilon 2, and an anchor",
          "fogline ledger add --ledger my.ledger --dataset riders --cap 'epsilon 2' --anchor anchor.log"},
         {"an anchor for a ledger that is there",
          "fogline ledger add --ledger other.ledger --dataset lab --uncapped && fogline ledger add --ledger "
          "other.ledger --anchor other.log"}}};
  }

  void declare(OptionSet& options) override {
    ledger_.declare(options);
    options.group("Budget");
    options.value("--cap", "CAP", caps_,
                  "the most that may be spent: 'epsilon 2', 'epsilon 2 per person'; may be repeated");
    options.flag("--uncapped", uncapped_, "nothing limits what may be spent");
    options.value("--refusals", "N", refusals_, "how many guarded requests may be refused in all (10)");
    options.value("--anchor", "WHERE", anchor_,
                  "where the ledger's head is kept besides: file, folder, postgresql://HOST/DATABASE or "
                  "command:PROGRAM");
  }

  int run(Session& session) override {
    const bool declares = uncapped_ || !caps_.empty();
    if (!declares && anchor_.empty())
      throw UsageError("say what may be spent with --cap, or --uncapped that nothing limits it");
    privacy::DatasetRequest request{
        .dataset = ledger_.dataset, .caps = {}, .is_uncapped = uncapped_, .time_unix_s = session.now()};
    for (const std::string& cap : caps_) request.caps.push_back(privacy::Cap::parse(cap));
    if (refusals_ != unsaid) request.most_refusals = refusals_;
    if (!declares && refusals_ != unsaid)
      throw UsageError("--refusals needs --cap or --uncapped; fogline ledger cap changes it later");
    if (!declares && ledger_.dataset != LedgerBlock{}.dataset)
      throw UsageError(
          "--dataset is given: say what it may spend with --cap, or --uncapped that nothing limits it");
    const std::string path = ledger_.path_for_writing();
    fill_in(ledger_);
    if (!std::filesystem::exists(path)) session.note(fmt::format("a new ledger is made: {}", path));
    const auto anchor = anchor_.empty() ? nullptr : privacy::make_anchor(anchor_);
    privacy::Ledger ledger(path, {.anchor = anchor ? only(anchor) : ledger_.anchors});
    if (anchor) keep_head(session, ledger, *anchor);
    if (!declares) return 0;
    ledger.add_dataset(request);
    warn_of_clock(session, ledger);
    session.note(fmt::format("dataset '{}': {}", ledger_.dataset,
                             uncapped_ ? "NOTHING LIMITS WHAT MAY BE SPENT"
                                       : fmt::format("at most {}", fmt::join(caps_, " and "))));
    return 0;
  }

 private:
  /// For a ledger that has no other anchor already.
  static privacy::FindAnchor only(const std::shared_ptr<privacy::Anchor>& anchor) {
    return [list = anchor_list(), anchor](const std::string& id) {
      if (const std::string known = list.find(id); !known.empty() && known != anchor->where())
        throw InvalidOption(
            "anchor", fmt::format("of this ledger is {} already; fogline ledger accept changes it", known));
      return anchor;
    };
  }

  void keep_head(Session& session, privacy::Ledger& ledger, const privacy::Anchor& anchor) const {
    if (!ledger.is_anchored()) ledger.add_anchor(session.now());
    warn_of_clock(session, ledger);
    ledger.require_chargeable();
    anchor_list().set(ledger.id(), anchor.where());
    session.note(fmt::format("the head of {} is kept by {}", ledger_.ledger, anchor.where()));
  }

  LedgerBlock ledger_;
  std::vector<std::string> caps_;
  std::string anchor_;
  bool uncapped_ = false;
  static constexpr std::uint64_t unsaid = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t refusals_ = unsaid;
};

}  // namespace

std::unique_ptr<Command> ledger_add() {
  return std::make_unique<LedgerAdd>();
}

}  // namespace fogline::cli
