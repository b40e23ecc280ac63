// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "path/public_path.hpp"

namespace fogline::path {

/// How close the ends of a path are to the roots and leaves of the paper's layers, in steps of the path: from the front of the path to the nearest stop with such a piece, and from the
/// back. Roots are pieces that are joined to nothing in a lower layer, leaves to nothing in a higher one; a piece may be both.
struct PublishedEnds {
  std::size_t root_from_front = 0, root_from_back = 0;
  std::size_t leaf_from_front = 0;
};
PublishedEnds published_ends(const PublishedLayers& layers, const std::vector<StopId>& path);

/// The paper's fifth rule, as participants read it: of the two ends of the path, the one that is closer to the roots of the published layers is the start.
/// Empty if both are as close. The paper does not say how closeness is counted; participants know the path but for its direction, so steps of it are what all can count.
std::optional<StopId> start_by_roots(const RouteMap& map, const PublicPath& shown,
                                     const std::vector<StopId>& path);

}  // namespace fogline::path
