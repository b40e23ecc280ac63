// SPDX-License-Identifier: Apache-2.0
#include "audit/kinds/path_audit.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "io/csv.hpp"
#include "release/analyses/analysis.hpp"
#include "release/analyses/scratch_folder.hpp"
#include "release/analyses/whole_releases.hpp"
#include "release/kinds.hpp"
#include "release/path_fields.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;

class PathAuditAnalysis : public Analysis {
 public:
  std::string kind() const override { return "path"; }
  std::string verb() const override { return "audit"; }

  void declare(FieldTable& table) override {
    network_.declare(table, "the network whose routes are tried: CSV source,target, OSM, ...");
    path_.declare(table);
    table.group("Audit");
    table.value("samples", "N", options_.samples, "of the fit and of the falsifier, each input (40000)")
        .range("1000", "100000000");
    table.value("routes", "N", options_.most_routes, "of the network that are enumerated, at most (200)")
        .range("1", "1000000");
    table.value("outputs", "N", options_.most_outputs, "publications that are enumerated, at most (262144)")
        .range("2", "4194304");
  }

  Findings run(Caller& caller) override {
    const path::PathTerms terms = path_.terms();
    const path::RouteMap map = network_.read(caller, terms.corridor());
    const path::PathLabels labels(terms.options(map));
    options_.threads = caller.threads();
    options_.progress = caller.progress();
    const audit::PathAudit audit = audit::audit_path(map, labels, options_);
    const ReplayedReleases replayed = replayed_or_why_not(map, terms, caller);
    Json json = as_json(labels, audit);
    json["releases"] = replayed.json();
    json["passed"] = audit.passed && !replayed.broken();
    if (replayed.broken()) json["verdict"] = replayed.accusation();
    Findings found(std::move(json));
    found.passed = audit.passed && !replayed.broken();
    Findings::Rows told = rows(labels, audit);
    told.emplace_back("releases", replayed.row());
    found.add(std::move(told));
    found.add(replayed.broken() ? replayed.accusation() : audit.sentence);
    return found;
  }

 private:
  /// Routes that differ by what the form protects, on maps that are still in one piece.
  struct Neighbours {
    path::Route first, second;
    std::optional<std::pair<path::VertexId, path::VertexId>> missing = {};  ///< road of the second map
    std::string words = {};
    std::uint64_t labels = 1;  ///< that differ
  };

  static std::optional<Neighbours> neighbours_on(const path::RouteMap& map, path::PathForm form) {
    const auto count = static_cast<path::VertexId>(map.vertex_count());
    for (path::VertexId b = 0; b < count; ++b) {
      for (path::VertexId c = 0; c < count; ++c) {
        for (path::VertexId a = 0; a < std::min(b, c); ++a) {  // the route begins at its lower end either way
          if (b == c || !map.roads.joined(a, b) || !map.roads.joined(b, c)) continue;
          if (form == path::PathForm::two_sided && map.roads.joined(a, c))
            return Neighbours{.first = {a, b, c},
                              .second = {a, c, b},
                              .words = "a route whose last two stops change places",
                              .labels = 2};
          if (form == path::PathForm::one_sided && is_one_piece(map, {b, c}))
            return Neighbours{.first = {a, b, c},
                              .second = {a, b},
                              .missing = std::pair(b, c),
                              .words = "the last road of a route taken away"};
        }
      }
    }
    return std::nullopt;
  }

  static bool is_one_piece(const path::RouteMap& map, std::pair<path::VertexId, path::VertexId> without) {
    graph::BitGraph roads = map.roads;
    roads.part(without.first, without.second);
    const auto count = static_cast<path::VertexId>(map.vertex_count());
    std::vector<bool> seen(count);
    std::vector<path::VertexId> open{0};
    seen[0] = true;
    while (!open.empty()) {
      const path::VertexId at = open.back();
      open.pop_back();
      for (path::VertexId next = 0; next < count; ++next) {
        if (seen[next] || !roads.joined(at, next)) continue;
        seen[next] = true;
        open.push_back(next);
      }
    }
    return std::ranges::find(seen, false) == seen.end();
  }

  static std::string network_text(const path::RouteMap& map,
                                  std::optional<std::pair<path::VertexId, path::VertexId>> missing) {
    const auto count = static_cast<path::VertexId>(map.vertex_count());
    std::string text = "source,target\n";
    for (path::VertexId a = 0; a < count; ++a) {
      for (path::VertexId b = a + 1; b < count; ++b) {
        const bool is_missing = missing && std::minmax(missing->first, missing->second) == std::minmax(a, b);
        if (!map.roads.joined(a, b) || is_missing) continue;
        io::append_csv_field(text, map.names[a]);
        text += ',';
        io::append_csv_field(text, map.names[b]);
        text += '\n';
      }
    }
    return text;
  }

  static ColumnSet stops(const path::RouteMap& map, const path::Route& route) {
    std::vector<std::string> names;
    for (const path::VertexId vertex : route) names.push_back(map.names[vertex]);
    return ColumnSet().hold("vertex", std::move(names));
  }

