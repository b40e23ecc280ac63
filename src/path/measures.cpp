// SPDX-License-Identifier: Apache-2.0
#include "path/measures.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "path/layers.hpp"
#include "path/public_path_file.hpp"

namespace fogline::path {
namespace {

void measure_layers(const PublicPath& shown, PathMeasures& found) {
  if (shown.layers) {
    found.copies = shown.layers->pieces.size();
    std::int32_t lowest = std::numeric_limits<std::int32_t>::max(),
                 highest = std::numeric_limits<std::int32_t>::min();
    for (const LayerPiece& piece : shown.layers->pieces) {
      lowest = std::min(lowest, piece.layer);
      highest = std::max(highest, piece.layer);
    }
    found.layers = found.copies == 0 ? 0 : static_cast<std::uint64_t>(highest - lowest) + 1;
    return;
  }
  const LayerSize size = layer_size(shown.candidates.complement());
  found.orientable = size.orientable;
  found.copies = size.copies;
  found.layers = size.layers;
}

using Steps = std::vector<std::pair<VertexId, VertexId>>;

void add_steps(Steps& steps, const std::vector<VertexId>& piece) {
  for (std::size_t i = 1; i < piece.size(); ++i)
    steps.emplace_back(std::min(piece[i - 1], piece[i]), std::max(piece[i - 1], piece[i]));
}

bool may_be_of_route(const Route& route, const PublicPath& shown, const Recovered& read) {
  if (shown.form == PathForm::two_sided) return true;
  if (read.route == route) return true;
  // The paper's rule for the direction may be wrong; what the one-sided form tells is not.
  if (shown.form == PathForm::one_sided && read.direction == KnownDirection::told) return false;
  return std::ranges::equal(read.route.rbegin(), read.route.rend(), route.begin(), route.end());
}

void measure_reading(const Route& route, const PublicPath& shown, const Recovered& read,
                     PathMeasures& found) {
  Steps taken, said, both;
  add_steps(taken, route);
  for (const auto& piece : read.pieces) {
    std::vector<VertexId> vertices;
    for (const StopId stop : piece) vertices.push_back(shown.stops.vertex(stop));
    add_steps(said, vertices);
  }
  std::ranges::sort(taken);
  std::ranges::sort(said);
  std::ranges::set_intersection(taken, said, std::back_inserter(both));
  found.right_steps = both.size();
  found.wrong_steps = said.size() - both.size();
  found.steps_read = taken == said;
  found.may_be_of_route = may_be_of_route(route, shown, read);
  found.direction = read.direction;
  if (!found.steps_read) return;
  found.good_output = read.direction == KnownDirection::unknown ? 0.5 : read.route == route ? 1 : 0;
}

}  // namespace

PathMeasures measure(const RouteMap& map, const Route& route, const PublicPath& shown,
                     const RecoverOptions& options) {
  require_route(map, route, std::numeric_limits<std::uint32_t>::max());
  const Recovered read = recover(map, shown, options);
  PathMeasures found;
  found.vertices = shown.stops.vertex_count();
  found.stops = shown.stops.size();
  found.steps = route.size() - 1;
  found.pairs = found.stops * (found.stops - 1) / 2;
  found.candidates = shown.candidates.edge_count();
  found.bytes = to_json(shown).size();
  measure_layers(shown, found);
  measure_reading(route, shown, read, found);
  return found;
}

}  // namespace fogline::path
