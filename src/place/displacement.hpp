// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/progress.hpp"
#include "geometry/coordinates.hpp"
#include "graph/graph.hpp"
#include "io/points.hpp"
#include "roads/network.hpp"

namespace fogline::place {

/// How far records were moved, in metres.
struct Displacement {
  double mean_m = 0;
  double median_m = 0;
  double p95_m = 0;  ///< 95 % of the records were moved at most so far
};

struct ReleaseDisplacement {
  std::size_t records = 0;
  std::optional<Displacement> road;  ///< from the vertex nearest to the recorded position to the released one
  Displacement straight;             ///< from the recorded position itself to the released vertex or point
};

struct DisplacementOptions {
  int threads = 0;         ///< 0 (all cores) to 1,024
  Progress progress = {};  ///< called now and then; may cancel
};

/// Compares a finished release with the private records it was made from. The result is PRIVATE: exact means of private records, for the
/// curator alone, protected by nothing and charged to no ledger.
///
///     ReleaseDisplacement moved = displacement(points, truth, released, map);
///
/// `truth` and `released` have a vertex for each record. Throws InvalidOption if they do not, or if no road leads from one to the other.
/// Cost: a search over the network for each vertex that occurs as truth.
ReleaseDisplacement displacement(const io::PointTable& points, std::span<const graph::VertexId> truth,
                                 std::span<const graph::VertexId> released, const roads::RoadNetwork& map,
                                 const DisplacementOptions& options = {});

/// The same for released points of the plane: straight only, since no road leads to them.
ReleaseDisplacement displacement(const io::PointTable& points, std::span<const geometry::LonLat> released);

/// Mean, and the smallest of the values that half and 95 % of them do not exceed. At least one value.
Displacement summarise(std::vector<double> moved_m);

}  // namespace fogline::place
