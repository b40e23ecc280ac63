// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "geometry/polytope.hpp"

namespace fogline::geometry {

/// Corners of triangulated facets as qhull sees them, in floating point: may be degenerate, or miss what rounding hides. Throws Error
/// where qhull gives up. The only door to qhull; keeps no state.
std::vector<Simplex> qhull_facets(const LatticePoints& points);

}  // namespace fogline::geometry
