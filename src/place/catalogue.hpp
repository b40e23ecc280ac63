// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/progress.hpp"
#include "place/mechanism.hpp"
#include "privacy/guarantee.hpp"
#include "roads/network.hpp"

namespace fogline::place {

/// Let the map decide: see settled().
inline constexpr std::string_view automatic = "auto";

/// Which mechanism, and everything public it is built from.
struct MechanismChoice {
  std::string name = std::string(automatic);  ///< one of mechanism_names(), or `automatic`
  privacy::EpsilonPerMetre epsilon;           ///< no default
  std::string unit = "one report";            ///< named in the guarantee
  std::vector<graph::VertexId> range = {};    ///< allowed outputs; empty: every vertex
  std::vector<double> prior = {};             ///< probability of each vertex, public; empty: all alike
  std::string table = {};                     ///< for the name "table": the file it stands in
  std::string table_vertices = {};  ///< how the network's vertices came to be: GivenTable::Options::vertices
  bool takes_any_table = false;     ///< also one that does not keep epsilon, to measure and attack it
  bool remap = false;               ///< move each output to the best guess under the prior
  int threads = 0;                  ///< for building; 0 (all cores) to 1,024
  Progress progress = {};           ///< of building; may cancel
};

/// What is known of a mechanism before it is built: enough to read a statement's parameters without its map.
struct MechanismKind {
  std::string_view name;
  std::unique_ptr<VertexMechanism> (*make)(const roads::RoadNetwork& map,
                                           const MechanismChoice& choice) = nullptr;
  /// From what its store() wrote; null: it is made anew, which takes no time. Throws InvalidOption or DataError for what cannot be.
  std::unique_ptr<VertexMechanism> (*restore)(const roads::RoadNetwork& map, const MechanismChoice& choice,
                                              const io::SectionFile& file) = nullptr;
  /// Instead of make, for those that release points of the plane.
  std::unique_ptr<PlaceMechanism> (*make_points)(const roads::RoadNetwork& map,
                                                 const MechanismChoice& choice) = nullptr;
  /// What PlaceMechanism::parameters() names, all of it and always.
  std::vector<std::string_view> parameters = {};
  /// Those of them that follow from epsilon alone, with their values.
  nlohmann::ordered_json (*fixed)(const privacy::EpsilonPerMetre& epsilon) = nullptr;
  /// Built by a numerical solver: its table is certified anew, and may differ in the last digits where another version of the program or
  /// a processor other than x86-64 built it.
  bool numerical = false;
  /// Built from a file that somebody names, and so not among mechanism_names().
  bool from_file = false;
  privacy::Exactness exactness = privacy::Exactness::exact;

  bool releases_points() const { return make_points != nullptr; }
};

/// The mechanisms of place, in the order of the help text. A new one adds an entry.
std::span<const MechanismKind> mechanism_kinds();
std::vector<std::string_view> mechanism_names();

/// Throws InvalidOption for an unknown name.
const MechanismKind& mechanism_kind(std::string_view name);

/// The mechanism that `automatic` stands for on a map, and why, in one sentence: the best that is ready in about a minute on two ordinary cores.
/// A rule about public sizes, so that it says the same on every machine: `optimal` up to 1,000 vertices in one piece; else `tight`, as long as
/// the searches it is built by meet at most 80 million vertices in a round; else `gem`.
struct Settled {
  std::string name;
  std::string why;
};
Settled settled(const graph::Graph& graph, const privacy::EpsilonPerMetre& epsilon);

/// Why a mechanism would not be ready in about a minute on a map; empty: it would.
std::string why_not_at_once(std::string_view name, const graph::Graph& graph,
                            const privacy::EpsilonPerMetre& epsilon);

/// Builds a mechanism by its name; its name() tells what became of `automatic`. Where the solver of `optimal` finds no table, that is `tight`.
///
///     auto mechanism = make_place_mechanism(map, {.name = "tight", .epsilon = {1, 100}});
///
/// Throws InvalidOption for an unknown name, an epsilon out of range, a prior of another size or sum, a range the mechanism cannot use,
/// a network too large for it or in several pieces where it needs one; a range or a remap for a mechanism that releases points of the
/// plane. Cost: that of the mechanism's constructor.
std::unique_ptr<PlaceMechanism> make_place_mechanism(const roads::RoadNetwork& map,
                                                     const MechanismChoice& choice);

/// The same from a file that PlaceMechanism::store() wrote, remap included. Nothing of it is taken for granted but what is_as_found() and
/// certify_rule() of the result can judge. Throws also DataError.
std::unique_ptr<VertexMechanism> restore_mechanism(const roads::RoadNetwork& map,
                                                   const MechanismChoice& choice,
                                                   const io::SectionFile& file);

/// The same for whoever needs vertices to come out; throws InvalidOption also if points of the plane would.
std::unique_ptr<VertexMechanism> make_mechanism(const roads::RoadNetwork& map, const MechanismChoice& choice);

}  // namespace fogline::place
