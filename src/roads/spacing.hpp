// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "roads/draft.hpp"
#include "roads/network.hpp"

namespace fogline::roads {

/// Puts vertices along roads, so that no piece of road between two vertices is longer than a spacing.
///
///     0-----------------1      becomes      0-----a-----b-----1      at a third of the length or above
///
///     RoadNetwork fine = spaced(read_network("porto.osm.pbf"), 100'000);     // 100 m
///     name_of(fine, vertex);                                                 // "287461-301177@93.250"
///
/// A road of length L becomes ceil(L / spacing) pieces that differ by at most a millimetre. They are whole millimetres and
/// add up to L exactly, so the distance between two vertices that were there before is what it was, to the millimetre: the metric of
/// a guarantee does not depend on the spacing (docs/mechanisms/spacing.md). The new vertices lie on the road's shape, at their share of its length.
///
/// Vertices keep their numbers; those along roads follow, road by road. They are called by the two ends, the lower number first, and
/// the metres from there, to the millimetre: a name never means another place at another spacing. A second road between the same ends has "/2" before
/// the "@", and so on, the shortest first.
///
/// Throws DataError if more than most_added_vertices would be made, or if the labels of a file are such that two vertices would have one name.
/// Cost: O(n + m) and a geodesic for each point of a shape that is cut, about a microsecond.

/// About a gigabyte of positions, names and roads.
inline constexpr std::uint64_t most_added_vertices = 4'000'000;

/// Of a draft; `spacing_mm` is at least 1. Parallel roads and loops may be there and stay; a loop that is cut has three pieces at least, so that it stays
/// when the draft is made simple.
void space_roads(Draft& draft, graph::LengthMm spacing_mm);

/// How many vertices spaced() would leave such a network with, without making them.
std::uint64_t spaced_vertex_count(const RoadNetwork& network, graph::LengthMm spacing_mm);

/// Of a network that is there already.
RoadNetwork spaced(RoadNetwork network, graph::LengthMm spacing_mm);

}  // namespace fogline::roads
