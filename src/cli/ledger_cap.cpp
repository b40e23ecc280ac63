// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "cli/blocks.hpp"
#include "cli/usage_error.hpp"
#include "cli/verbs.hpp"

namespace fogline::cli {
namespace {

Rational parse_cap(const std::string& option, const std::string& text) {
  const auto value = Rational::parse(text);
  if (!value || *value > Rational(1'000'000)) {
    throw InvalidOption(option, "must be a number from 0 to 1,000,000, written like 0.5 or 1/2");
  }
  return *value;
}

class LedgerCap : public Command {
 public:
  CommandInfo info() const override {
    return {{"ledger", "cap"},
            "Limit what may be spent on a dataset, all releases together",
            "Sets, raises or lowers the cap of a dataset: the most that all its releases together may spend. "
            "A release over the cap is "
            "refused (exit code 3) with what was asked, what is left and the difference; nothing is written "
            "then.\n\n"
            "Epsilon per metre (place) and plain epsilon (every other kind) have caps of their own. Once a "
            "dataset has one of "
            "them, spending in the other measure needs a cap too. --cap 'epsilon 2 per person' bounds what "
            "releases of all kinds can tell of one person. Setting a cap is an entry of the ledger "
            "like any other.",
            {{"at most 0.5 per metre for riders",
              "fogline ledger cap --ledger my.ledger --dataset riders --epsilon-per-metre 0.5"},
             {"nothing more, of any kind",
              "fogline ledger cap --ledger my.ledger --dataset riders --epsilon 0 --epsilon-per-metre 0"}}};
  }

  void declare(OptionSet& options) override {
    ledger_.declare(options);
    options.group("Cap");
    options.value("--cap", "CAP", caps_,
                  "as in ledger add: 'epsilon 2', 'epsilon 2 per person'; may be repeated");
    options.value("--epsilon", "E", plain_, "cap on plain epsilon");
    options.value("--epsilon-per-metre", "E", per_metre_, "cap on epsilon per metre");
    options.value("--refusals", "N", refusals_, "how many guarded requests may be refused in all (10)");
  }

  int run(Session& session) override {
    if (caps_.empty() && plain_.empty() && per_metre_.empty() && refusals_ == unsaid)
      throw UsageError("give --cap, --epsilon, --epsilon-per-metre or --refusals");
    std::vector<privacy::Cap> caps;
    for (const std::string& cap : caps_) caps.push_back(privacy::Cap::parse(cap));
    if (!plain_.empty()) caps.push_back({privacy::EpsilonMeasure::plain, parse_cap("epsilon", plain_)});
    if (!per_metre_.empty()) {
      caps.push_back({privacy::EpsilonMeasure::per_metre, parse_cap("epsilon-per-metre", per_metre_)});
    }
    const std::string path = ledger_.path_for_writing();
    fill_in(ledger_);
    privacy::Ledger ledger(path, {.anchor = ledger_.anchors});
    bool is_new = !ledger.books().dataset(ledger_.dataset).is_declared();
    for (const auto& cap : caps) {
      const auto total =
          ledger.set_cap({.dataset = ledger_.dataset, .cap = cap, .time_unix_s = session.now()});
      warn_of_clock(session, ledger);
      if (std::exchange(is_new, false))
        session.note(fmt::format("dataset '{}' was not declared, and is now", ledger_.dataset));
      if (cap.is_of_subjects()) {
        session.note(fmt::format("dataset '{}': at most {}", ledger_.dataset, to_string(cap)));
        continue;
      }
      session.note(fmt::format("dataset '{}': cap {} {}{}, {} spent, {} left", ledger_.dataset,
                               cap.epsilon.to_string(), to_string(cap.measure),
                               cap.of_person ? " per person" : "", total.spent.to_string(),
                               total.remaining()->to_string()));
      if (total.spent > cap.epsilon)
        session.warn("more than the cap is spent already; nothing more may be released");
    }
    if (refusals_ != unsaid) set_refusals(session, ledger);
    return 0;
  }

 private:
  void set_refusals(Session& session, privacy::Ledger& ledger) const {
    ledger.set_refusals(ledger_.dataset, refusals_, session.now());
    warn_of_clock(session, ledger);
    session.note(fmt::format("dataset '{}': at most {} guarded requests may be refused, {} used up",
                             ledger_.dataset, refusals_,
                             ledger.books().dataset(ledger_.dataset).answers_that_may_tell()));
  }

  LedgerBlock ledger_;
  std::vector<std::string> caps_;
  std::string plain_, per_metre_;
  static constexpr std::uint64_t unsaid = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t refusals_ = unsaid;
};

}  // namespace

std::unique_ptr<Command> ledger_cap() {
  return std::make_unique<LedgerCap>();
}

}  // namespace fogline::cli
