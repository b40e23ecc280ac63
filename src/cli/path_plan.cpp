// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "audit/clopper_pearson.hpp"
#include "cli/blocks.hpp"
#include "cli/budget_view.hpp"
#include "cli/verbs.hpp"
#include "path/success.hpp"
#include "release/path_fields.hpp"

namespace fogline::cli {
namespace {

using Json = nlohmann::ordered_json;

class PathPlan : public Command {
 public:
  CommandInfo info() const override {
    return {
        {"path", "plan"},
        "Say what publishing a route would promise, cost and show, reading no route",
        "Prints the guarantee and what it is made of, what one release charges to the ledger, what the "
        "dataset has left, and what "
        "is not covered. The ledger is read and not changed.\n\n"
        "With --network it also says what would be published for the vertices of the corridor, and how "
        "large the file would be.\n\n"
        "With --two-sided it also says how often insiders will read exactly the right steps, whatever their "
        "direction: routes are invented, published and read again, --runs of them, on random networks of "
        "--vertices and --roads, or on your own --network. What is printed then depends on your roads: keep "
        "it to yourself.",
        {{"what would be published in a city of 20 by 20 crossings",
          "fogline path plan --epsilon-edges 1 --network lattice:20x20:100 --from 0 --to 399 --stretch 1.1"},
         {"differential privacy for each label: how often insiders read the right route",
          "fogline path plan --two-sided --epsilon-edges 4 --every-vertex --vertices 30 --roads 45 "
          "--runs 100"}}};
  }

  void declare(OptionSet& options) override {
    options.flag("--published", published_,
                 "the paper's layered graph, which promises nothing to be planned");
    path_.declare(options);
    options.group("Network");
    network_.declare_optional(options, "what would be published of it; --two-sided: routes invented on it");
    options.group("Simulation of --two-sided");
    options.value("--vertices", "N", vertices_, "or on random networks of so many vertices").nonzero();
    options.value("--roads", "N", roads_, "and so many roads (1.5 times the vertices)").nonzero();
    options.value("--runs", "N", success_.runs, "routes that are invented (200)");
    options.group("Ledger");
    ledger_.declare(options);
    options.group("Output");
    options.flag("--json", json_, "print JSON");
  }

  int run(Session& session) override {
    if (published_)
      throw InvalidOption("published",
                          "promises nothing, so there is nothing to plan; fogline path attack shows why");
    const path::PathTerms terms = path_.terms();
    if (terms.form == path::PathForm::one_sided && vertices_ > 0)
      throw InvalidOption("vertices", "is for --two-sided: the one-sided form is always read exactly");
    Found found;
    if (!network_.network.empty()) {
      const path::RouteMap map = network_.read(session, terms.corridor());
      found.size = size_of(map, terms);
      if (terms.form == path::PathForm::two_sided) found.success = on_network(session, terms, map);
    } else if (vertices_ > 0) {
      found.success = on_invented(session, terms);
    } else if (terms.form == path::PathForm::two_sided) {
      session.warn(
          "give --vertices and --roads, or --network, to learn how often insiders will read the right route");
    }
    session.data(json_ ? to_text(as_json(terms, found)) : as_text(terms, found));
    return 0;
  }

 private:
  /// What would be published, as far as the vertices alone tell.
  struct Size {
    std::size_t vertices = 0;
    double stops = 0, pairs = 0, candidates = 0;  // as expected: stops may be drawn
    double file_bytes = 0, gzip_bytes = 0;
  };
  struct Found {
    std::optional<Size> size = {};
    std::optional<path::Success> success = {};
  };

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

  path::Success on_network(Session& session, const path::PathTerms& terms, const path::RouteMap& map) {
    if (vertices_ > 0) throw InvalidOption("vertices", "is not for a --network, which has its own");
    watch(session);
    success_.labels = terms.options(map);
    invented_ =
        terms.every_vertex   ? "routes through every vertex, the heaviest for random weights of the roads"
        : terms.from.empty() ? "shortest routes between random vertices, for random lengths of the roads"
                             : "shortest routes between --from and --to, for random lengths of the roads";
    return path::expected_success(map, success_);
  }

