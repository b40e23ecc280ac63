// SPDX-License-Identifier: Apache-2.0
#include <set>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "release/analyses/analysis.hpp"
#include "release/kinds.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;

/// "1 release", "3 releases".
std::string number_of(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

class LedgerShow : public Analysis {
 public:
  std::string kind() const override { return "ledger"; }
  std::string verb() const override { return "show"; }
  LedgerFields* ledger() override { return &ledger_; }

  void declare(FieldTable& table) override {
    ledger_.declare_ledger(table);
    table.value("dataset", "NAME", dataset_, "this dataset only");
    table.group("Output");
    table.flag("entries", entries_, "list every entry");
  }

  Findings run(Caller&) override {
    const auto ledger = ledger_.open(privacy::Ledger::Access::existing);
    const auto head = ledger->head();
    const privacy::Books books = ledger->books();
    require_known(books);
    Json datasets = Json::object();
    Findings found;
    found.add(fmt::format("ledger {}, {} entries, head {}{}", ledger_.name(), head.entries, head.hash,
                          !ledger->is_anchored()   ? ""
                          : ledger->knows_anchor() ? ", kept in a second place as well"
                                                   : ", kept in a second place that is not known here: not "
                                                     "compared with it"));
    for (const auto& [name, book] : books.datasets()) {
      if (!is_shown(name)) continue;
      datasets[name] = as_json(book);
      found.add(words(name, book));
    }
    Json report = {{"ledger", ledger_.name()},          {"id", ledger->id()},
                   {"entries", head.entries},           {"head", head.hash},
                   {"anchored", ledger->is_anchored()}, {"datasets", datasets}};
    report["compared_with_anchor"] = ledger->is_anchored() && ledger->knows_anchor();
    if (entries_) add_entries(*ledger, report, found);
    found.json = report;
    return found;
  }

 private:
  bool is_shown(const std::string& name) const { return dataset_.empty() || dataset_ == name; }

  /// An empty list would read as: nothing is spent.
  void require_known(const privacy::Books& books) const {
    if (dataset_.empty() || books.datasets().contains(dataset_)) return;
    std::vector<std::string> known;
    for (const auto& [name, book] : books.datasets()) known.push_back("'" + name + "'");
    throw DataError({ledger_.name()}, fmt::format("knows no dataset '{}'", dataset_),
                    known.empty() ? "it is empty" : fmt::format("it has {}", fmt::join(known, ", ")));
  }

  void add_entries(privacy::Ledger& ledger, Json& report, Findings& found) const {
    constexpr auto left = Findings::Align::left;
    Json list = Json::array();
    Findings::Table table{{{"", 5}, {"", 2}, {"", 21, left}, {"", 12, left}, {"", 0, left}}, {}};
    const std::vector<privacy::LedgerEntry> entries = ledger.entries();
    std::set<std::uint64_t> settled, refused;
    for (const auto& entry : entries) {
      if (entry.settlement) settled.insert(entry.settlement->entry);
      refused.insert(entry.refused_entry);
    }
    for (const auto& entry : entries) {
      if (!is_shown(entry.dataset) && !is_of_the_whole_ledger(entry.type)) continue;
      const bool is_charge = entry.type == privacy::EntryType::charge;
      list.push_back(as_json(entry));
      if (is_charge) list.back()["settled"] = settled.contains(entry.number);
      table.rows.push_back(
          {std::to_string(entry.number), "", utc(entry.time_unix_s), std::string(to_string(entry.type)),
           fmt::format("{}  {}{}", entry.dataset.empty() ? "all" : entry.dataset, what(entry),
                       !is_charge || settled.contains(entry.number) ? ""
                       : refused.contains(entry.number)             ? "; refused"
                                                                    : "; not settled")});
    }
    report["list"] = list;
    found.add(table);
  }

  static std::string utc(std::int64_t unix_s) {
    return fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::gmtime(static_cast<std::time_t>(unix_s)));
  }

  static Json as_json(const privacy::MeasureTotal& total) {
    const auto text = [](const std::optional<Rational>& value) {
      return value ? Json(value->to_string()) : Json();
    };
    return {
        {"spent", total.spent.to_string()}, {"cap", text(total.cap)}, {"remaining", text(total.remaining())}};
  }

  static Json as_json(const privacy::DatasetBook& book) {
    Json accounts = Json::array();
    for (const auto& account : book.accounts) {
      accounts.push_back({{"notion", to_string(account.notion)},
                          {"unit", account.unit},
                          {"measure", to_string(account.measure)},
                          {"spent", account.spent.to_string()},
                          {"releases", account.releases}});
    }
    Json all{{"plain", as_json(book.plain)},
             {"per_metre", as_json(book.per_metre)},
             {"person",
              {{"plain", as_json(book.person_plain)},
               {"per_metre", as_json(book.person_per_metre)},
               {"bounded", book.releases_of_parts == 0 && book.seeded_runs == 0},
               {"releases_that_bound_nothing", book.releases_of_parts}}},
             {"accounts", accounts},
             {"releases_without_guarantee", book.releases_without_guarantee},
             {"seeded_runs", book.seeded_runs},
             {"settled", book.settled},
             {"unsettled", book.unsettled()},
             {"refusals", book.refusals},
             {"guarded",
              {{"refusals", book.guarded_refusals},
               {"open", book.guarded_open.size()},
               {"most", book.most_guarded_refusals}}},
             {"declared", book.is_declared()},
             {"uncapped", book.is_uncapped}};
    if (book.subject_cap)
      all["subjects"] = {{"cap", to_string(*book.subject_cap)}, {"lines", book.subject_lines}};
    return all;
  }

  static Json as_json(const privacy::LedgerEntry& entry) {
    Json result = {{"entry", entry.number},
                   {"time", utc(entry.time_unix_s)},
                   {"type", to_string(entry.type)},
                   {"dataset", entry.dataset}};
    if (!entry.kind.empty()) result["kind"] = entry.kind;
    if (entry.guarantee) {
      result["mechanism"] = entry.mechanism;
      result["output"] = entry.output;
      result["guarantee"] = to_string(*entry.guarantee);
    }
    if (entry.cap) {
      result["cap"] = entry.cap->epsilon.to_string();
      result["measure"] = to_string(entry.cap->measure);
      if (entry.cap->of_person) result["of"] = "person";
      if (entry.cap->is_of_subjects()) result["of"] = "subject";
      if (entry.cap->is_of_subjects()) result["window_s"] = entry.cap->subject_window_s;
    }
    if (entry.type == privacy::EntryType::dataset) result["uncapped"] = entry.is_uncapped;
    if (entry.type == privacy::EntryType::acceptance) result["reason"] = entry.accepted_because;
    if (entry.type == privacy::EntryType::refusals) result["most"] = entry.most_refusals;
    if (entry.is_guarded) result["guarded"] = true;
    if (entry.refused_entry > 0) result["paid_by"] = entry.refused_entry;
    if (entry.subjects) result["lines"] = entry.subjects->lines;
    if (entry.settlement) {
      result["settles"] = entry.settlement->entry;
      result["output_sha256"] = entry.settlement->output_sha256;
      result["statement_sha256"] = entry.settlement->statement_sha256;
    }
    result["hash"] = entry.hash;
    return result;
  }

  static std::string what(const privacy::LedgerEntry& entry) {
    if (entry.type == privacy::EntryType::dataset)
      return entry.is_uncapped ? "declared WITHOUT A CAP" : "declared";
    if (entry.type == privacy::EntryType::anchor) return "from here on its head is kept in a second place";
    if (entry.type == privacy::EntryType::acceptance)
      return fmt::format("as it is, although its anchor disagreed: {}", entry.accepted_because);
    if (entry.type == privacy::EntryType::refusal)
      return fmt::format(
          "{}: private records were read and not released{}", entry.kind,
          entry.refused_entry > 0 ? fmt::format("; entry {} paid for it", entry.refused_entry) : "");
    if (entry.type == privacy::EntryType::refusals)
      return fmt::format("at most {} guarded requests may be refused", entry.most_refusals);
    if (entry.settlement)
      return fmt::format("entry {}, output {}...", entry.settlement->entry,
                         entry.settlement->output_sha256.substr(0, 12));
    if (entry.subjects)
      return fmt::format("{} {}, {}, each: {}", entry.kind, entry.mechanism,
                         number_of(entry.subjects->lines, "line"), to_string(*entry.guarantee));
    if (entry.cap && entry.cap->is_of_subjects()) return fmt::format("cap {}", to_string(*entry.cap));
    return entry.cap ? fmt::format("cap {} {}{}", entry.cap->epsilon.to_string(),
                                   to_string(entry.cap->measure), entry.cap->of_person ? " per person" : "")
                     : fmt::format("{} {} -> {}: {}{}", entry.kind, entry.mechanism, entry.output,
                                   to_string(*entry.guarantee), entry.is_guarded ? "; guarded" : "");
  }

  /// What one person can have lost, in the worst case.
  static std::string of_one_person(const privacy::DatasetBook& book) {
    if (book.seeded_runs > 0)
      return "  what one person can have lost is NOT BOUNDED: runs with a fixed seed promise nothing";
    if (book.releases() == 0) return "  one person can have lost nothing yet";
    if (book.releases_of_parts > 0)
      return fmt::format(
          "  what one person can have lost is NOT BOUNDED: {} release{} protect{} less than all of a "
          "person's "
          "records",
          book.releases_of_parts, book.releases_of_parts == 1 ? "" : "s",
          book.releases_of_parts == 1 ? "s" : "");
    std::vector<std::string> sums;
    for (const auto measure : {privacy::EpsilonMeasure::plain, privacy::EpsilonMeasure::per_metre}) {
      const privacy::MeasureTotal& total = book.person(measure);
      if (total.spent.is_zero()) continue;
      sums.push_back(to_string(privacy::Cap{measure, total.spent}));
    }
    return fmt::format("  one person can have lost {} at most, by all releases together",
                       fmt::join(sums, " and "));
  }

  static std::vector<std::string> words(const std::string& name, const privacy::DatasetBook& book) {
    std::vector<std::string> all{fmt::format("dataset '{}'", name)};
    if (book.subject_cap) {
      all.push_back(fmt::format("  cap {}", to_string(*book.subject_cap)));
      all.push_back(
          fmt::format("  {} of subjects, each charged to its own", number_of(book.subject_lines, "line")));
      return all;
    }
    for (const auto& account : book.accounts) {
      all.push_back(fmt::format("  {} for {}: {} {} over {} release{}", to_string(account.notion),
                                account.unit, account.spent.to_string(), to_string(account.measure),
                                account.releases, account.releases == 1 ? "" : "s"));
    }
    for (const bool of_person : {false, true}) {
      for (const auto measure : {privacy::EpsilonMeasure::plain, privacy::EpsilonMeasure::per_metre}) {
        const auto& total = of_person ? book.person(measure) : book.total(measure);
        if (!total.cap) continue;
        all.push_back(fmt::format("  cap {} {}{}, {} left", total.cap->to_string(), to_string(measure),
                                  of_person ? " per person" : "", total.remaining()->to_string()));
      }
    }
    all.push_back(of_one_person(book));
    if (book.is_uncapped)
      all.emplace_back(book.has_cap() ? "  declared WITHOUT A CAP, which was set later"
                                      : "  WITHOUT A CAP: nothing limits what may be spent");
    else if (!book.has_cap())
      all.emplace_back("  not declared: nothing more is released of it");
    if (book.accounts.size() > 1 && book.releases_of_parts > 0)
      all.emplace_back("  the accounts protect different things and do not add up to one promise");
    if (book.releases_without_guarantee > 0) {
      all.push_back(fmt::format("  {} WITHOUT GUARANTEE: nothing is promised for this dataset any more",
                                number_of(book.releases_without_guarantee, "release")));
    }
    if (book.seeded_runs > 0)
      all.push_back(fmt::format("  {}, not private, not counted", number_of(book.seeded_runs, "seeded run")));
    if (book.settled > 0)
      all.push_back(
          fmt::format("  {} settled: the ledger knows what was written",
                      book.settled == 1 ? "1 release is" : fmt::format("{} releases are", book.settled)));
    if (const std::uint64_t open = book.unsettled(); open > 0) {
      all.push_back(
          fmt::format("  {} NOT SETTLED: still running, broken off, or made before ledgers told "
                      "what was written",
                      number_of(open, "release")));
    }
    if (book.refusals > 0) {
      all.push_back(fmt::format("  {} over what private records hold, {} tells something of them",
                                number_of(book.refusals, "refusal"),
                                book.refusals == 1 ? "which" : "each of which"));
    }
    if (const std::uint64_t told = book.answers_that_may_tell(); told > 0) {
      all.push_back(fmt::format("  {} of {} guarded requests that may be refused are used up", told,
                                book.most_guarded_refusals));
    }
    return all;
  }

  LedgerFields ledger_;
  std::string dataset_;
  bool entries_ = false;
};

}  // namespace

std::unique_ptr<Analysis> ledger_show() {
  return std::make_unique<LedgerShow>();
}

}  // namespace fogline::release
