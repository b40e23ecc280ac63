// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/grouped.hpp"
#include "path/public_path_file.hpp"
#include "path/recover.hpp"
#include "release/analyses/analysis.hpp"
#include "release/kinds.hpp"
#include "release/path_fields.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;

class PathRecover : public Analysis {
 public:
  std::string kind() const override { return "path"; }
  std::string verb() const override { return "recover"; }
  const WrittenFile* written() const override { return &file_; }

  void declare(FieldTable& table) override {
    table
        .positional("public", "PUBLIC", public_,
                    "the published route, .json or .json.gz; - for standard input")
        .role(FieldRole::public_input)
        .required();
    network_.declare(table, "the roads that you know: CSV source,target, OSM, ...");
    table.value("participant", "NAME", participant_, "read the place of this vertex alone");
    table.value("nodes", "N", options_.most_nodes, "of the search in a two-sided publication (20000)")
        .range("1", "1000000000");
    file_.declare_optional(table, "write the route here, one vertex a line, as it was released");
  }

  Findings run(Caller& caller) override {
    const path::PublicPath shown = path::read_public_path(public_);
    const path::RouteMap map = network_.read_for(caller, shown);
    return participant_.empty() ? read_all(caller, map, shown) : read_place(map, shown);
  }

 private:
  Findings read_all(Caller& caller, const path::RouteMap& map, const path::PublicPath& shown) {
    std::optional<io::OutputFile> file;
    if (!file_.output.empty())
      file.emplace(file_.output, io::OutputFile::Options{.overwrite = file_.overwrite});
    options_.progress = caller.progress();
    const path::Recovered read = path::recover(map, shown, options_);
    if (file && read.complete) {
      file->write("vertex\n");
      for (const path::VertexId v : read.route) file->write(map.names[v] + "\n");
      file->commit();
    }
    Findings found(as_json(shown, read));
    found.add(rows(shown, read));
    found.passed = read.complete;
    return found;
  }

  static std::string stop_name(const path::PublicPath& shown, path::StopId stop) {
    const path::VertexId v = shown.stops.vertex(stop);
    if (shown.stops.of_vertex(v) == 1) return shown.names[v];
    return fmt::format("{}#{}", shown.names[v], stop - shown.stops.first(v) + 1);
  }

  static std::vector<std::string> names(const path::PublicPath& shown,
                                        const std::vector<path::VertexId>& vertices) {
    std::vector<std::string> all;
    for (const path::VertexId v : vertices) all.push_back(shown.names[v]);
    return all;
  }

  /// Nothing that is declared would show that a road at an end of the route is missing.
  static bool assumes_all_roads(const path::PublicPath& shown) { return !shown.every_vertex && !shown.ends; }

  static Json as_json(const path::PublicPath& shown, const path::Recovered& read) {
    Json report{{"kind", "path"},
                {"form", to_string(shown.form)},
                {"complete", read.complete},
                {"route", names(shown, read.route)},
                {"direction", to_string(read.direction)},
                {"vertices", shown.names.size()},
                {"stops", shown.stops.size()}};
    report["assumes_all_roads"] = assumes_all_roads(shown);
    if (!read.complete) {
      Json pieces = Json::array(), undecided = Json::array();
      for (const auto& piece : read.pieces) {
        Json one = Json::array();
        for (const path::StopId stop : piece) one.push_back(stop_name(shown, stop));
        pieces.push_back(one);
      }
      for (const auto& [a, b] : read.undecided)
        undecided.push_back({stop_name(shown, a), stop_name(shown, b)});
      report["what_is_missing"] = read.what_is_missing;
      report["pieces"] = pieces;
      report["undecided"] = undecided;
      report["undecided_count"] = read.undecided_count;
    }
    if (read.decoded) {
      report["score"] = read.decoded->score;
      report["proved"] = read.decoded->proved;
      report["next_score"] = read.decoded->second_score ? Json(*read.decoded->second_score) : Json();
      report["next_proved"] = read.decoded->second_proved;
      report["nodes"] = read.decoded->nodes;
    }
    return report;
  }

