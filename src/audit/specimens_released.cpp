// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include "audit/specimen.hpp"
#include "place/catalogue.hpp"
#include "place/planar.hpp"
#include "roads/generated.hpp"

namespace fogline::audit {
namespace {

using graph::VertexId;
using random::Stream;

constexpr VertexId lattice_side = 5;

/// A place mechanism with the map it stands on.
struct OnMap {
  OnMap(roads::RoadNetwork network, const place::MechanismChoice& choice)
      : map(std::move(network)), mechanism(place::make_mechanism(map, choice)) {}
  roads::RoadNetwork map;
  std::unique_ptr<place::VertexMechanism> mechanism;
};

Specimen place_specimen(std::string_view mechanism) {
  // A lattice of 100 m blocks: neighbouring corners are 100 m apart, and e-folding takes 100 m.
  const auto on = std::make_shared<const OnMap>(
      roads::make_lattice({.rows = lattice_side, .columns = lattice_side, .side_m = 400}),
      place::MechanismChoice{.name = std::string(mechanism), .epsilon = {1, 100}});
  const auto numbers = [on](VertexId truth) {
    return [on, truth](Stream& noise) {
      const VertexId said = on->mechanism->release(truth, noise);
      return Numbers{static_cast<double>(said % lattice_side), static_cast<double>(said / lattice_side)};
    };
  };
  const auto text = [on](VertexId truth) {
    return [on, truth](const random::Key& key) {
      std::vector<VertexId> safe(1);
      on->mechanism->release(std::vector{truth}, key, {.threads = 1}, safe);
      return fmt::format("{}", safe[0]);
    };
  };
  Specimen specimen{.origin = Origin::released,
                    .name = fmt::format("place {}", mechanism),
                    .words = "on a 5 x 5 lattice of 100 m blocks, epsilon 0.01 per metre",
                    .broken = false};
  const auto edges = on->map.graph.edges();
  for (std::size_t e = 0; e < edges.size(); e += 9) {
    const auto& edge = edges[e];
    specimen.pairs.push_back({.words = fmt::format("corners {} and {}", edge.tail, edge.head),
                              .first = numbers(edge.tail),
                              .second = numbers(edge.head),
                              .claimed_loss = 0.01 * static_cast<double>(edge.length_mm) / 1000});
  }
  // Noise on the plane is neither a table nor a choice by weights: the falsifier alone can take hold of it.
  if (!on->mechanism->has_rows()) return specimen;
  specimen.replay_case =
      ReplayCase{.words = "neighbouring corners", .first = text(12), .second = text(13), .claimed_loss = 1};
  specimen.exact_case = ExactCase{.name = fmt::format("place {}", mechanism),
                                  .claim = on->mechanism->guarantee(),
                                  .relation = kernel::Relation::metric(on->map.graph),
                                  .row = [on](kernel::InputId input) { return on->mechanism->row(input); },
                                  .draw = [on](kernel::InputId input, Stream& noise) -> std::size_t {
                                    return on->mechanism->release(input, noise);
                                  }};
  return specimen;
}

/// Points of the plane, as degrees from the map's first corner: what the falsifier sees of them.
Specimen plm_specimen() {
  struct OnPlane {
    roads::RoadNetwork map =
        roads::make_lattice({.rows = lattice_side, .columns = lattice_side, .side_m = 400});
    place::Plm plm{map, {.epsilon = {1, 100}}};
  };
  const auto on = std::make_shared<const OnPlane>();
  const auto numbers = [on](VertexId truth) {
    return [on, truth](Stream& noise) {
      const geometry::LonLat said = on->plm.release(truth, noise);
      return Numbers{said.lon, said.lat};
    };
  };
  Specimen specimen{.origin = Origin::released,
                    .name = "place plm",
                    .words = "on a 5 x 5 lattice of 100 m blocks, epsilon 0.01 per metre",
                    .broken = false};
  specimen.pairs.push_back(
      {.words = "neighbouring corners", .first = numbers(12), .second = numbers(13), .claimed_loss = 1});
  return specimen;
}

}  // namespace

std::vector<Specimen> released_specimens() {
  return {place_specimen("gem"), place_specimen("tight"), place_specimen("optimal"), place_specimen("plmg"),
          plm_specimen()};
}

}  // namespace fogline::audit
