// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/blocks.hpp"
#include "cli/verbs.hpp"
#include "path/measures.hpp"
#include "path/public_path_file.hpp"
#include "release/path_fields.hpp"

namespace fogline::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr auto path_measure_warning =
    "exact figures of a private route, for the curator alone; do not publish";

class PathMeasure : public Command {
 public:
  CommandInfo info() const override {
    return {{"path", "measure"},
            "Measure what a published route costs, and what insiders read of it",
            "candidate_share is the share of pairs of stops that are candidates: what a reader without roads "
            "cannot tell from steps. copies_per_vertex is the size of the "
            "layered graph against the vertices: 1 where what is ruled out can be oriented, at most 2 a "
            "stop. pairs_per_step is the number of pairs of stops, each a published label, against the "
            "steps of the route; bytes is the size of the file, not compressed.\n\n"
            "steps_read says whether one who knows all roads reads exactly the steps of the route; in the "
            "one-sided form always (else this is not a publication of this route, and measure says so and "
            "stops), "
            "in the two-sided form with luck. good_output "
            "is the paper's measure of the order: 1 if the route is read from its start on, 0.5 if nothing "
            "tells the start, else 0.\n\n"
            "For the curator alone: the figures are exact, private, and charged to no ledger.",
            {{"a release against its route",
              "fogline sample path -q && fogline path release --network net.csv route.csv --epsilon-edges 1 "
              "-o public.json --ledger my.ledger -q && fogline path "
              "measure --network net.csv route.csv public.json"},
             {"labels that may lie, as JSON",
              "fogline sample path -q && fogline path release --network net.csv route.csv --two-sided "
              "--every-vertex --epsilon-edges 4 -o public.json --ledger my.ledger "
              "-q && fogline path measure --network net.csv route.csv public.json --json"}}};
  }

  void declare(OptionSet& options) override {
    options.positional("ROUTE", route_, "the private route, as it was given to release").required();
    options.positional("PUBLIC", public_, "what was published of it").required();
    network_.declare(options, "all roads: CSV source,target, OSM, ...");
    options.group("Output");
    options.flag("--json", json_, "print JSON");
  }

  int run(Session& session) override {
    const path::PublicPath shown = path::read_public_path(public_);
    const path::RouteMap map = network_.read_for(session, shown);
    const path::Route route = path::read_route(route_, map, network_.options({}));
    const path::PathMeasures found =
        path::measure(map, route, shown, {.second_best = false, .progress = session.progress()});
    if (!found.may_be_of_route)
      throw DataError({public_}, "this is not a publication of this route",
                      "give the route and the network that it was made from");
    session.data(json_ ? to_text(as_json(shown, found)) : as_text(shown, found));
    return 0;
  }

 private:
  static Json as_json(const path::PublicPath& shown, const path::PathMeasures& found) {
    return {{"kind", "path"},
            {"private", true},
            {"warning", path_measure_warning},
            {"form", to_string(shown.form)},
            {"epsilon_edges", shown.epsilon_edges.to_string()},
            {"vertices", found.vertices},
            {"steps", found.steps},
            {"stops", found.stops},
            {"stops_per_vertex", found.stops_per_vertex()},
            {"pairs", found.pairs},
            {"candidates", found.candidates},
            {"candidate_share", found.candidate_share()},
            {"pairs_per_step", found.pairs_per_step()},
            {"bytes", found.bytes},
            {"orientable", shown.layers ? Json() : Json(found.orientable)},
            {"copies", found.copies},
            {"copies_per_vertex", found.copies_per_vertex()},
            {"layers", found.layers},
            {"steps_read", found.steps_read},
            {"right_steps", found.right_steps},
            {"wrong_steps", found.wrong_steps},
            {"direction", to_string(found.direction)},
            {"good_output", found.good_output}};
  }

  static std::string as_text(const path::PublicPath& shown, const path::PathMeasures& found) {
    return fmt::format("PRIVATE: {}\n", path_measure_warning) +
           fields(
               {{"release",
                 fmt::format("{}, epsilon {}", to_string(shown.form), shown.epsilon_edges.to_string())},
                {"route", fmt::format("{} step{} among {} vertices", grouped(found.steps),
                                      found.steps == 1 ? "" : "s", grouped(found.vertices))},
                {"stops", fmt::format("{}, {:.4g} a vertex", grouped(found.stops), found.stops_per_vertex())},
                {"candidates", fmt::format("{} of {} pairs, {:.2f} %", grouped(found.candidates),
                                           grouped(found.pairs), 100 * found.candidate_share())},
                {"size", fmt::format("{} bytes of the file, {:.4g} pairs a step", grouped(found.bytes),
                                     found.pairs_per_step())},
                {"layers", fmt::format("{} copies in {} layers, {:.4g} a vertex{}", grouped(found.copies),
                                       grouped(found.layers), found.copies_per_vertex(),
                                       found.orientable ? ": it can be oriented" : "")},
                {"insiders read", fmt::format("{} of {} steps, {} wrong ones", grouped(found.right_steps),
                                              grouped(found.steps), grouped(found.wrong_steps))},
                {"direction",
                 fmt::format("{}; good output {:g}", to_string(found.direction), found.good_output)}});
  }

  std::string route_, public_;
  release::RouteNetworkFields network_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> path_measure() {
  return std::make_unique<PathMeasure>();
}

}  // namespace fogline::cli