  ReplayedReleases replayed_releases(const path::RouteMap& map, const path::PathTerms& terms,
                                     Caller& caller) {
    constexpr std::size_t most_vertices = 200;
    if (!terms.from.empty() || terms.every_vertex || !terms.area.empty())
      return {.why_not =
                  "with declared ends, an area or every vertex visited, no neighbour of a route is a route"};
    if (map.vertex_count() > most_vertices)
      return {.why_not = fmt::format("the network has more than {} vertices", most_vertices)};
    const auto pair = neighbours_on(map, terms.form);
    if (!pair)
      return {.why_not =
                  "no two routes here differ by what is protected alone, in a network that is in one piece"};
    const ScratchFolder folder(caller.temporary_folder());
    const auto run = [&](const char* name, const path::Route& route, bool is_second) {
      const std::string file =
          folder.write(name, network_text(map, is_second ? pair->missing : std::nullopt));
      return whole_release(
          with_fields_of(*this, path_release,
                         [file](const FieldTable& fields) { hold(fields, "network", file); }),
          stops(map, route), caller);
    };
    return replay_releases(
        {.words = pair->words,
         .first = run("first.csv", pair->first, false),
         .second = run("second.csv", pair->second, true),
         .claimed_loss = terms.guarantee().epsilon().to_double() * static_cast<double>(pair->labels),
         .one_sided = terms.form == path::PathForm::one_sided});
  }

  /// Findings stand without a folder for the invented networks.
  ReplayedReleases replayed_or_why_not(const path::RouteMap& map, const path::PathTerms& terms,
                                       Caller& caller) try {
    return replayed_releases(map, terms, caller);
  } catch (const FileError& error) {
    return {.why_not = error.what()};
  }

  static bool fits(const audit::PathAudit& audit) {
    return audit.fit.fits && (!audit.stop_fit || audit.stop_fit->fits);
  }

  static std::string loss(double value) {
    return std::isinf(value) ? "infinite" : fmt::format("{:.6f}", value);
  }

  static Findings::Rows rows(const path::PathLabels& labels, const audit::PathAudit& audit) {
    Findings::Rows rows{
        {"guarantee", to_string(labels.guarantee())},
        {"promised", fmt::format("{:.9f}", audit.stated)},
        {"the paper's bound", fmt::format("{:.6f}, called differential privacy", audit.paper)},
        {"certified", fmt::format("{:.9f}, from the integers of the tables", audit.certified)}};
    const bool one_sided = labels.options().form == path::PathForm::one_sided;
    if (one_sided) rows.emplace_back("one label, back", loss(audit.label_back));
    const audit::PathEnumeration& all = audit.enumeration;
    if (all.done) {
      rows.emplace_back("enumerated",
                        fmt::format("{} routes, {} with and without a step, up to {} publications each",
                                    grouped(all.routes), grouped(all.neighbours), grouped(all.outputs)));
      rows.emplace_back("loss towards the road", loss(all.towards));
      rows.emplace_back("loss back", loss(all.back) + (one_sided ? ", which is not promised" : ""));
    } else {
      rows.emplace_back("enumerated", "no: there are too many publications (`outputs`)");
    }
    rows.emplace_back("sampler",
                      fmt::format("{}, {} draws", fits(audit) ? "follows the tables" : "DOES NOT FIT",
                                  grouped(audit.fit.samples())));
    rows.emplace_back("falsifier", fmt::format("{} after {} runs: shows a loss of at least {:.3f}",
                                               audit.finding.broken ? "BROKEN" : "not broken",
                                               grouped(audit.finding.samples), audit.finding.loss_at_least));
    return rows;
  }

  static Json as_json(const path::PathLabels& labels, const audit::PathAudit& audit) {
    const auto number = [](double value) { return std::isinf(value) ? Json("infinite") : Json(value); };
    const audit::PathEnumeration& all = audit.enumeration;
    Json enumeration;
    if (all.done)
      enumeration = {{"routes", all.routes},
                     {"neighbours", all.neighbours},
                     {"outputs", all.outputs},
                     {"loss_towards", number(all.towards)},
                     {"loss_back", number(all.back)}};
    return {{"kind", "path"},
            {"mechanism", to_string(labels.options().form)},
            {"notion", to_string(labels.guarantee().notion())},
            {"epsilon", labels.guarantee().epsilon().to_string()},
            {"paper_bound", audit.paper},
            {"passed", audit.passed},
            {"certified_loss", number(audit.certified)},
            {"label_loss", number(audit.label.loss_high)},
            {"label_loss_back", number(audit.label_back)},
            {"stop_loss", number(audit.stop_loss)},
            {"enumeration", enumeration},
            {"fit", {{"fits", fits(audit)}, {"draws", audit.fit.samples()}}},
            {"falsifier",
             {{"broken", audit.finding.broken},
              {"loss_at_least", audit.finding.loss_at_least},
              {"other_way_at_least", number(audit.finding.other_way_at_least)},
              {"pair", audit.finding.pair_words},
              {"samples", audit.finding.samples}}},
            {"public_seed", audit::PathAuditOptions::public_seed},
            {"verdict", audit.sentence}};
  }

  RouteNetworkFields network_;
  PathFields path_;
  audit::PathAuditOptions options_;
};

}  // namespace

std::unique_ptr<Analysis> path_audit() {
  return std::make_unique<PathAuditAnalysis>();
}

}  // namespace fogline::release
