// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "io/points.hpp"
#include "roads/network.hpp"

namespace fogline::mobility {

struct SampleWalkOptions {
  std::uint64_t seed = 1;
  std::uint32_t walkers = 200;     ///< of the public history, 1 to 1,000,000
  std::uint32_t steps = 100;       ///< positions of each walk, 2 to 1,000,000
  std::uint32_t interval_s = 180;  ///< between two positions, 1 to 86,400
  std::uint32_t places = 40;       ///< that people walk between, 2 to 10,000
};

/// A public history of walks, and one private walk in the same town.
struct SampleWalks {
  io::PointTable history;  ///< traj_id (w1, w2, ...), t, lon, lat; by walker and time
  io::PointTable walker;   ///< t, lon, lat
};

/// Makes up people who walk through a town: from one favourite place to another by the shortest way, some near and some far, with a rest
/// at each. Positions are noted every so many seconds, on the straight line between two junctions.
///
///     SampleWalks walks = make_sample_walks(roads::read_network("city:1"), {});
///
/// The same network, seed and options give the same walks; the private one does not depend on how many public ones there are. Throws
/// InvalidOption outside the ranges, or for a network of one vertex. Cost: a shortest-path search for each place, then linear.
SampleWalks make_sample_walks(const roads::RoadNetwork& network, const SampleWalkOptions& options);

}  // namespace fogline::mobility
