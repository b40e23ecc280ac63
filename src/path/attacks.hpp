// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "path/hamiltonian.hpp"
#include "path/public_path.hpp"
#include "path/route_map.hpp"

namespace fogline::path {

/// Three readers who lack one road, and what each believes about it after reading the publication: is the pair a step of the route? They know the mechanism. Only the
/// first is what the guarantee speaks of; the other two combine labels with what they know besides.
///
///     Belief told = one_label(shown, {b, c}).belief;
///     told.loss();                              // ln(1 + e^(eps_e/2)) for a candidate with one stop a vertex: the guarantee, reached

using VertexPair = std::pair<VertexId, VertexId>;

struct Belief {
  double prior = 0;
  double posterior = 0;

  /// Logarithm of the posterior odds over the prior odds; infinite where the reader became certain, 0 where the prior was.
  double loss() const;
  bool became_certain() const;  ///< of a step; not if it was certain before
};

struct OneLabel {
  Belief belief = {};
  std::uint64_t labels = 0;      ///< of the pairs of stops of the two vertices
  std::uint64_t candidates = 0;  ///< of these
};

/// Knows nothing but the labels of this pair of vertices, and that there is either a step of the route or no road. `prior` is what it believed before, above 0 and below 1.
/// Throws InvalidOption for a prior out of range or a pair that is no two vertices.
OneLabel one_label(const PublicPath& shown, VertexPair pair, double prior = 0.5);

struct AllButOne {
  Belief belief = {};
  std::uint64_t options = 0;  ///< pairs of stops that could be the missing step
  std::uint64_t left = 0;     ///< of these, what the labels leave possible
};

/// Knows every road and every step but this one, with the stops of these steps, not the direction. The route falls into two pieces, and the missing step joins an end of one
/// with an end of the other, at the stops where the pieces end: at most four pairs of vertices, less those that are known roads. A piece of a single visit is seen only if
/// the publication declares that every vertex is visited, and nothing else visits this one; else the step may lead to any vertex. A single visit is at any stop of its
/// vertex that no known step uses. Before, every way to join an end with an end, or with a vertex, is as likely, and so are the stops of a single visit.
/// One-sided, a way is left if its stops are the only candidate of their two vertices; of two that are left, the one with more pairs of stops is the likelier, since without
/// a road there these would have been ruled out by chance. The numbers of stops are taken as they are. Two-sided, ways are weighed by their own labels.
///
/// `pieces` is the route over stops, as path/recover.hpp reads it: one piece, from which the step is taken, or the two that are left where the
/// network lacks the road. Empty if the pair is no step of the one piece, or a known road beside the two, or if there are more.
std::optional<AllButOne> all_but_one(const RouteMap& map, const PublicPath& shown,
                                     std::span<const std::vector<StopId>> pieces, VertexPair pair);

struct EveryVertexOptions {
  std::size_t exact_up_to = 18;              ///< vertices; 2 to most_counted_stops
  std::optional<std::uint64_t> sweeps = {};  ///< of each walk above that; default: 500 to 10,000 by size
  std::uint64_t seed = 1;
  int threads = 0;
  Progress progress = {};
};

struct EveryVertex {
  bool exact = false;
  double paths = 0;  ///< exact: sum of the weights of all paths; one-sided: their number, over stops
  std::vector<Belief> beliefs = {};         ///< per pair that was asked for
  std::vector<double> standard_error = {};  ///< of the posteriors; 0 if exact
  std::uint64_t certain =
      0;  ///< pairs of vertices that are steps in all paths, and were not certain before: exact: of all pairs; else of those asked for, in all sampled paths
  std::uint64_t samples = 0;
  double effective_samples = 0;
};

/// Knows no road, but that the route visits every vertex exactly once, and all labels: believes in every path that they leave possible (one-sided), or in all paths by how
/// well they fit (two-sided). With several stops a vertex, one-sided, each visit is at any stop of its vertex, both its steps there; a step is the only candidate
/// of its two vertices, and weighs the more the more pairs of stops these have, as above. Empty where it is not computed: several stops a vertex in the two-sided form, above
/// exact_up_to vertices, or above most_counted_bytes. Cost: path/hamiltonian.hpp. With no path left, or none met by the walks, posteriors are 0.
std::optional<EveryVertex> every_vertex(const PublicPath& shown, std::span<const VertexPair> pairs,
                                        const EveryVertexOptions& options = {});

}  // namespace fogline::path
