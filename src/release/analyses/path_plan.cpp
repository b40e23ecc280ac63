// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "audit/engine/clopper_pearson.hpp"
#include "base/error.hpp"
#include "base/grouped.hpp"
#include "path/success.hpp"
#include "release/analyses/analysis.hpp"
#include "release/analyses/budget_view.hpp"
#include "release/kinds.hpp"
#include "release/path_fields.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;

class PathPlan : public Analysis {
 public:
  std::string kind() const override { return "path"; }
  std::string verb() const override { return "plan"; }
  LedgerFields* ledger() override { return &ledger_; }

  void declare(FieldTable& table) override {
    table.flag("published", published_, "the paper's layered graph, which promises nothing to be planned");
    path_.declare(table);
    table.group("Network");
    network_.declare_optional(table, "what would be published of it; `two-sided`: routes invented on it");
    table.group("Simulation of the two-sided form");
    table.value("vertices", "N", vertices_, "or on random networks of so many vertices")
        .nonzero()
        .range("2", "20000");
    table.value("roads", "N", roads_, "and so many roads (1.5 times the vertices)").nonzero();
    table.value("runs", "N", success_.runs, "routes that are invented (200)").range("2", "1000000");
    ledger_.declare(table);
  }

  Findings run(Caller& caller) override {
    if (published_)
      throw InvalidOption("published", "promises nothing, so there is nothing to plan; an attack shows why");
    const path::PathTerms terms = path_.terms();
    const Expected expected = expect(caller, terms);
    const BudgetView budget(ledger_, terms.guarantee());

    Findings found(as_json(terms, expected, budget));
    found.add(rows(terms, expected, budget));
    found.add(terms.promise());
    found.add(budget.remarks());
    found.add("");
    found.add("Not protected:");
    for (const std::string& sentence : terms.not_protected()) found.add("  " + sentence);
    return found;
  }

 private:
  /// What would be published, as far as the vertices alone tell.
  struct Size {
    std::size_t vertices = 0;
    double stops = 0, pairs = 0, candidates = 0;  // as expected: stops may be drawn
    double file_bytes = 0, gzip_bytes = 0;
  };
  struct Expected {
    std::optional<Size> size = {};
    std::optional<path::Success> success = {};
    std::string invented = {};  // in plain words
  };

  Expected expect(Caller& caller, const path::PathTerms& terms) const {
    if (terms.form == path::PathForm::one_sided && vertices_ > 0)
      throw InvalidOption("vertices", "is for `two-sided`: the one-sided form is always read exactly");
    Expected expected;
    if (!network_.network.empty()) {
      const path::RouteMap map = network_.read(caller, terms.corridor());
      expected.size = size_of(map, terms);
      if (terms.form == path::PathForm::two_sided) invent_on(map, terms, caller, expected);
    } else if (vertices_ > 0) {
      invent(terms, caller, expected);
    } else if (terms.form == path::PathForm::two_sided) {
      caller.warn(
          "give `vertices` and `roads`, or `network`, to learn how often insiders will read the right route");
    }
    return expected;
  }

  static Size size_of(const path::RouteMap& map, const path::PathTerms& terms) {
    const path::PathLabels labels(terms.options(map));
    double stops_each = terms.visits;
    if (terms.epsilon_vertices) {
      const kernel::WeightRow row = labels.stop_row(1);
      double sum = 0;
      for (std::size_t i = 0; i < row.weights.size(); ++i)
        sum += static_cast<double>(i + 1) * static_cast<double>(row.weights[i]);
      stops_each = sum / static_cast<double>(row.total);
    }
    Size size{.vertices = map.vertex_count()};
    size.stops = stops_each * static_cast<double>(size.vertices);
    size.pairs = size.stops * (size.stops - 1) / 2;
    const path::LabelOdds odds = labels.odds(path::PairKind::no_road);
    size.candidates = size.pairs * static_cast<double>(odds.candidate) / static_cast<double>(odds.total);
    double names = 0;
    for (const std::string& name : map.names) names += static_cast<double>(name.size() + 3);
    size.file_bytes = size.pairs / 6 + names + size.stops + 200;
    size.gzip_bytes = size.pairs / 8 + names / 2 + 200;
    return size;
  }

  void invent_on(const path::RouteMap& map, const path::PathTerms& terms, Caller& caller,
                 Expected& expected) const {
    if (vertices_ > 0) throw InvalidOption("vertices", "is not for a `network`, which has its own");
    expected.invented =
        terms.every_vertex   ? "routes through every vertex, the heaviest for random weights of the roads"
        : terms.from.empty() ? "shortest routes between random vertices, for random lengths of the roads"
                             : "shortest routes between `from` and `to`, for random lengths of the roads";
    expected.success = path::expected_success(map, simulation(terms.options(map), caller));
  }

