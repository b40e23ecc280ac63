// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/blocks.hpp"
#include "cli/budget_view.hpp"
#include "cli/verbs.hpp"
#include "release/trace_rules.hpp"
#include "release/traces_fields.hpp"

namespace fogline::cli {
namespace {

using Json = nlohmann::ordered_json;
using traces::Statistic;
using traces::TraceTerms;

/// What a release would count, and how far off each count would be.
struct Counted {
  Statistic statistic;
  std::uint32_t bins = 0;
  std::uint32_t share = 0;  // of 10,000
  double noise = 0;         // mean size, in trips
};

class TracesPlan : public Command {
 public:
  CommandInfo info() const override {
    return {
        {"traces", "plan"},
        "Say what a release of trips would promise, cost and blur, reading no trip",
        "Prints the guarantee, what one release charges to the ledger, what the dataset has left, and what "
        "would be counted: how the budget is shared among the counts, into how many cells or classes each "
        "is split, and how far off each of these numbers will be on average, in trips. A trip counts at "
        "most one in all for each, so moves and visits are parts of trips.\n\n"
        "How fine the finest grid is depends on the number of trips: give --expect, or --trips if that is "
        "public. Rules and roads, if given, are checked as a release would check them.\n\n"
        "Reads the ledger, without changing it, and no private trip.",
        {{"a city of 15,000 trips",
          "fogline traces plan --area 116.15,39.75,116.60,40.10 --epsilon 1 --expect 15000"},
         {"users with up to 20 trips, as JSON",
          "fogline traces plan --plane --area 0,0,38400,38920 --epsilon 1 --unit user --trips-per-user 20 "
          "--json"}}};
  }

  void declare(OptionSet& options) override {
    traces_.declare(options);
    reading_.declare_plane(options);
    rules_.declare(options);
    traces_.declare_form(options);
    options.value("--expect", "N", expected_,
                  "about how many trips there are; a guess, and not published (10000)");
    ledger_.declare(options);
    options.group("Output");
    options.flag("--json", json_, "print JSON");
  }

  int run(Session& session) override {
    if (expected_ < 1 || expected_ > 1'000'000'000)
      throw InvalidOption("expect", "must lie between 1 and 10^9");
    traces_.require_form();
    if (traces_.published) return run_published(session);
    TraceTerms terms = traces_.terms(reading_.unit());
    rules_.name(terms);
    static_cast<void>(rules_.read(session, terms));  // refuses what a release would refuse
    const std::vector<Counted> counts = counted(terms);
    session.data(json_ ? to_text(as_json(terms, counts)) : as_text(terms, counts));
    return 0;
  }

 private:
  /// The paper's form: nothing is counted, nothing promised, and nothing known beforehand of how far trips will be moved.
  int run_published(Session& session) const {
    rules_.refuse_for_published();
    const privacy::Statement draft = traces::dpe_draft(traces_.published_terms(reading_.unit()));
    const BudgetView budget(ledger_, draft.guarantee);
    if (json_) {
      Json report{{"kind", "traces"},
                  {"mechanism", draft.mechanism},
                  {"notion", to_string(draft.guarantee.notion())},
                  {"reason", draft.guarantee.reason()},
                  {"unit", draft.guarantee.unit()}};
      budget.add_to(report);
      report["promise"] = draft.promise;
      report["not_protected"] = draft.not_protected;
      session.data(to_text(report));
      return 0;
    }
    std::vector<std::pair<std::string, std::string>> rows{{"mechanism", draft.mechanism},
                                                          {"guarantee", to_string(draft.guarantee)}};
    budget.add_to(rows);
    session.data(fields(rows) + sentences(draft.promise, "") + budget.remarks() +
                 not_protected(draft.not_protected));
    return 0;
  }

  static std::string sentences(const std::vector<std::string>& all, std::string_view indent) {
    std::string text;
    for (const std::string& sentence : all) text += fmt::format("{}{}\n", indent, sentence);
    return text;
  }

  static std::string not_protected(const std::vector<std::string>& all) {
    return "\nNot protected:\n" + sentences(all, "  ");
  }

  std::uint64_t about(const TraceTerms& terms) const { return terms.trips.value_or(expected_); }

  bool mostly_noise(const TraceTerms& terms) const {
    return terms.is_mostly_noise(static_cast<double>(about(terms)));
  }

  std::vector<Counted> counted(const TraceTerms& terms) const {
    const traces::Layout layout = terms.layout(static_cast<double>(about(terms)));
    const double of_one = terms.unit == traces::Unit::user ? terms.trips_per_user : 1;
    std::vector<Counted> counts;
    for (std::size_t s = 0; s < traces::statistic_count; ++s) {
      const auto statistic = static_cast<Statistic>(s);
      const std::uint32_t share = layout.share_of(statistic);
      if (share > 0)
        counts.push_back({statistic, layout.bins_of(statistic), share,
                          of_one * 10'000 / (share * terms.epsilon.value().to_double())});
    }
    return counts;
  }

  Json as_json(const TraceTerms& terms, const std::vector<Counted>& counts) const {
    const auto guarantee = terms.guarantee();
    Json table = Json::array();
    for (const Counted& count : counts)
      table.push_back({{"count", to_string(count.statistic)},
                       {"numbers", count.bins},
                       {"share", count.share / 10'000.0},
                       {"mean_noise_trips", count.noise}});
    Json report{{"kind", "traces"},
                {"mechanism", traces::synthesis_name},
                {"notion", to_string(guarantee.notion())},
                {"unit", guarantee.unit()},
                {"epsilon", guarantee.epsilon().to_string()},
                {"exactness", to_string(guarantee.exactness())},
                {"trips", about(terms)},
                {"mostly_noise", mostly_noise(terms)},
                {"needs_anyway", terms.trips && mostly_noise(terms)},
                {"counts", table}};
    BudgetView(ledger_, guarantee).add_to(report);
    report["promise"] = terms.promise();
    report["not_protected"] = terms.not_protected();
    return report;
  }

  std::string as_text(const TraceTerms& terms, const std::vector<Counted>& counts) const {
    const BudgetView budget(ledger_, terms.guarantee());
    std::vector<std::pair<std::string, std::string>> rows{{"mechanism", std::string(traces::synthesis_name)},
                                                          {"guarantee", to_string(terms.guarantee())}};
    budget.add_to(rows);
    rows.emplace_back("area",
                      fmt::format("{:.1f} x {:.1f} km; trips of up to {:g} km", terms.frame.width_m() / 1000,
                                  terms.frame.height_m() / 1000, terms.bounds().max_length_m / 1000));
    std::string text = fields(rows) + sentences(terms.promise(), "") + budget.remarks();
    text += fmt::format("\n{:<14} {:>7}  {:>8}   noise of each, in trips, if there are {}\n", "counted",
                        "share", "numbers", grouped(about(terms)));
    for (const Counted& count : counts)
      text += fmt::format("{:<14} {:>5.1f} %  {:>8}   {:.3g}\n", to_string(count.statistic),
                          count.share / 100.0, grouped(count.bins), count.noise);
    if (mostly_noise(terms))
      text += fmt::format("\nMost of these numbers would be lost in their noise: {}{}\n",
                          traces::what_noise_leaves, terms.trips ? " A release needs --anyway." : "");
    return text + not_protected(terms.not_protected());
  }

  release::TracesFields traces_;
  release::TripReading reading_;
  release::TraceRuleFields rules_;
  std::uint64_t expected_ = 10'000;
  LedgerBlock ledger_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> traces_plan() {
  return std::make_unique<TracesPlan>();
}

}  // namespace fogline::cli
