// SPDX-License-Identifier: Apache-2.0
#include "path/published.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "path/public_path_file.hpp"
#include "path/published_direction.hpp"

namespace fogline::path {
namespace {

using privacy::Epsilon;

void require_range(const std::optional<Epsilon>& epsilon, const char* option) {
  if (epsilon && epsilon->value() > Rational(40))
    throw InvalidOption(option, "must be above 0 and at most 40");
}

/// Uniform in [0, 1). Good enough where nothing is promised.
double uniform(random::Stream& noise) {
  return static_cast<double>(noise.next64() >> 11) * 0x1p-53;
}

/// n of least..most, with weight exp(-epsilon n / 2).
std::uint32_t draw_count(std::uint32_t least, std::uint32_t most, double epsilon, random::Stream& noise) {
  double total = 0;
  for (std::uint32_t n = least; n <= most; ++n) total += std::exp(-epsilon * n / 2);
  double left = uniform(noise) * total;
  for (std::uint32_t n = least; n < most; ++n) {
    left -= std::exp(-epsilon * n / 2);
    if (left < 0) return n;
  }
  return most;
}

}  // namespace

Stops published_stops(const RouteMap& map, const Route& route, const std::optional<Epsilon>& epsilon_vertices,
                      random::Stream& noise) {
  std::vector<std::uint32_t> counts(map.vertex_count(), 0);
  for (const VertexId v : route) ++counts[v];
  const std::uint32_t most = std::max(2U, *std::ranges::max_element(counts));
  for (std::uint32_t& count : counts) {
    count = std::max(count, 1U);
    if (epsilon_vertices) count = draw_count(count, most, epsilon_vertices->value().to_double(), noise);
  }
  return Stops(std::move(counts));
}

std::vector<StopId> stops_of_route(const Stops& stops, const Route& route) {
  std::vector<StopId> path, seen(stops.vertex_count(), 0);
  for (const VertexId v : route) path.push_back(stops.first(v) + seen[v]++);
  return path;
}

graph::BitGraph published_candidates(const RouteMap& map, const Stops& stops, const std::vector<StopId>& path,
                                     const std::optional<Epsilon>& epsilon_edges, random::Stream& noise) {
  graph::BitGraph candidates(stops.size());
  for (std::size_t i = 1; i < path.size(); ++i) candidates.join(path[i - 1], path[i]);
  const double chance = epsilon_edges ? 1 / (1 + std::exp(epsilon_edges->value().to_double() / 2)) : 1;
  for (StopId a = 0; a < stops.size(); ++a)
    for (StopId b = a + 1; b < stops.size(); ++b)
      if (!map.roads.joined(stops.vertex(a), stops.vertex(b)) && uniform(noise) < chance)
        candidates.join(a, b);
  return candidates;
}

PublishedLayers turned_to_start(PublishedLayers layers, const std::vector<StopId>& path) {
  const PublishedEnds ends = published_ends(layers, path);
  if (ends.leaf_from_front >= ends.root_from_front) return layers;
  std::int32_t highest = 0;
  for (const LayerPiece& piece : layers.pieces) highest = std::max(highest, piece.layer);
  for (LayerPiece& piece : layers.pieces) piece.layer = highest - piece.layer;
  return layers;
}

PublishedPath::PublishedPath(const PublishedOptions& options) : options_(options) {
  require_range(options_.epsilon_vertices, "epsilon-vertices");
  require_range(options_.epsilon_edges, "epsilon-edges");
}

PublicPath PublishedPath::release(const RouteMap& map, const Route& route, random::Stream& noise) const {
  return release_in_full(map, route, noise).shown;
}

void PublishedPath::require(const RouteMap& map, const Route& route) const {
  require_route(map, route, most_visits);
  std::vector<std::size_t> visits(map.vertex_count(), 0);
  for (const VertexId v : route) ++visits[v];
  const std::size_t most =
      std::max<std::size_t>(options_.epsilon_vertices ? 2 : 1, *std::ranges::max_element(visits));
  require_publishable(map.names, 1);
  if (map.vertex_count() * most > most_stops)
    throw InvalidOption("network", "may need more than the 200 stops that the paper's form takes");
}

PublishedPath::Release PublishedPath::release_in_full(const RouteMap& map, const Route& route,
                                                      random::Stream& noise) const {
  require(map, route);
  Release out;
  out.shown.form = PathForm::published;
  out.shown.names = map.names;
  out.shown.stops = published_stops(map, route, options_.epsilon_vertices, noise);
  if (options_.epsilon_edges) out.shown.epsilon_edges = options_.epsilon_edges->value();
  out.path = stops_of_route(out.shown.stops, route);
  out.shown.candidates = published_candidates(map, out.shown.stops, out.path, options_.epsilon_edges, noise);
  // Stops that the route does not use come in after its own.
  std::vector<StopId> order = out.path;
  for (StopId stop = 0; stop < out.shown.stops.size(); ++stop)
    if (std::ranges::find(out.path, stop) == out.path.end()) order.push_back(stop);
  BuiltLayers built = build_layers(out.shown.candidates.complement(), order, options_.layers);
  out.shown.layers = turned_to_start(std::move(built.layers), out.path);
  out.splits = built.splits;
  out.steps = built.steps;
  out.gave_ups = built.gave_ups;
  return out;
}

}  // namespace fogline::path
