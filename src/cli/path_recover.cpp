// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/blocks.hpp"
#include "cli/verbs.hpp"
#include "io/output_file.hpp"
#include "path/public_path_file.hpp"
#include "path/recover.hpp"
#include "release/path_fields.hpp"

namespace fogline::cli {
namespace {

using Json = nlohmann::ordered_json;

class PathRecover : public Command {
 public:
  CommandInfo info() const override {
    return {
        {"path", "recover"},
        "Read a published route with the roads that you know",
        "For those the route was published for. A road that you know and that is a candidate is a step of "
        "the route; every "
        "other road that you know is not. With all roads you read the route exactly, and its direction if it "
        "was published. "
        "With some roads missing you read pieces of it, each certain, and are told what cannot be "
        "decided.\n\n"
        "A publication with --two-sided has labels that may lie. What is read then is the most likely route "
        "among your "
        "roads, with how much more likely it is than the next; it need not be the true one.\n\n"
        "With --participant, one vertex reads its own place alone, from its own row and its own roads: which "
        "neighbours the "
        "route joins it with.\n\n"
        "The network may hold more vertices than were published. What is printed is the private route: keep "
        "it as such.",
        {{"read it",
          "fogline sample path -q && fogline ledger add --ledger my.ledger --cap 'epsilon 10' -q && fogline "
          "path release --network net.csv route.csv --epsilon-edges 1 -o "
          "public.json --ledger my.ledger -q && fogline path recover --network net.csv public.json"},
         {"one participant's place",
          "fogline sample path -q && fogline ledger add --ledger my.ledger --cap 'epsilon 10' -q && fogline "
          "path release --network net.csv route.csv --epsilon-edges 1 -o "
          "public.json "
          "--ledger my.ledger -q && fogline path recover --network net.csv public.json --participant b "
          "--json"}}};
  }

  void declare(OptionSet& options) override {
    options.positional("PUBLIC", public_, "the published route, .json or .json.gz; - for standard input")
        .required();
    network_.declare(options, "the roads that you know: CSV source,target, OSM, ...");
    options.value("--participant", "NAME", participant_, "read the place of this vertex alone");
    options.value("--nodes", "N", options_.most_nodes, "of the search in a two-sided publication (20000)");
    options.group("Output");
    options.value("-o,--output", "FILE", output_,
                  "write the route here, one vertex a line, as it was released");
    options.flag("--overwrite", overwrite_, "replace that file");
    options.flag("--json", json_, "print JSON");
  }

  int run(Session& session) override {
    const path::PublicPath shown = path::read_public_path(public_);
    const path::RouteMap map = network_.read_for(session, shown);
    return participant_.empty() ? read_all(session, map, shown) : read_place(session, map, shown);
  }

 private:
  int read_all(Session& session, const path::RouteMap& map, const path::PublicPath& shown) {
    options_.progress = session.progress();
    const path::Recovered read = path::recover(map, shown, options_);
    if (!output_.empty() && read.complete) {
      io::OutputFile file(output_, {.overwrite = overwrite_});
      file.write("vertex\n");
      for (const path::VertexId v : read.route) file.write(map.names[v] + "\n");
      file.commit();
    }
    if (output_ != "-") session.data(json_ ? to_text(as_json(shown, read)) : as_text(shown, read));
    return read.complete ? 0 : 1;
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
    const std::string stopped = fmt::format("the search stopped after {} node{} (--nodes)",
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

  static std::string as_text(const path::PublicPath& shown, const path::Recovered& read) {
    std::vector<std::pair<std::string, std::string>> rows{{"form", std::string(to_string(shown.form))}};
    if (read.complete) {
      rows.emplace_back("route", fmt::format("{}", fmt::join(names(shown, read.route), " ")));
      rows.emplace_back("direction", read.direction == path::KnownDirection::told ? "as written"
                                     : read.direction == path::KnownDirection::likely
                                         ? "as written, by a bit that may lie"
                                         : "not known: as written or backwards");
      if (assumes_all_roads(shown))
        rows.emplace_back("it is all of it", "if the network you gave has all roads");
      if (read.decoded) rows.emplace_back("this route is", likelihood(shown, *read.decoded));
      return fields(rows);
    }
    rows.emplace_back("not decided", read.what_is_missing);
    if (read.decoded) return fields(rows);
    for (const auto& piece : read.pieces) {
      std::vector<std::string> stops;
      for (const path::StopId stop : piece) stops.push_back(stop_name(shown, stop));
      rows.emplace_back("known piece", fmt::format("{}", fmt::join(stops, " ")));
    }
    rows.emplace_back("could join them",
                      fmt::format("{} candidate pairs without a known road (listed with --json)",
                                  grouped(read.undecided_count)));
    return fields(rows);
  }

  int read_place(Session& session, const path::RouteMap& map, const path::PublicPath& shown) {
    const path::VertexId self = map.vertex(participant_);
    const path::Participant place = path::recover_place(shown, self, map.roads.neighbours(self));
    Json visits = Json::array();
    std::vector<std::pair<std::string, std::string>> rows{
        {"participant", participant_},
        {"on the route", place.on_route ? "yes" : "no, as far as these roads tell"}};
    for (const auto& neighbours : place.neighbours) {
      visits.push_back(names(shown, neighbours));
      rows.emplace_back("joined with", fmt::format("{}", fmt::join(names(shown, neighbours), " and ")));
    }
    if (place.on_route) rows.emplace_back("an end of it", place.at_end ? "yes" : "no");
    session.data(json_ ? to_text(Json{{"kind", "path"},
                                      {"participant", participant_},
                                      {"on_route", place.on_route},
                                      {"at_end", place.at_end},
                                      {"visits", visits}})
                       : fields(rows));
    return 0;
  }

  std::string public_, participant_, output_;
  release::RouteNetworkFields network_;
  path::RecoverOptions options_;
  bool overwrite_ = false;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> path_recover() {
  return std::make_unique<PathRecover>();
}

}  // namespace fogline::cli
