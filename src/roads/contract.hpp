// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "roads/draft.hpp"

namespace fogline::roads {

/// Joins the segments between junctions to one road each; the points between become its shape.
///
///     0---1---2---3      becomes      0-------2---3      with 1 as shape point of the first road
///             |                               |
///             4                               4
///
/// A junction is a vertex with any number of neighbours but two, so dead ends stay. The draft must be without
/// isolated vertices, and no segment may be in it twice; loops and parallel roads of their own shape are kept. A road's length is the sum of its segments; its class is the
/// widest on it; traffic may go the ways that every segment allows, or both ways where segments disagree.
/// A ring without any junction is left out, as is a road above the longest edge (4,294 km); both are noted.
/// Cost: O(n + m).
void contract_to_junctions(Draft& draft);

}  // namespace fogline::roads
