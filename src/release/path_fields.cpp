// SPDX-License-Identifier: Apache-2.0
#include "release/path_fields.hpp"

namespace fogline::release {
namespace {

/// More than this no label tells: it is all but the truth.
constexpr auto largest_epsilon = "40";

std::optional<privacy::Epsilon> epsilon_from(const std::string& text, std::string_view field) {
  if (text.empty()) return std::nullopt;
  return epsilon_in<privacy::Epsilon>(text, field);
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
      .above("0", largest_epsilon)
      .stated("epsilon_edges");
  table
      .value("epsilon-vertices", "E", epsilon_vertices,
             "hides a visit at an end of the route: stops are drawn, up to `visits`")
      .above("0", largest_epsilon)
      .stated("epsilon_vertices");
  table
      .value("visits", "K", visits,
             "PUBLIC: no vertex is visited more often (1; 2 with `epsilon-vertices`); not `two-sided`")
      .nonzero()
      .range("1", "8")
      .stated("visits");
  table.flag("two-sided", two_sided, "labels that may lie: differential privacy for each of them");
  table.flag("no-direction", no_direction, "do not publish which end is the start").stated("direction");
  table.value("epsilon-direction", "E", epsilon_direction, "with `two-sided`: publish it, with noise")
      .above("0", largest_epsilon)
      .stated("epsilon_direction");
  table.flag("every-vertex", every_vertex, "PUBLIC: the route visits every vertex").stated("every_vertex");
  persons.declare_declared(table, "routes", "1000000", "per_person", "a route names nobody");
  table.group("Corridor");
  table.value("from", "NAME", from, "PUBLIC: the route begins here").stated("from");
  table.value("to", "NAME", to, "PUBLIC: the route ends here").stated("to");
  table.value("stretch", "S", stretch, "only vertices v with |from v| + |v to| up to S |from to|")
      .range("1", "100")
      .stated("stretch");
  table.value("area", "W,S,E,N", area, "only vertices in this PUBLIC box of degrees").stated("area");
}

path::PathTerms PathFields::terms() const {
  path::PathTerms terms;
  terms.form = two_sided ? path::PathForm::two_sided : path::PathForm::one_sided;
  terms.epsilon_edges = *epsilon_from(epsilon_edges, "epsilon-edges");
  terms.epsilon_vertices = epsilon_from(epsilon_vertices, "epsilon-vertices");
  terms.epsilon_direction = epsilon_from(epsilon_direction, "epsilon-direction");
  terms.visits = visits > 0 ? static_cast<std::uint32_t>(visits) : terms.epsilon_vertices ? 2 : 1;
  terms.direction = !two_sided && !no_direction;
  terms.every_vertex = every_vertex;
  terms.from = from;
  terms.to = to;
  terms.area = area;
  terms.stretch = stretch;
  const PersonFields::Bound of_person = persons.bound();
  if (of_person.most > 0 && of_person.persons != privacy::Persons::declared)
    throw InvalidOption("persons",
                        "takes declared alone here: a route is one person's, and nothing in it says whose");
  if (of_person.most > 1)
    throw InvalidOption("per-person",
                        "is 1 here: a route is one person's, and another is a release of its own");
  terms.persons = of_person.persons;
  if (no_direction && two_sided)
    throw InvalidOption("no-direction", "is what `two-sided` does unless `epsilon-direction` is given");
  terms.labels();
  terms.corridor();
  return terms;
}

}  // namespace fogline::release
