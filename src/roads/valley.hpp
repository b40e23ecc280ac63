// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "roads/network.hpp"

namespace fogline::roads {

/// A mountain valley that does not exist: few junctions and long winding roads, as in Andorra. It shows what a map of junctions does to positions on
/// roads: most metres of road are far from any of them.
///
///     RoadNetwork valley = make_valley(1);
///     SnapDistance snap = snap_distance(valley.graph);     // hundreds of metres in the mean
///
/// One road of about 40 km follows the valley through 16 villages of a few lanes each. From most of them side roads climb in serpentines to
/// hamlets a few kilometres off, and some hamlets are joined over a pass. 200 to 500 vertices, all connected: junctions and dead ends, with
/// no vertex of two roads, so that a valley written as an OpenStreetMap file reads back the same. It lies around longitude 0, latitude 0. The same seed makes the
/// same valley on every machine. Cost: some 10 ms.
RoadNetwork make_valley(std::uint64_t seed);

}  // namespace fogline::roads
