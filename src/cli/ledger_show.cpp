// SPDX-License-Identifier: Apache-2.0
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "cli/blocks.hpp"
#include "cli/verbs.hpp"

namespace fogline::cli {
namespace {

std::string utc(std::int64_t unix_s) {
  return fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::gmtime(static_cast<std::time_t>(unix_s)));
}

nlohmann::ordered_json as_json(const privacy::MeasureTotal& total) {
  const auto text = [](const std::optional<Rational>& value) {
    return value ? nlohmann::ordered_json(value->to_string()) : nlohmann::ordered_json();
  };
  return {
      {"spent", total.spent.to_string()}, {"cap", text(total.cap)}, {"remaining", text(total.remaining())}};
}

nlohmann::ordered_json as_json(const privacy::DatasetBook& book) {
  nlohmann::ordered_json accounts = nlohmann::ordered_json::array();
  for (const auto& account : book.accounts) {
    accounts.push_back({{"notion", to_string(account.notion)},
                        {"unit", account.unit},
                        {"measure", to_string(account.measure)},
                        {"spent", account.spent.to_string()},
                        {"releases", account.releases}});
  }
  return {{"plain", as_json(book.plain)},
          {"per_metre", as_json(book.per_metre)},
          {"accounts", accounts},
          {"releases_without_guarantee", book.releases_without_guarantee},
          {"seeded_runs", book.seeded_runs}};
}

nlohmann::ordered_json as_json(const privacy::LedgerEntry& entry) {
  nlohmann::ordered_json result = {{"entry", entry.number},
                                   {"time", utc(entry.time_unix_s)},
                                   {"type", to_string(entry.type)},
                                   {"dataset", entry.dataset}};
  if (entry.guarantee) {
    result["kind"] = entry.kind;
    result["mechanism"] = entry.mechanism;
    result["output"] = entry.output;
    result["guarantee"] = to_string(*entry.guarantee);
  }
  if (entry.cap) {
    result["cap"] = entry.cap->epsilon.to_string();
    result["measure"] = to_string(entry.cap->measure);
  }
  result["hash"] = entry.hash;
  return result;
}

std::string as_text(const privacy::LedgerEntry& entry) {
  const std::string what =
      entry.cap ? fmt::format("cap {} {}", entry.cap->epsilon.to_string(), to_string(entry.cap->measure))
                : fmt::format("{} {} -> {}: {}", entry.kind, entry.mechanism, entry.output,
                              to_string(*entry.guarantee));
  return fmt::format("{:>5}  {}  {:10}  {}  {}\n", entry.number, utc(entry.time_unix_s),
                     to_string(entry.type), entry.dataset, what);
}

std::string as_text(const std::string& name, const privacy::DatasetBook& book) {
  std::string text = fmt::format("dataset '{}'\n", name);
  for (const auto& account : book.accounts) {
    text += fmt::format("  {} for {}: {} {} over {} release{}\n", to_string(account.notion), account.unit,
                        account.spent.to_string(), to_string(account.measure), account.releases,
                        account.releases == 1 ? "" : "s");
  }
  for (const auto measure : {privacy::EpsilonMeasure::plain, privacy::EpsilonMeasure::per_metre}) {
    const auto& total = book.total(measure);
    if (!total.cap) continue;
    text += fmt::format("  cap {} {}, {} left\n", total.cap->to_string(), to_string(measure),
                        total.remaining()->to_string());
  }
  if (!book.has_cap()) text += "  no cap is set\n";
  if (book.accounts.size() > 1)
    text += "  the accounts protect different things and do not add up to one promise\n";
  if (book.releases_without_guarantee > 0) {
    text += fmt::format("  {} release(s) WITHOUT GUARANTEE: nothing is promised for this dataset any more\n",
                        book.releases_without_guarantee);
  }
  if (book.seeded_runs > 0)
    text += fmt::format("  {} seeded run(s), not private, not counted\n", book.seeded_runs);
  return text;
}

class LedgerShow : public Command {
 public:
  CommandInfo info() const override {
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

  void declare(OptionSet& options) override {
    ledger_.declare_ledger(options);
    options.value("--dataset", "NAME", dataset_, "this dataset only");
    options.group("Output");
    options.flag("--entries", entries_, "list every entry");
    options.flag("--json", json_, "print JSON");
  }

  int run(Session& session) override {
    privacy::Ledger ledger(ledger_.path(), {.access = privacy::Ledger::Access::existing});
    const auto shown = [&](const std::string& name) { return dataset_.empty() || dataset_ == name; };
    const auto head = ledger.head();
    const privacy::Books books = ledger.books();
    if (!dataset_.empty() && !books.datasets().contains(dataset_)) {
      // An empty list would read as: nothing is spent.
      std::vector<std::string> known;
      for (const auto& [name, book] : books.datasets()) known.push_back("'" + name + "'");
      throw DataError({ledger_.path()}, fmt::format("knows no dataset '{}'", dataset_),
                      known.empty() ? "it is empty" : fmt::format("it has {}", fmt::join(known, ", ")));
    }
    if (json_) {
      nlohmann::ordered_json datasets = nlohmann::ordered_json::object(),
                             entries = nlohmann::ordered_json::array();
      for (const auto& [name, book] : books.datasets()) {
        if (shown(name)) datasets[name] = as_json(book);
      }
      nlohmann::ordered_json report = {{"ledger", ledger_.path()},
                                       {"id", ledger.id()},
                                       {"entries", head.entries},
                                       {"head", head.hash},
                                       {"datasets", datasets}};
      if (entries_) {
        for (const auto& entry : ledger.entries()) {
          if (shown(entry.dataset)) entries.push_back(as_json(entry));
        }
        report["list"] = entries;
      }
      session.data(to_text(report));
      return 0;
    }
    std::string text =
        fmt::format("ledger {}, {} entries, head {}\n", ledger_.path(), head.entries, head.hash);
    for (const auto& [name, book] : books.datasets()) {
      if (shown(name)) text += as_text(name, book);
    }
    if (entries_) {
      for (const auto& entry : ledger.entries()) {
        if (shown(entry.dataset)) text += as_text(entry);
      }
    }
    session.data(text);
    return 0;
  }

 private:
  LedgerBlock ledger_;
  std::string dataset_;
  bool entries_ = false;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> ledger_show() {
  return std::make_unique<LedgerShow>();
}

}  // namespace fogline::cli
