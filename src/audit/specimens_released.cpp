// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include "audit/specimen.hpp"
#include "place/gem.hpp"
#include "roads/generated.hpp"

namespace fogline::audit {
namespace {

using graph::VertexId;
using random::Stream;

constexpr VertexId lattice_side = 5;

/// GEM with the map it stands on.
struct GemOnMap {
  explicit GemOnMap(roads::RoadNetwork network, const privacy::EpsilonPerMetre& epsilon)
      : map(std::move(network)), gem(map.graph, {.epsilon = epsilon}) {}
  roads::RoadNetwork map;
  place::Gem gem;
};

Specimen gem_specimen() {
  // A lattice of 100 m blocks: neighbouring corners are 100 m apart, and e-folding takes 100 m.
  const auto on = std::make_shared<const GemOnMap>(
      roads::make_lattice({.rows = lattice_side, .columns = lattice_side, .side_m = 400}),
      privacy::EpsilonPerMetre{1, 100});
  const auto numbers = [on](VertexId truth) {
    return [on, truth](Stream& noise) {
      const VertexId said = on->gem.release(truth, noise);
      return Numbers{static_cast<double>(said % lattice_side), static_cast<double>(said / lattice_side)};
    };
  };
  const auto text = [on](VertexId truth) {
    return [on, truth](const random::Key& key) {
      std::vector<VertexId> safe(1);
      on->gem.release(std::vector{truth}, key, {.threads = 1}, safe);
      return fmt::format("{}", safe[0]);
    };
  };
  Specimen specimen{.origin = Origin::released,
                    .name = "place gem",
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
  specimen.replay_case =
      ReplayCase{.words = "neighbouring corners", .first = text(12), .second = text(13), .claimed_loss = 1};
  specimen.exact_case = ExactCase{.name = "place gem",
                                  .claim = on->gem.guarantee(),
                                  .relation = kernel::Relation::metric(on->map.graph),
                                  .row = [on](kernel::InputId input) { return on->gem.row(input); },
                                  .draw = [on](kernel::InputId input, Stream& noise) -> std::size_t {
                                    return on->gem.release(input, noise);
                                  }};
  return specimen;
}

}  // namespace

std::vector<Specimen> released_specimens() {
  return {gem_specimen()};
}

}  // namespace fogline::audit
