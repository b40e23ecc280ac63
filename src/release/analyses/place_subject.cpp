// SPDX-License-Identifier: Apache-2.0
#include "release/analyses/place_subject.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/grouped.hpp"

namespace fogline::release {

nlohmann::ordered_json PlaceSubject::json() const {
  nlohmann::ordered_json json = {{"kind", "place"},
                                 {"mechanism", mechanism.name()},
                                 {"epsilon", epsilon()},
                                 {"network", map.source},
                                 {"vertices", map.vertex_count()}};
  if (const auto* on_vertices = mechanism.on_vertices()) json["range_vertices"] = on_vertices->range().size();
  json["prior"] = prior();
  json["remap"] = asked.remap;
  return json;
}

Findings::Rows PlaceSubject::rows() const {
  return {{"network", size_of(map)},
          {"mechanism", fmt::format("{}{}, epsilon {} per metre", mechanism.name(),
                                    asked.remap ? " with remap" : "", epsilon())},
          {"range", range()},
          {"prior", prior()}};
}

std::string PlaceSubject::epsilon() const {
  return mechanism.guarantee().epsilon().to_string();
}

std::string PlaceSubject::prior() const {
  return asked.prior ? asked.prior->name : "uniform";
}

std::string PlaceSubject::range() const {
  const auto* on_vertices = mechanism.on_vertices();
  if (on_vertices == nullptr) return "points of the plane";
  return fmt::format("{} of {} vertices", grouped(on_vertices->range().size()), grouped(map.vertex_count()));
}

}  // namespace fogline::release
