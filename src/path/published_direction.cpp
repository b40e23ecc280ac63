// SPDX-License-Identifier: Apache-2.0
#include "path/published_direction.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace fogline::path {

PublishedEnds published_ends(const PublishedLayers& layers, const std::vector<StopId>& path) {
  std::vector<bool> has_lower(layers.pieces.size(), false), has_higher(layers.pieces.size(), false);
  for (const auto& [a, b] : layers.edges) {
    const bool a_is_lower = layers.pieces[a].layer < layers.pieces[b].layer;
    has_higher[a_is_lower ? a : b] = true;
    has_lower[a_is_lower ? b : a] = true;
  }
  const auto steps_to = [&](const std::vector<bool>& is_joined, auto begin, auto end) {
    return static_cast<std::size_t>(std::find_if(begin, end,
                                                 [&](StopId stop) {
                                                   for (std::size_t i = 0; i < layers.pieces.size(); ++i)
                                                     if (layers.pieces[i].stop == stop && !is_joined[i])
                                                       return true;
                                                   return false;
                                                 }) -
                                    begin);
  };
  return {.root_from_front = steps_to(has_lower, path.begin(), path.end()),
          .root_from_back = steps_to(has_lower, path.rbegin(), path.rend()),
          .leaf_from_front = steps_to(has_higher, path.begin(), path.end())};
}

std::optional<StopId> start_by_roots(const RouteMap& map, const PublicPath& shown,
                                     const std::vector<StopId>& path) {
  if (!shown.layers) throw InvalidOption("layers", "are those of the published form");
  if (map.vertex_count() != shown.stops.vertex_count())
    throw InvalidOption("map", "must have the published vertices");
  const PublishedEnds ends = published_ends(*shown.layers, path);
  if (ends.root_from_front == ends.root_from_back) return std::nullopt;
  return ends.root_from_front < ends.root_from_back ? path.front() : path.back();
}

}  // namespace fogline::path
