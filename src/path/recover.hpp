// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/progress.hpp"
#include "path/decode.hpp"
#include "path/public_path.hpp"

namespace fogline::path {

/// Two stops that the route may join, as far as this reader can tell.
using StopPair = std::pair<StopId, StopId>;  ///< lower number first

/// How far the direction of the route is known.
enum class KnownDirection {
  told,    ///< by the declared bit, by the declared ends, or by the paper's fifth rule
  likely,  ///< by a bit that may lie (two-sided form)
  unknown  ///< nothing tells the two ends apart
};
std::string_view to_string(KnownDirection direction);  ///< "told", "likely", "unknown"

/// What an insider reads from a published route.
struct Recovered {
  bool complete = false;  ///< one path, as far as the declared facts can tell
  std::vector<VertexId>
      route;  ///< in order if the direction is known, else from the lower stop on; empty unless complete
  KnownDirection direction = KnownDirection::unknown;
  std::vector<std::vector<StopId>>
      pieces;  ///< every part of the route that is known, each from its lower end
  std::vector<StopPair>
      undecided;  ///< candidates that may join open ends, if roads were missing; at most 1,000, sorted
  std::uint64_t undecided_count = 0;
  std::string what_is_missing;     ///< in plain words; empty if complete
  std::optional<Decoded> decoded;  ///< of the two-sided form
};

struct RecoverOptions {
  std::uint64_t most_nodes = 20'000;  ///< of the search of the two-sided form: path/decode.hpp
  bool second_best = true;            ///< two-sided form: look for the next most likely path too
  Progress progress = {};
};

/// Reads the route with the roads that the reader knows.
///
///     Recovered read = recover(map, shown);
///     if (read.complete) use(read.route); else tell(read.what_is_missing);
///
/// One-sided and published forms: a known road that is a candidate is a step, any other known road is not. With all roads, the steps are the route. With some
/// roads missing they are pieces of it, each certain; what may join them is listed. Two-sided form: the most likely path among the known roads.
///
/// The map must have the published vertices, in their order (path/map_file.hpp reads it so). Throws InvalidOption if it has not, or if the roads cannot be those
/// the route was published with: three steps at one stop, or steps in a ring. Cost: O(|roads|), two-sided: path/decode.hpp.
Recovered recover(const RouteMap& map, const PublicPath& shown, const RecoverOptions& options = {});

/// What one participant reads alone, from its own row and the roads at its own door.
struct Participant {
  std::vector<std::vector<VertexId>>
      neighbours;  ///< for each of its stops that is on the route: one neighbour at an end of the route, else two
  bool on_route = false;
  bool at_end = false;  ///< of the route, if all its roads are known to it
};

/// Cost: O(stops) for each of its stops. Throws InvalidOption for the two-sided form, which nobody can read alone.
Participant recover_place(const PublicPath& shown, VertexId self,
                          const std::vector<VertexId>& road_neighbours);

}  // namespace fogline::path
