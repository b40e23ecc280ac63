// SPDX-License-Identifier: Apache-2.0
#include "roads/snap.hpp"

#include "geometry/bounding_box.hpp"

namespace fogline::roads {

Snapper::Snapper(const RoadNetwork& network)
    : plane_(geometry::bounding_box(network.position).centre()), index_(plane_.forward(network.position)) {}

std::vector<geometry::NearestIndex::Match> Snapper::snap(std::span<const geometry::LonLat> positions,
                                                         const ParallelOptions& parallel) const {
  return index_.nearest(plane_.forward(positions, parallel), parallel);
}

}  // namespace fogline::roads
