// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "path/public_path.hpp"
#include "path/recover.hpp"
#include "path/route_map.hpp"

namespace fogline::path {

/// What a publication costs against the route it hides, and what an insider with all roads reads of it. For the curator alone.
///
///     PathMeasures found = measure(map, route, shown);
///     found.copies_per_vertex();                // the overhead of the layered graph
struct PathMeasures {
  std::uint64_t vertices = 0, stops = 0, steps = 0;
  std::uint64_t pairs = 0, candidates = 0;  ///< of stops
  std::uint64_t bytes = 0;                  ///< of the file, not compressed
  bool orientable =
      false;  ///< the layered graph needs one copy of each stop; the published form does not say
  std::uint64_t copies = 0, layers = 0;  ///< of the layered graph

  bool may_be_of_route =
      false;  ///< a release of this route can look so; two-sided: any file can. One-sided: the route is read, in a direction that nothing contradicts
  bool steps_read = false;  ///< exactly the steps of the route, by who knows all roads
  std::uint64_t right_steps = 0, wrong_steps = 0;
  KnownDirection direction = KnownDirection::unknown;
  double good_output =
      0;  ///< the paper's measure of order: 1 if the route is read from its start on, 0.5 if nothing tells the start, else 0

  double stops_per_vertex() const { return static_cast<double>(stops) / static_cast<double>(vertices); }
  double copies_per_vertex() const { return static_cast<double>(copies) / static_cast<double>(vertices); }
  double candidate_share() const {
    return pairs == 0 ? 0 : static_cast<double>(candidates) / static_cast<double>(pairs);
  }
  double pairs_per_step() const { return static_cast<double>(pairs) / static_cast<double>(steps); }
};

/// `map` has the published vertices (see recover) and all roads of the route. Throws InvalidOption if it has not, or what recover throws.
/// Cost: recover() and path/layers.hpp.
PathMeasures measure(const RouteMap& map, const Route& route, const PublicPath& shown,
                     const RecoverOptions& options = {});

}  // namespace fogline::path
