// SPDX-License-Identifier: Apache-2.0
#include "roads/snap.hpp"

#include <utility>

#include "geometry/bounding_box.hpp"

namespace fogline::roads {

Snapper::Snapper(const RoadNetwork& network)
    : plane_(geometry::bounding_box(network.position).centre()), index_(plane_.forward(network.position)) {}

Snapper::Snapper(const geometry::LonLat& plane_centre, std::vector<geometry::PointXY> plane_points)
    : plane_(plane_centre), index_(std::move(plane_points)) {}

std::vector<geometry::NearestIndex::Match> Snapper::snap(std::span<const geometry::LonLat> positions,
                                                         const ParallelOptions& parallel) const {
  return index_.nearest(plane_.forward(positions, parallel), parallel);
}

}  // namespace fogline::roads