  /// How much more likely it is than a route whose score is lower by `gap`.
  static std::string times_as_likely(const path::PublicPath& shown, std::int64_t gap) {
    const double exponent = static_cast<double>(gap) * shown.epsilon_edges.to_double();
    const double factor = std::exp(exponent);
    if (factor >= 1e6) return fmt::format("e^{:g} times as likely", exponent);
    return fmt::format("{} times as likely", factor < 100
                                                 ? fmt::format("{:.2g}", factor)
                                                 : grouped(static_cast<std::uint64_t>(std::llround(factor))));
  }

  static std::string likelihood(const path::PublicPath& shown, const path::Decoded& decoded) {
    const std::string stopped = fmt::format("the search stopped after {} node{} (`nodes`)",
                                            grouped(decoded.nodes), decoded.nodes == 1 ? "" : "s");
    if (!decoded.proved) return "the best found; " + stopped;
    if (!decoded.second_score && decoded.second_proved) return "the only route that the known roads allow";
    if (!decoded.second_score) return "the most likely one; the next was not found: " + stopped;
    const std::int64_t gap = decoded.score - *decoded.second_score;
    if (gap == 0) return "one of several that are equally likely";
    if (decoded.second_proved) return times_as_likely(shown, gap) + " as the next";
    return fmt::format("the most likely one, at most {} as the next; {}", times_as_likely(shown, gap),
                       stopped);
  }

  static Findings::Rows rows(const path::PublicPath& shown, const path::Recovered& read) {
    Findings::Rows rows{{"form", std::string(to_string(shown.form))}};
    if (read.complete) {
      rows.emplace_back("route", fmt::format("{}", fmt::join(names(shown, read.route), " ")));
      rows.emplace_back("direction", read.direction == path::KnownDirection::told ? "as written"
                                     : read.direction == path::KnownDirection::likely
                                         ? "as written, by a bit that may lie"
                                         : "not known: as written or backwards");
      if (assumes_all_roads(shown))
        rows.emplace_back("it is all of it", "if the network you gave has all roads");
      if (read.decoded) rows.emplace_back("this route is", likelihood(shown, *read.decoded));
      return rows;
    }
    rows.emplace_back("not decided", read.what_is_missing);
    if (read.decoded) return rows;
    for (const auto& piece : read.pieces) {
      std::vector<std::string> stops;
      for (const path::StopId stop : piece) stops.push_back(stop_name(shown, stop));
      rows.emplace_back("known piece", fmt::format("{}", fmt::join(stops, " ")));
    }
    rows.emplace_back("could join them",
                      fmt::format("{} candidate pairs without a known road (listed in the JSON)",
                                  grouped(read.undecided_count)));
    return rows;
  }

  Findings read_place(const path::RouteMap& map, const path::PublicPath& shown) const {
    const path::VertexId self = map.vertex(participant_);
    const path::Participant place = path::recover_place(shown, self, map.roads.neighbours(self));
    Json visits = Json::array();
    Findings::Rows rows{{"participant", participant_},
                        {"on the route", place.on_route ? "yes" : "no, as far as these roads tell"}};
    for (const auto& neighbours : place.neighbours) {
      visits.push_back(names(shown, neighbours));
      rows.emplace_back("joined with", fmt::format("{}", fmt::join(names(shown, neighbours), " and ")));
    }
    if (place.on_route) rows.emplace_back("an end of it", place.at_end ? "yes" : "no");
    Findings found(Json{{"kind", "path"},
                        {"participant", participant_},
                        {"on_route", place.on_route},
                        {"at_end", place.at_end},
                        {"visits", visits}});
    found.add(rows);
    return found;
  }

  std::string public_, participant_;
  RouteNetworkFields network_;
  path::RecoverOptions options_;
  WrittenFile file_;
};

}  // namespace

std::unique_ptr<Analysis> path_recover() {
  return std::make_unique<PathRecover>();
}

}  // namespace fogline::release
