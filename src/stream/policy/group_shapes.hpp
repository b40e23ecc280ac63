// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "geometry/lattice_points.hpp"
#include "stream/policy/policy.hpp"

namespace fogline::stream {

/// Numbers of groups such that every group is a shifted copy of one of them: on a grid, nearly all are alike, and have the same differences.
/// Members must be in the same order to be seen as alike. Cost: a pass over the members.
std::vector<std::size_t> distinct_shapes(const GroupList& groups, const geometry::LatticePoints& points);

}  // namespace fogline::stream