  path::Success on_invented(Session& session, const path::PathTerms& terms) {
    if (!path_.from.empty() || !path_.to.empty() || !path_.area.empty())
      throw InvalidOption(path_.area.empty() ? "--from" : "--area",
                          "needs --network: an invented network has no such place");
    if (vertices_ < 2 || vertices_ > 20'000) throw InvalidOption("vertices", "must be 2 to 20,000");
    const std::uint64_t all_pairs = vertices_ * (vertices_ - 1) / 2;
    const std::uint64_t roads = roads_ > 0 ? roads_ : std::min(vertices_ + vertices_ / 2, all_pairs);
    if (roads < vertices_ - 1 || roads > all_pairs)
      throw InvalidOption("roads", fmt::format("must be {} to {} for so many vertices",
                                               grouped(vertices_ - 1), grouped(all_pairs)));
    watch(session);
    success_.labels = terms.labels().options();
    invented_ = terms.every_vertex
                    ? "networks, and routes through every vertex"
                    : "networks, and routes through every vertex (which the reader is not told)";
    return path::expected_success({.vertices = static_cast<std::uint32_t>(vertices_), .roads = roads},
                                  success_);
  }

  void watch(Session& session) {
    success_.threads = session.threads();
    success_.progress = session.progress();
  }

  static double lower_95(const path::Success& found) {
    return audit::probability_at_least(found.read, found.runs, 0.05);
  }
  static double upper_95(const path::Success& found) {
    return audit::probability_at_most(found.read, found.runs, 0.05);
  }

  Json as_json(const path::PathTerms& terms, const Found& found) const {
    const auto guarantee = terms.guarantee();
    const path::GuaranteeParts parts = terms.labels().parts();
    Json report{{"kind", "path"},
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
    report["expected_success"] = found.success ? Json(found.success->share) : Json();
    if (found.success) {
      report["standard_error"] = found.success->standard_error;
      report["lower_95"] = lower_95(*found.success);
      report["upper_95"] = upper_95(*found.success);
      report["simulated_routes"] = found.success->runs;
      report["invented"] = invented_;
    }
    if (found.size)
      report["would_publish"] = {{"vertices", found.size->vertices},
                                 {"stops", whole(found.size->stops)},
                                 {"pairs", whole(found.size->pairs)},
                                 {"candidates", whole(found.size->candidates)},
                                 {"file_bytes", whole(found.size->file_bytes)},
                                 {"gzip_bytes", whole(found.size->gzip_bytes)}};
    BudgetView(ledger_, guarantee).add_to(report);
    report["promise"] = terms.promise();
    report["not_protected"] = terms.not_protected();
    return report;
  }

  std::string as_text(const path::PathTerms& terms, const Found& found) const {
    std::vector<std::pair<std::string, std::string>> rows{{"mechanism", std::string(to_string(terms.form))},
                                                          {"guarantee", to_string(terms.guarantee())}};
    const BudgetView budget(ledger_, terms.guarantee());
    budget.add_to(rows);
    if (found.size) add(*found.size, rows);
    if (found.success) {
      rows.emplace_back("read exactly", share_text(*found.success));
      rows.emplace_back("invented", invented_);
    }
    std::string text = fields(rows);
    for (const std::string& sentence : terms.promise()) text += sentence + "\n";
    text += budget.remarks();
    text += "\nNot protected:\n";
    for (const std::string& sentence : terms.not_protected()) text += "  " + sentence + "\n";
    return text;
  }

  static std::uint64_t whole(double number) { return static_cast<std::uint64_t>(std::llround(number)); }

  static void add(const Size& size, std::vector<std::pair<std::string, std::string>>& rows) {
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
  static std::string share_text(const path::Success& found) {
    const std::string start = fmt::format("{} of {} invented routes, whatever their direction",
                                          grouped(found.read), grouped(found.runs));
    if (found.read == found.runs) return fmt::format("{}: at least {:.2f} (95 %)", start, lower_95(found));
    if (found.read == 0) return fmt::format("{}: at most {:.2f} (95 %)", start, upper_95(found));
    return fmt::format("{}: {:.3f} (standard error {:.3f})", start, found.share, found.standard_error);
  }

  release::PathFields path_;
  release::RouteNetworkFields network_;
  std::uint64_t vertices_ = 0, roads_ = 0;  // 0: not given
  path::SuccessOptions success_;
  std::string invented_;  // in plain words
  LedgerBlock ledger_;
  bool published_ = false;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> path_plan() {
  return std::make_unique<PathPlan>();
}

}  // namespace fogline::cli