  void invent(const path::PathTerms& terms, Caller& caller, Expected& expected) const {
    if (!path_.from.empty() || !path_.to.empty() || !path_.area.empty())
      throw InvalidOption(path_.area.empty() ? "from" : "area",
                          "needs `network`: an invented network has no such place");
    const std::uint64_t all_pairs = vertices_ * (vertices_ - 1) / 2;
    const std::uint64_t roads = roads_ > 0 ? roads_ : std::min(vertices_ + vertices_ / 2, all_pairs);
    if (roads < vertices_ - 1 || roads > all_pairs)
      throw InvalidOption("roads", fmt::format("must be {} to {} for so many vertices",
                                               grouped(vertices_ - 1), grouped(all_pairs)));
    expected.invented = terms.every_vertex
                            ? "networks, and routes through every vertex"
                            : "networks, and routes through every vertex (which the reader is not told)";
    expected.success =
        path::expected_success({.vertices = static_cast<std::uint32_t>(vertices_), .roads = roads},
                               simulation(terms.labels().options(), caller));
  }

  path::SuccessOptions simulation(const path::PathOptions& labels, Caller& caller) const {
    path::SuccessOptions options = success_;
    options.labels = labels;
    options.threads = caller.threads();
    options.progress = caller.progress();
    return options;
  }

  static double lower_95(const path::Success& success) {
    return audit::probability_at_least(success.read, success.runs, 0.05);
  }
  static double upper_95(const path::Success& success) {
    return audit::probability_at_most(success.read, success.runs, 0.05);
  }

  static Json as_json(const path::PathTerms& terms, const Expected& expected, const BudgetView& budget) {
    const auto guarantee = terms.guarantee();
    const path::GuaranteeParts parts = terms.labels().parts();
    Json json{{"kind", "path"},
              {"mechanism", to_string(terms.form)},
              {"notion", to_string(guarantee.notion())},
              {"unit", guarantee.unit()},
              {"epsilon", guarantee.epsilon().to_string()},
              {"exactness", to_string(guarantee.exactness())},
              {"parts",
               {{"pair", parts.pair},
                {"other_stops", parts.other_stops},
                {"visit", parts.visit},
                {"direction", parts.direction}}}};
    json["expected_success"] = expected.success ? Json(expected.success->share) : Json();
    if (expected.success) {
      json["standard_error"] = expected.success->standard_error;
      json["lower_95"] = lower_95(*expected.success);
      json["upper_95"] = upper_95(*expected.success);
      json["simulated_routes"] = expected.success->runs;
      json["invented"] = expected.invented;
    }
    if (expected.size)
      json["would_publish"] = {{"vertices", expected.size->vertices},
                               {"stops", whole(expected.size->stops)},
                               {"pairs", whole(expected.size->pairs)},
                               {"candidates", whole(expected.size->candidates)},
                               {"file_bytes", whole(expected.size->file_bytes)},
                               {"gzip_bytes", whole(expected.size->gzip_bytes)}};
    budget.add_to(json);
    json["promise"] = terms.promise();
    json["not_protected"] = terms.not_protected();
    return json;
  }

  static Findings::Rows rows(const path::PathTerms& terms, const Expected& expected,
                             const BudgetView& budget) {
    Findings::Rows rows{{"mechanism", std::string(to_string(terms.form))},
                        {"guarantee", to_string(terms.guarantee())}};
    budget.add_to(rows);
    if (expected.size) add(*expected.size, rows);
    if (expected.success) {
      rows.emplace_back("read exactly", share_text(*expected.success));
      rows.emplace_back("invented", expected.invented);
    }
    return rows;
  }

  static std::uint64_t whole(double number) { return static_cast<std::uint64_t>(std::llround(number)); }

  static void add(const Size& size, Findings::Rows& rows) {
    rows.emplace_back("vertices",
                      fmt::format("{}, with about {} stops and {} pairs of them", grouped(size.vertices),
                                  grouped(whole(size.stops)), grouped(whole(size.pairs))));
    rows.emplace_back("candidates",
                      fmt::format("about {}, among which an outsider looks for the steps of the route",
                                  grouped(whole(size.candidates))));
    rows.emplace_back("file", fmt::format("about {} bytes, or {} as .json.gz",
                                          grouped(whole(size.file_bytes)), grouped(whole(size.gzip_bytes))));
  }

  /// At 0 and 1 the standard error is no measure: what the runs allow is said instead.
  static std::string share_text(const path::Success& success) {
    const std::string start = fmt::format("{} of {} invented routes, whatever their direction",
                                          grouped(success.read), grouped(success.runs));
    if (success.read == success.runs)
      return fmt::format("{}: at least {:.2f} (95 %)", start, lower_95(success));
    if (success.read == 0) return fmt::format("{}: at most {:.2f} (95 %)", start, upper_95(success));
    return fmt::format("{}: {:.3f} (standard error {:.3f})", start, success.share, success.standard_error);
  }

  PathFields path_;
  RouteNetworkFields network_;
  std::uint64_t vertices_ = 0, roads_ = 0;  // 0: not given
  path::SuccessOptions success_;
  LedgerFields ledger_;
  bool published_ = false;
};

}  // namespace

std::unique_ptr<Analysis> path_plan() {
  return std::make_unique<PathPlan>();
}

}  // namespace fogline::release
