// SPDX-License-Identifier: Apache-2.0
#include "release/path_fields.hpp"

namespace fogline::release {
namespace {

std::optional<privacy::Epsilon> epsilon_from(const std::string& text, const char* option) {
  if (text.empty()) return std::nullopt;
  try {
    const auto epsilon = privacy::Epsilon::parse(text);
    if (epsilon.value() <= Rational(40)) return epsilon;
  } catch (const InvalidOption&) {
    // Said below, with the option's own name and range.
  }
  throw InvalidOption(option, "must be above 0 and at most 40, such as 1 or 0.5");
}

}  // namespace

void RouteNetworkFields::declare(FieldTable& table, const std::string& help) {
  table.value("network", "NET", network, help).role(FieldRole::public_input).required();
  declare_reading(table);
}

void RouteNetworkFields::declare_optional(FieldTable& table, const std::string& help) {
  table.value("network", "NET", network, help).role(FieldRole::public_input);
  declare_reading(table);
}

void RouteNetworkFields::declare_reading(FieldTable& table) {
  table.value("mode", "MODE", mode, "roads to keep from OSM").choices({"drivable", "walkable", "all"});
  table.flag("shape-points", shape_points, "OSM: every point of a road is a vertex, not junctions only");
}

path::MapOptions RouteNetworkFields::options(const path::Corridor& corridor) const {
  path::MapOptions options{.corridor = corridor};
  options.read.mode = mode == "walkable" ? roads::TravelMode::walkable
                      : mode == "all"    ? roads::TravelMode::all
                                         : roads::TravelMode::drivable;
  options.read.detail = shape_points ? roads::Detail::shape_points : roads::Detail::junctions;
  return options;
}

path::RouteMap RouteNetworkFields::read(Caller& caller, const path::Corridor& corridor) const {
  Warnings warnings;
  path::RouteMap map = path::read_map(network, options(corridor), warnings);
  caller.warn(warnings);
  for (const std::string& sentence : map.left_out) caller.detail(sentence);
  return map;
}

path::RouteMap RouteNetworkFields::read_for(Caller& caller, const path::PublicPath& shown) const {
  Warnings warnings;
  path::RouteMap map = path::read_known_map(network, options({}), shown.names, warnings);
  caller.warn(warnings);
  for (const std::string& sentence : map.left_out) caller.detail(sentence);
  return map;
}

void PathFields::declare(FieldTable& table) {
  table
      .value("epsilon-edges", "E", epsilon_edges, "hides the steps of the route; with `two-sided`, per label")
      .required()
      .stated("epsilon_edges");
  table
      .value("epsilon-vertices", "E", epsilon_vertices,
             "hides a visit at an end of the route: stops are drawn, up to `visits`")
      .stated("epsilon_vertices");
  table
      .value("visits", "K", visits,
             "PUBLIC: no vertex is visited more often (1; 2 with `epsilon-vertices`); not `two-sided`")
      .stated("visits");
  table.flag("two-sided", two_sided, "labels that may lie: differential privacy for each of them");
  table.flag("no-direction", no_direction, "do not publish which end is the start").stated("direction");
  table.value("epsilon-direction", "E", epsilon_direction, "with `two-sided`: publish it, with noise")
      .stated("epsilon_direction");
  table.flag("every-vertex", every_vertex, "PUBLIC: the route visits every vertex").stated("every_vertex");
  table.group("Corridor");
  table.value("from", "NAME", from, "PUBLIC: the route begins here").stated("from");
  table.value("to", "NAME", to, "PUBLIC: the route ends here").stated("to");
  table.value("stretch", "S", stretch, "only vertices v with |from v| + |v to| up to S |from to|")
      .stated("stretch");
  table.value("area", "W,S,E,N", area, "only vertices in this PUBLIC box of degrees").stated("area");
}

path::PathTerms PathFields::terms() const {
  path::PathTerms terms;
  terms.form = two_sided ? path::PathForm::two_sided : path::PathForm::one_sided;
  terms.epsilon_edges = *epsilon_from(epsilon_edges, "epsilon-edges");
  terms.epsilon_vertices = epsilon_from(epsilon_vertices, "epsilon-vertices");
  terms.epsilon_direction = epsilon_from(epsilon_direction, "epsilon-direction");
  if (!visits.empty() && (visits.size() > 1 || visits < "1" || visits > "8"))
    throw InvalidOption("visits", "must be 1 to 8");
  terms.visits = !visits.empty()          ? static_cast<std::uint32_t>(visits.front() - '0')
                 : terms.epsilon_vertices ? 2
                                          : 1;
  terms.direction = !two_sided && !no_direction;
  terms.every_vertex = every_vertex;
  terms.from = from;
  terms.to = to;
  terms.area = area;
  terms.stretch = stretch;
  if (no_direction && two_sided)
    throw InvalidOption("no-direction", "is what `two-sided` does unless `epsilon-direction` is given");
  terms.labels();
  terms.corridor();
  return terms;
}

}  // namespace fogline::release
