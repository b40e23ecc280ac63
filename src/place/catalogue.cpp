// SPDX-License-Identifier: Apache-2.0
#include "place/catalogue.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "graph/components.hpp"
#include "graph/dijkstra.hpp"
#include "place/gem.hpp"
#include "place/given_table.hpp"
#include "place/optimal.hpp"
#include "place/planar.hpp"
#include "place/remapped.hpp"
#include "place/tight.hpp"

namespace fogline::place {
namespace {

using roads::RoadNetwork;

std::unique_ptr<VertexMechanism> make_gem(const RoadNetwork& map, const MechanismChoice& choice) {
  return std::make_unique<Gem>(
      map.graph, Gem::Options{.epsilon = choice.epsilon, .range = choice.range, .unit = choice.unit});
}

std::unique_ptr<VertexMechanism> make_tight(const RoadNetwork& map, const MechanismChoice& choice) {
  return std::make_unique<Tight>(map.graph, Tight::Options{.epsilon = choice.epsilon,
                                                           .range = choice.range,
                                                           .prior = choice.prior,
                                                           .unit = choice.unit,
                                                           .threads = choice.threads,
                                                           .progress = choice.progress});
}

std::unique_ptr<VertexMechanism> make_optimal(const RoadNetwork& map, const MechanismChoice& choice) {
  return std::make_unique<Optimal>(map.graph, Optimal::Options{.epsilon = choice.epsilon,
                                                               .range = choice.range,
                                                               .prior = choice.prior,
                                                               .unit = choice.unit,
                                                               .threads = choice.threads,
                                                               .progress = choice.progress});
}

std::unique_ptr<VertexMechanism> make_plmg(const RoadNetwork& map, const MechanismChoice& choice) {
  return std::make_unique<Plmg>(
      map, Plmg::Options{.epsilon = choice.epsilon, .range = choice.range, .unit = choice.unit});
}

std::unique_ptr<PlaceMechanism> make_plm(const RoadNetwork& map, const MechanismChoice& choice) {
  return std::make_unique<Plm>(map, Plm::Options{.epsilon = choice.epsilon, .unit = choice.unit});
}

std::unique_ptr<VertexMechanism> restore_gem(const RoadNetwork& map, const MechanismChoice& choice,
                                             const io::SectionFile& file) {
  return std::make_unique<Gem>(
      map.graph, Gem::Options{.epsilon = choice.epsilon, .range = choice.range, .unit = choice.unit}, file);
}

Tight::Options tight_options(const MechanismChoice& choice) {
  return {.epsilon = choice.epsilon, .range = choice.range, .prior = choice.prior, .unit = choice.unit};
}

std::unique_ptr<VertexMechanism> restore_tight(const RoadNetwork& map, const MechanismChoice& choice,
                                               const io::SectionFile& file) {
  return std::make_unique<Tight>(map.graph, tight_options(choice), file);
}

std::unique_ptr<VertexMechanism> restore_optimal(const RoadNetwork& map, const MechanismChoice& choice,
                                                 const io::SectionFile& file) {
  return std::make_unique<Optimal>(
      map.graph, Optimal::Options{.epsilon = choice.epsilon, .range = choice.range, .unit = choice.unit},
      file);
}

GivenTable::Options given_options(const MechanismChoice& choice) {
  if (!choice.range.empty())
    throw InvalidOption("range", "is for mechanisms of ours: a table has its outputs");
  return {.epsilon = choice.epsilon,
          .file = choice.table,
          .vertices = choice.table_vertices,
          .unit = choice.unit,
          .must_hold = !choice.takes_any_table,
          .threads = choice.threads,
          .progress = choice.progress};
}

std::unique_ptr<VertexMechanism> make_given(const RoadNetwork& map, const MechanismChoice& choice) {
  return std::make_unique<GivenTable>(map, given_options(choice));
}

std::unique_ptr<VertexMechanism> restore_given(const RoadNetwork& map, const MechanismChoice& choice,
                                               const io::SectionFile& file) {
  return std::make_unique<GivenTable>(map, given_options(choice), file);
}

constexpr std::size_t solved_up_to = 1000;
constexpr std::uint64_t most_met =
    80'000'000;  // Porto at 0.01 per metre: 65 million, 52 seconds on two cores
constexpr std::size_t asked_vertices = 32;
constexpr std::size_t most_planar = 2'000;

/// About how many vertices the searches of a round of kernel/tight.hpp meet, from vertices spread over the map: a round looks as far as
/// 16 / epsilon along roads of half their length.
std::uint64_t met_in_a_round(const graph::Graph& graph, const privacy::EpsilonPerMetre& epsilon) {
  graph::Dijkstra search(graph);
  const std::size_t n = graph.vertex_count();
  const auto radius = static_cast<graph::DistanceMm>(32'000 / epsilon.value().to_double());
  std::uint64_t met = 0;
  for (std::size_t i = 0; i < asked_vertices; ++i)
    met += search.within(static_cast<graph::VertexId>(i * n / asked_vertices), radius).size();
  return met * n / asked_vertices;
}

std::unique_ptr<VertexMechanism> make_settled(const RoadNetwork& map, const MechanismChoice& choice) {
  const std::string name = settled(map.graph, choice.epsilon).name;
  if (name == "optimal") {
    try {
      return make_optimal(map, choice);
    } catch (const NoTableFound&) {  // a number of the solver's, that is the same everywhere
      return make_tight(map, choice);
    }
  }
  return name == "tight" ? make_tight(map, choice) : make_gem(map, choice);
}

void require_no_vertices(const MechanismChoice& choice) {
  const std::string why =
      fmt::format("is about vertices, and {} releases points of the plane; take plmg", choice.name);
  if (!choice.range.empty()) throw InvalidOption("range", why);
  if (choice.remap) throw InvalidOption("remap", why);
}

void require_prior(const std::vector<double>& prior, std::size_t vertex_count) {
  if (prior.empty()) return;
  if (prior.size() != vertex_count)
    throw InvalidOption("prior", fmt::format("has {} numbers for {} vertices", prior.size(), vertex_count));
  double sum = 0;
  for (const double probability : prior) {
    if (!(probability >= 0 && probability <= 1))
      throw InvalidOption("prior", "holds a number outside 0 to 1");
    sum += probability;
  }
  if (std::abs(sum - 1) > 1e-6) throw InvalidOption("prior", "does not sum to 1");
}

}  // namespace

std::span<const MechanismKind> mechanism_kinds() {
  static const std::array kinds{
      MechanismKind{.name = "gem",
                    .make = make_gem,
                    .restore = restore_gem,
                    .parameters = {"cap_m", "tail_weight_log2"},
                    .fixed = Gem::fixed_parameters},
      MechanismKind{.name = "tight",
                    .make = make_tight,
                    .restore = restore_tight,
                    .parameters = {"form", "weight_share", "certified_share"},
                    .numerical = true},
      MechanismKind{.name = "optimal",
                    .make = make_optimal,
                    .restore = restore_optimal,
                    .parameters = {"solver_gap", "free_vertices", "table"},
                    .numerical = true},
      MechanismKind{.name = "plmg", .make = make_plmg, .parameters = {"stretch"}},
      MechanismKind{.name = "plm", .make_points = make_plm, .parameters = {"stretch"}},
      MechanismKind{.name = "table", .make = make_given, .restore = restore_given, .from_file = true},
  };
  return kinds;
}

std::vector<std::string_view> mechanism_names() {
  std::vector<std::string_view> names;
  for (const MechanismKind& kind : mechanism_kinds())
    if (!kind.from_file) names.push_back(kind.name);
  return names;
}

const MechanismKind& mechanism_kind(std::string_view name) {
  for (const MechanismKind& kind : mechanism_kinds())
    if (kind.name == name) return kind;
  throw InvalidOption("mechanism", fmt::format("is one of {}", fmt::join(mechanism_names(), ", ")));
}

std::string why_not_at_once(std::string_view name, const graph::Graph& graph,
                            const privacy::EpsilonPerMetre& epsilon) {
  const std::size_t n = graph.vertex_count();
  if (name == "optimal" && n > solved_up_to)
    return fmt::format("{} vertices take longer than about a minute; prepare it", n);
  if (name == "optimal" && graph::components(graph).count() > 1) return "the network is not in one piece";
  if (name == "tight" && n > 0 && met_in_a_round(graph, epsilon) > most_met)
    return "it takes longer than about a minute at this epsilon; prepare it";
  // Its rows are sums over cells of the plane for every pair.
  if (name == "plmg" && n > most_planar) return fmt::format("{} vertices take long to average over", n);
  return "";
}

Settled settled(const graph::Graph& graph, const privacy::EpsilonPerMetre& epsilon) {
  const std::size_t n = graph.vertex_count();
  const std::string vertices = fmt::format("the network has {} vertices", n);
  if (n > 0 && n <= solved_up_to && graph::components(graph).count() == 1)
    return {"optimal", fmt::format("{}, and up to {} the best table is found in about a minute", vertices,
                                   solved_up_to)};
  if (n == 0 || met_in_a_round(graph, epsilon) <= most_met)
    return {"tight", fmt::format("{}, {}", vertices,
                                 n > solved_up_to ? "too many for optimal within about a minute"
                                                  : "not in one piece")};
  return {"gem",
          fmt::format("{}, and at this epsilon tight would take longer than about a minute", vertices)};
}

std::unique_ptr<PlaceMechanism> make_place_mechanism(const RoadNetwork& map, const MechanismChoice& choice) {
  if (choice.name == automatic) return make_mechanism(map, choice);
  const MechanismKind& kind = mechanism_kind(choice.name);
  if (!kind.releases_points()) return make_mechanism(map, choice);
  require_epsilon(choice.epsilon);
  require_prior(choice.prior, map.vertex_count());
  require_no_vertices(choice);
  return kind.make_points(map, choice);
}

std::unique_ptr<VertexMechanism> restore_mechanism(const RoadNetwork& map, const MechanismChoice& choice,
                                                   const io::SectionFile& file) {
  const MechanismKind& kind = mechanism_kind(choice.name);
  if (kind.restore == nullptr)
    throw InvalidOption("mechanism", fmt::format("{} needs no preparing", choice.name));
  require_epsilon(choice.epsilon);
  require_prior(choice.prior, map.vertex_count());
  auto inner = kind.restore(map, choice, file);
  if (!choice.remap) return inner;
  return std::make_unique<Remapped>(std::move(inner), file);
}

std::unique_ptr<VertexMechanism> make_mechanism(const RoadNetwork& map, const MechanismChoice& choice) {
  const auto make = choice.name == automatic ? make_settled : mechanism_kind(choice.name).make;
  if (make == nullptr)
    throw InvalidOption(
        "mechanism",
        fmt::format("{} releases points of the plane, and vertices are needed here; take plmg", choice.name));
  require_epsilon(choice.epsilon);
  require_prior(choice.prior, map.vertex_count());
  if (!choice.remap) return make(map, choice);
  Remapped::require_map(map.graph);
  return std::make_unique<Remapped>(
      make(map, choice),
      Remapped::Options{.prior = choice.prior, .threads = choice.threads, .progress = choice.progress});
}

}  // namespace fogline::place
