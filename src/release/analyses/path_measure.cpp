// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "path/measures.hpp"
#include "path/public_path_file.hpp"
#include "release/analyses/analysis.hpp"
#include "release/kinds.hpp"
#include "release/path_fields.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;

class PathMeasure : public Analysis {
 public:
  std::string kind() const override { return "path"; }
  std::string verb() const override { return "measure"; }

  void declare(FieldTable& table) override {
    table.positional("route", "ROUTE", route_, "the private route, as it was given to release")
        .role(FieldRole::private_input)
        .required();
    table.positional("public", "PUBLIC", public_, "what was published of it")
        .role(FieldRole::public_input)
        .required();
    network_.declare(table, "all roads: CSV source,target, OSM, ...");
  }

  Findings run(Caller& caller) override {
    const path::PublicPath shown = path::read_public_path(public_);
    const path::RouteMap map = network_.read_for(caller, shown);
    const path::Route route = path::read_route(route_, map, network_.options({}));
    const path::PathMeasures measured =
        path::measure(map, route, shown, {.second_best = false, .progress = caller.progress()});
    if (!measured.may_be_of_route)
      throw DataError({public_}, "this is not a publication of this route",
                      "give the route and the network that it was made from");
    Findings found(as_json(shown, measured));
    found.add(fmt::format("PRIVATE: {}", warning));
    found.add(rows(shown, measured));
    return found;
  }

 private:
  static constexpr auto warning = "exact figures of a private route, for the curator alone; do not publish";

  static Json as_json(const path::PublicPath& shown, const path::PathMeasures& measured) {
    return {{"kind", "path"},
            {"private", true},
            {"warning", warning},
            {"form", to_string(shown.form)},
            {"epsilon_edges", shown.epsilon_edges.to_string()},
            {"vertices", measured.vertices},
            {"steps", measured.steps},
            {"stops", measured.stops},
            {"stops_per_vertex", measured.stops_per_vertex()},
            {"pairs", measured.pairs},
            {"candidates", measured.candidates},
            {"candidate_share", measured.candidate_share()},
            {"pairs_per_step", measured.pairs_per_step()},
            {"bytes", measured.bytes},
            {"orientable", shown.layers ? Json() : Json(measured.orientable)},
            {"copies", measured.copies},
            {"copies_per_vertex", measured.copies_per_vertex()},
            {"layers", measured.layers},
            {"steps_read", measured.steps_read},
            {"right_steps", measured.right_steps},
            {"wrong_steps", measured.wrong_steps},
            {"direction", to_string(measured.direction)},
            {"good_output", measured.good_output}};
  }

  static Findings::Rows rows(const path::PublicPath& shown, const path::PathMeasures& measured) {
    return {
        {"release", fmt::format("{}, epsilon {}", to_string(shown.form), shown.epsilon_edges.to_string())},
        {"route", fmt::format("{} step{} among {} vertices", grouped(measured.steps),
                              measured.steps == 1 ? "" : "s", grouped(measured.vertices))},
        {"stops", fmt::format("{}, {:.4g} a vertex", grouped(measured.stops), measured.stops_per_vertex())},
        {"candidates", fmt::format("{} of {} pairs, {:.2f} %", grouped(measured.candidates),
                                   grouped(measured.pairs), 100 * measured.candidate_share())},
        {"size", fmt::format("{} bytes of the file, {:.4g} pairs a step", grouped(measured.bytes),
                             measured.pairs_per_step())},
        {"layers", fmt::format("{} copies in {} layers, {:.4g} a vertex{}", grouped(measured.copies),
                               grouped(measured.layers), measured.copies_per_vertex(),
                               measured.orientable ? ": it can be oriented" : "")},
        {"insiders read", fmt::format("{} of {} steps, {} wrong ones", grouped(measured.right_steps),
                                      grouped(measured.steps), grouped(measured.wrong_steps))},
        {"direction",
         fmt::format("{}; good output {:g}", to_string(measured.direction), measured.good_output)}};
  }

  std::string route_, public_;
  RouteNetworkFields network_;
};

}  // namespace

std::unique_ptr<Analysis> path_measure() {
  return std::make_unique<PathMeasure>();
}

}  // namespace fogline::release
