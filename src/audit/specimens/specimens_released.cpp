// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include "audit/specimens/specimen.hpp"
#include "place/catalogue.hpp"
#include "place/planar.hpp"
#include "roads/generated.hpp"
#include "stream/steps/grouped.hpp"
#include "stream/steps/k_norm.hpp"
#include "stream/steps/laplace.hpp"
#include "stream/steps/optimal.hpp"
#include "weights/distances/distances.hpp"
#include "weights/mechanisms/catalogue.hpp"

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

// Weights.

using weights::EdgeMechanism;
using weights::ProtectedUnit;

/// How far the points of a specimen's weight move between its neighbours.
constexpr std::int64_t low_point = 1, moved_steps = 4;

std::shared_ptr<const EdgeMechanism> weights_mechanism(std::string_view name) {
  weights::MechanismChoice choice{
      .name = std::string(name), .epsilon = {1, 1}, .grid = weights::WeightGrid::parse("1:9", "1")};
  if (name != "blocks")
    choice.protection = {.unit = ProtectedUnit::change,
                         .most = Rational(static_cast<std::uint64_t>(moved_steps))};
  return weights::make_mechanism(choice);
}

/// Three edges, of which the second one's weight moves: as far as the unit allows.
Specimen weights_specimen(std::string_view name) {
  const auto mechanism = weights_mechanism(name);
  const bool whole_edge = mechanism->protection().unit == ProtectedUnit::edge;
  const std::int64_t moved =
      whole_edge ? static_cast<std::int64_t>(mechanism->grid().points()) - 1 : low_point + moved_steps;
  const auto released = [mechanism](std::int64_t point, Stream& noise) {
    const std::vector<std::int64_t> points{3, point, 6};
    std::vector<std::int64_t> drawn(points.size());
    mechanism->draw(points, noise, drawn);
    Numbers numbers;
    for (const std::int64_t number : drawn) numbers.push_back(static_cast<double>(number));
    return numbers;
  };
  const auto numbers = [released](std::int64_t point) {
    return [released, point](Stream& noise) { return released(point, noise); };
  };
  const auto text = [released](std::int64_t point) {
    return [released, point](const random::Key& key) {
      Stream noise = key.stream("weights");
      return exact_text(released(point, noise));
    };
  };
  Specimen specimen{.origin = Origin::released,
                    .name = fmt::format("weights {}", name),
                    .words = fmt::format("three edges with weights from 1 to 9, epsilon 1 for {}",
                                         mechanism->protection().text(mechanism->grid())),
                    .broken = false};
  const std::string words = fmt::format("the second of three weights moved by {} steps", moved - low_point);
  specimen.pairs.push_back(
      {.words = words, .first = numbers(low_point), .second = numbers(moved), .claimed_loss = 1});
  specimen.replay_case =
      ReplayCase{.words = words, .first = text(low_point), .second = text(moved), .claimed_loss = 1};
  if (mechanism->outputs() == 0) return specimen;
  specimen.exact_case =
      ExactCase{.name = specimen.name,
                .claim = mechanism->guarantee(),
                .relation = kernel::Relation::complete(static_cast<std::size_t>(mechanism->grid().points())),
                .row = [mechanism](kernel::InputId point) { return mechanism->row(point); },
                .draw = [mechanism](kernel::InputId point, Stream& noise) -> std::size_t {
                  const std::vector<std::int64_t> points{point};
                  std::vector<std::int64_t> drawn(1);
                  mechanism->draw(points, noise, drawn);
                  return static_cast<std::size_t>(drawn[0]);
                }};
  return specimen;
}

