// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/graph.hpp"

namespace fogline::roads {

/// How far it is along the road from a point on it to the nearer of the two vertices at its ends: what snapping costs, from public
/// roads alone.
///
///     SnapDistance snap = snap_distance(city.graph);      // snap.mean_m over all metres of road, snap.largest_m
///
/// On a road of length L that is L/4 in the mean and at most L/2. Positions are moved to the vertex that is nearest in a straight line, which is no
/// farther: both are upper bounds for points on roads. Cost: O(m).
struct SnapDistance {
  double mean_m = 0;     ///< for a point that is equally likely on every metre of road
  double largest_m = 0;  ///< from the middle of the longest road
};
SnapDistance snap_distance(const graph::Graph& roads);

}  // namespace fogline::roads
