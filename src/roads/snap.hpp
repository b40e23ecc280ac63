// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "geometry/coordinates.hpp"
#include "geometry/nearest_index.hpp"
#include "geometry/projection.hpp"
#include "roads/network.hpp"

namespace fogline::roads {

/// Moves positions to the nearest vertex of a network.
///
///     Snapper snapper(city);
///     auto matches = snapper.snap(positions, {.threads = 2});       // vertex and distance_m each, in order
///
/// Distances are straight lines on a local plane (see geometry/projection.hpp for its accuracy); ties go to the lowest
/// vertex. Positions out of range throw InvalidOption. Cost: about a microsecond a position.
class Snapper {
 public:
  explicit Snapper(const RoadNetwork& network);
  /// From what plane_centre() and plane_points() gave, one for each vertex: laying a large map on the plane takes longer than snapping a position to it.
  Snapper(const geometry::LonLat& plane_centre, std::vector<geometry::PointXY> plane_points);

  const geometry::LonLat& plane_centre() const { return plane_.centre(); }
  std::span<const geometry::PointXY> plane_points() const { return index_.points(); }

  std::vector<geometry::NearestIndex::Match> snap(std::span<const geometry::LonLat> positions,
                                                  const ParallelOptions& parallel = {}) const;

 private:
  geometry::LocalProjection plane_;
  geometry::NearestIndex index_;
};

}  // namespace fogline::roads