/// Every method: a tree of one long path, and a long graph that two vertices cut apart.
Specimen distances_specimen() {
  struct OnGraph {
    weights::Topology path, corridor;
    weights::DistanceSettings settings{
        .epsilon = {1, 1}, .weights = weights::WholeWeights(weights::WeightGrid::parse("0:", "1"))};
    std::vector<std::unique_ptr<weights::DistanceMechanism>> methods;

    OnGraph() : path(row_of_vertices(200, 1)), corridor(row_of_vertices(80, 2)) {
      methods.push_back(weights::make_edge_distances(corridor, settings));
      methods.push_back(weights::make_tree_distances(path, settings));
      methods.push_back(weights::make_separator_distances(corridor, settings, {.depths = {1, 3}}));
    }
    /// Each vertex joined to the next, and with a stride of 2 to the one after it.
    static weights::GraphShape row_of_vertices(std::uint32_t vertices, std::uint32_t most_stride) {
      weights::GraphShape shape{.vertices = vertices};
      for (std::uint32_t v = 0; v < vertices; ++v)
        for (std::uint32_t stride = 1; stride <= most_stride && v + stride < vertices; ++stride) {
          shape.source.push_back(v);
          shape.target.push_back(v + stride);
        }
      return shape;
    }
    /// Distances from both ends, by every method; the promise is each method's own.
    std::string text(std::int64_t weight, const random::Key& key) const {
      std::string all;
      for (std::size_t m = 0; m < methods.size(); ++m) {
        std::vector<std::int64_t> truth(methods[m]->graph().edge_count(), 10);
        truth[truth.size() / 2] = weight;
        Stream noise = key.stream("distances", m);
        const auto safe = methods[m]->release(truth, noise);
        all += exact_text(safe->from(0)) + exact_text(safe->from(40));
      }
      return all;
    }
    Numbers across(std::int64_t weight, Stream& noise) const {
      std::vector<std::int64_t> truth(path.edge_count(), 10);
      truth[truth.size() / 2] = weight;
      const auto safe = methods[1]->release(truth, noise)->from(0);
      return {safe[99], safe[100], safe[101], safe[199]};
    }
  };
  const auto on = std::make_shared<const OnGraph>();
  const auto text = [on](std::int64_t weight) {
    return [on, weight](const random::Key& key) { return on->text(weight, key); };
  };
  const auto numbers = [on](std::int64_t weight) {
    return [on, weight](Stream& noise) { return on->across(weight, noise); };
  };
  const std::string words = "one weight of a path moved from 10 to 11";
  Specimen specimen{.origin = Origin::released,
                    .name = "weights distances",
                    .words = "on a path and a corridor, epsilon 1 for a change of one weight by 1",
                    .broken = false,
                    .effort = 0.5};
  specimen.pairs.push_back({.words = words, .first = numbers(10), .second = numbers(11), .claimed_loss = 1});
  // Three releases of the same change, one by each method.
  specimen.replay_case = ReplayCase{.words = words, .first = text(10), .second = text(11), .claimed_loss = 3};
  return specimen;
}

// Stream.

/// Six places along a street eight times as long as wide, of which neighbours must look alike.
stream::Situation street() {
  stream::Situation situation;
  situation.states = {0, 1, 2, 3, 4, 5};
  situation.prior = {0.25, 0.25, 0.125, 0.125, 0.125, 0.125};
  situation.policy.states = 6;
  situation.policy.groups = {{0, 1, 2, 3}};
  situation.policy.pairs = {{3, 4}, {4, 5}};
  situation.points.dimension = 2;
  situation.points.coordinates = {0, 0, 80, 0, 80, 10, 0, 10, 40, 5, 60, 20};
  return situation;
}

struct OnStep {
  explicit OnStep(std::string_view name) {
    const Rational epsilon(1, 2);
    if (name == "k-norm") mechanism = stream::make_k_norm(situation, epsilon);
    if (name == "laplace") mechanism = stream::make_laplace(situation, epsilon);
    if (name == "optimal") mechanism = stream::make_optimal(situation, epsilon);
    if (name == "grouped") mechanism = stream::make_grouped(situation, epsilon, {.groups = 3});
  }
  Numbers answer(std::uint32_t state, Stream& noise) const {
    const stream::Answer drawn = mechanism->draw(state, noise);
    return {drawn.begin(), drawn.end()};
  }
  stream::Situation situation = street();
  std::unique_ptr<stream::StepMechanism> mechanism = {};
};

Specimen stream_specimen(std::string_view name) {
  const auto on = std::make_shared<const OnStep>(name);
  const auto numbers = [on](std::uint32_t state) {
    return [on, state](Stream& noise) { return on->answer(state, noise); };
  };
  const auto text = [on](std::uint32_t state) {
    return [on, state](const random::Key& key) {
      Stream noise = key.stream("stream");
      return exact_text(on->answer(state, noise));
    };
  };
  Specimen specimen{.origin = Origin::released,
                    .name = fmt::format("stream {}", name),
                    .words = "one step with six possible states along a street, epsilon 0.5 for joined ones",
                    .broken = false};
  for (const auto& [a, b] : {std::pair(0U, 2U), std::pair(1U, 3U), std::pair(3U, 4U)}) {
    specimen.pairs.push_back({.words = fmt::format("joined states {} and {}", a, b),
                              .first = numbers(a),
                              .second = numbers(b),
                              .claimed_loss = 0.5});
  }
  // Only Laplace noise is declared as sums of numbers; the others are points of a body, or rows of a table that the step certifies itself.
  if (name == "laplace")
    specimen.replay_case = ReplayCase{
        .words = specimen.pairs[0].words, .first = text(0), .second = text(2), .claimed_loss = 0.5};
  return specimen;
}

}  // namespace

std::vector<Specimen> place_specimens() {
  return {place_specimen("gem"), place_specimen("tight"), place_specimen("optimal"), place_specimen("plmg"),
          plm_specimen()};
}

std::vector<Specimen> stream_specimens() {
  return {stream_specimen("optimal"), stream_specimen("grouped"), stream_specimen("k-norm"),
          stream_specimen("laplace")};
}

std::vector<Specimen> weights_specimens() {
  return {weights_specimen("blocks"), weights_specimen("geometric"), weights_specimen("staircase"),
          distances_specimen()};
}

}  // namespace fogline::audit
