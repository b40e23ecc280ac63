// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "release/analyses/analysis.hpp"
#include "release/analyses/budget_view.hpp"
#include "release/kinds.hpp"
#include "release/trace_rules.hpp"
#include "release/traces_fields.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;
using traces::TraceTerms;

class TracesPlan : public Analysis {
 public:
  std::string kind() const override { return "traces"; }
  std::string verb() const override { return "plan"; }
  LedgerFields* ledger() override { return &ledger_; }

  void declare(FieldTable& table) override {
    traces_.declare(table);
    reading_.declare_plane(table);
    rules_.declare(table);
    traces_.declare_form(table);
    table
        .value("expect", "N", expected_, "about how many trips there are; a guess, and not published (10000)")
        .range("1", "1000000000");
    ledger_.declare(table);
  }

  Findings run(Caller& caller) override {
    traces_.require_form();
    if (traces_.published) return published();
    TraceTerms terms = traces_.terms(reading_.unit());
    rules_.name(terms);
    static_cast<void>(rules_.read(caller, terms));  // refuses what a release would refuse
    return sound(terms);
  }

 private:
  /// What a release would count, and how far off each count would be.
  struct Counted {
    traces::Statistic statistic;
    std::uint32_t bins = 0;
    std::uint32_t share = 0;  // of 10,000
    double noise = 0;         // mean size, in trips
  };

  /// The paper's form: nothing is counted, nothing promised, and nothing known beforehand of how far trips will be moved.
  Findings published() const {
    rules_.refuse_for_published();
    const privacy::Statement draft = traces::dpe_draft(traces_.published_terms(reading_.unit()));
    const BudgetView budget(ledger_, draft.guarantee);
    Json json{{"kind", "traces"},
              {"mechanism", draft.mechanism},
              {"notion", to_string(draft.guarantee.notion())},
              {"reason", draft.guarantee.reason()},
              {"unit", draft.guarantee.unit()}};
    budget.add_to(json);
    json["promise"] = draft.promise;
    json["not_protected"] = draft.not_protected;

    Findings found(std::move(json));
    found.add(rows(draft.mechanism, draft.guarantee, budget));
    found.add(draft.promise);
    found.add(budget.remarks());
    add_not_protected(draft.not_protected, found);
    return found;
  }

  Findings sound(const TraceTerms& terms) const {
    const std::vector<Counted> counts = counted(terms);
    const BudgetView budget(ledger_, terms.guarantee());
    Findings found(as_json(terms, counts, budget));
    Findings::Rows head = rows(std::string(traces::synthesis_name), terms.guarantee(), budget);
    head.emplace_back("area",
                      fmt::format("{:.1f} x {:.1f} km; trips of up to {:g} km", terms.frame.width_m() / 1000,
                                  terms.frame.height_m() / 1000, terms.bounds().max_length_m / 1000));
    found.add(std::move(head));
    found.add(terms.promise());
    found.add(budget.remarks());
    found.add("");
    found.add(table_of(counts, about(terms)));
    if (mostly_noise(terms)) {
      found.add("");
      found.add(fmt::format("Most of these numbers would be lost in their noise: {}{}",
                            traces::what_noise_leaves, terms.trips ? " A release needs `anyway`." : ""));
    }
    add_not_protected(terms.not_protected(), found);
    return found;
  }

  static Findings::Rows rows(const std::string& mechanism, const privacy::Guarantee& guarantee,
                             const BudgetView& budget) {
    Findings::Rows rows{{"mechanism", mechanism}, {"guarantee", to_string(guarantee)}};
    budget.add_to(rows);
    return rows;
  }

  static Findings::Table table_of(const std::vector<Counted>& counts, std::uint64_t trips) {
    constexpr auto left = Findings::Align::left;
    Findings::Table table{
        {{"counted", 14, left},
         {"share", 8},
         {"numbers", 10},
         {fmt::format("   noise of each, in trips, if there are {}", grouped(trips)), 0, left}},
        {}};
    for (const Counted& count : counts)
      table.rows.push_back({std::string(to_string(count.statistic)),
                            fmt::format("{:.1f} %", count.share / 100.0), grouped(count.bins),
                            fmt::format("   {:.3g}", count.noise)});
    return table;
  }

  static void add_not_protected(const std::vector<std::string>& sentences, Findings& found) {
    found.add("");
    found.add("Not protected:");
    for (const std::string& sentence : sentences) found.add("  " + sentence);
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
      const auto statistic = static_cast<traces::Statistic>(s);
      const std::uint32_t share = layout.share_of(statistic);
      if (share > 0)
        counts.push_back({statistic, layout.bins_of(statistic), share,
                          of_one * 10'000 / (share * terms.epsilon.value().to_double())});
    }
    return counts;
  }

  Json as_json(const TraceTerms& terms, const std::vector<Counted>& counts, const BudgetView& budget) const {
    const auto guarantee = terms.guarantee();
    Json each = Json::array();
    for (const Counted& count : counts)
      each.push_back({{"count", to_string(count.statistic)},
                      {"numbers", count.bins},
                      {"share", count.share / 10'000.0},
                      {"mean_noise_trips", count.noise}});
    Json json{{"kind", "traces"},
              {"mechanism", traces::synthesis_name},
              {"notion", to_string(guarantee.notion())},
              {"unit", guarantee.unit()},
              {"epsilon", guarantee.epsilon().to_string()},
              {"exactness", to_string(guarantee.exactness())},
              {"trips", about(terms)},
              {"mostly_noise", mostly_noise(terms)},
              {"needs_anyway", terms.trips && mostly_noise(terms)},
              {"counts", each}};
    budget.add_to(json);
    json["promise"] = terms.promise();
    json["not_protected"] = terms.not_protected();
    return json;
  }

  TracesFields traces_;
  TripReading reading_;
  TraceRuleFields rules_;
  std::uint64_t expected_ = 10'000;
  LedgerFields ledger_;
};

}  // namespace

std::unique_ptr<Analysis> traces_plan() {
  return std::make_unique<TracesPlan>();
}

}  // namespace fogline::release
