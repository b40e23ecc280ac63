// SPDX-License-Identifier: Apache-2.0
#include "path/recover.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"
#include "path/published_direction.hpp"

namespace fogline::path {
namespace {

constexpr std::size_t most_listed = 1'000;

/// The steps that known roads and labels settle.
std::vector<std::vector<StopId>> known_steps(const RouteMap& map, const PublicPath& shown) {
  std::vector<std::vector<StopId>> steps(shown.stops.size());
  for (StopId a = 0; a < shown.stops.size(); ++a) {
    graph::for_each_bit(map.roads.row(shown.stops.vertex(a)), [&](VertexId v) {
      for (StopId b = shown.stops.first(v); b < shown.stops.first(v) + shown.stops.of_vertex(v); ++b)
        if (shown.candidates.joined(a, b)) steps[a].push_back(b);
    });
    if (steps[a].size() > 2)
      throw InvalidOption("network",
                          "is not the one this route was published with: a stop would have three steps");
  }
  return steps;
}

/// The paths that steps form, by their lower ends. Stops without a step are in none.
std::vector<std::vector<StopId>> pieces_of(const std::vector<std::vector<StopId>>& steps) {
  std::vector<std::vector<StopId>> pieces;
  std::vector<bool> seen(steps.size(), false);
  for (StopId end = 0; end < steps.size(); ++end) {
    if (steps[end].size() != 1 || seen[end]) continue;
    std::vector<StopId> piece{end};
    seen[end] = true;
    for (StopId at = end;;) {
      const auto next = std::ranges::find_if(steps[at], [&](StopId b) { return !seen[b]; });
      if (next == steps[at].end()) break;
      at = *next;
      seen[at] = true;
      piece.push_back(at);
    }
    pieces.push_back(std::move(piece));
  }
  for (StopId a = 0; a < steps.size(); ++a)
    if (!steps[a].empty() && !seen[a])
      throw InvalidOption("network",
                          "is not the one this route was published with: some steps would form a ring");
  return pieces;
}

/// What is against the known pieces being the whole route; empty if nothing is.
std::string missing(const PublicPath& shown, const std::vector<std::vector<StopId>>& pieces) {
  if (pieces.empty()) return "none of the known roads is a step of the route";
  if (pieces.size() > 1)
    return fmt::format("the known steps form {} pieces: the roads that join them are not in this network",
                       pieces.size());
  const std::vector<StopId>& path = pieces.front();
  if (shown.every_vertex) {
    std::vector<bool> visited(shown.stops.vertex_count(), false);
    for (const StopId stop : path) visited[shown.stops.vertex(stop)] = true;
    const auto left = std::ranges::count(visited, false);
    if (left > 0)
      return fmt::format("{} of the vertices, which the route visits, are on no known step", left);
  }
  if (shown.ends) {
    const VertexId a = shown.stops.vertex(path.front()), b = shown.stops.vertex(path.back());
    if (std::minmax(a, b) != std::minmax(shown.ends->first, shown.ends->second))
      return "the known steps do not reach the ends that the publication names";
  }
  return "";
}

/// Stops where the route may go on: ends of pieces, and stops without a known step.
void list_undecided(const RouteMap& map, const PublicPath& shown, Recovered& read) {
  std::vector<StopId> piece_of(shown.stops.size(), 0);
  std::vector<bool> is_open(shown.stops.size(), true);
  for (std::size_t p = 0; p < read.pieces.size(); ++p)
    for (const StopId stop : read.pieces[p]) {
      piece_of[stop] = static_cast<StopId>(p + 1);
      is_open[stop] = stop == read.pieces[p].front() || stop == read.pieces[p].back();
    }
  for (StopId a = 0; a < shown.stops.size(); ++a) {
    if (!is_open[a]) continue;
    graph::for_each_bit(shown.candidates.row(a), [&](StopId b) {
      if (b < a || !is_open[b] || (piece_of[a] != 0 && piece_of[a] == piece_of[b])) return;
      if (shown.stops.vertex(a) == shown.stops.vertex(b)) return;
      if (map.roads.joined(shown.stops.vertex(a), shown.stops.vertex(b))) return;
      ++read.undecided_count;
      if (read.undecided.size() < most_listed) read.undecided.emplace_back(a, b);
    });
  }
}

std::vector<VertexId> vertices_of(const PublicPath& shown, const std::vector<StopId>& path) {
  std::vector<VertexId> vertices;
  for (const StopId stop : path) vertices.push_back(shown.stops.vertex(stop));
  return vertices;
}

/// Turns the path so that it begins where the route does, if anything tells.
void direct(const RouteMap& map, const PublicPath& shown, std::vector<StopId>& path, Recovered& read) {
  const std::vector<VertexId> route = vertices_of(shown, path);
  if (shown.ends && shown.ends->first != shown.ends->second) {
    if (route.front() != shown.ends->first) std::ranges::reverse(path);
    read.direction = KnownDirection::told;
  } else if (shown.starts_low) {
    if (starts_low(route) != *shown.starts_low) std::ranges::reverse(path);
    read.direction = shown.form == PathForm::two_sided ? KnownDirection::likely : KnownDirection::told;
  } else if (shown.layers && route.front() != route.back()) {
    const auto start = start_by_roots(map, shown, path);
    if (!start) return;
    if (*start != path.front()) std::ranges::reverse(path);
    read.direction = KnownDirection::told;
  }
}

void finish(const RouteMap& map, const PublicPath& shown, std::vector<StopId> path, Recovered& read) {
  read.complete = true;
  direct(map, shown, path, read);
  read.route = vertices_of(shown, path);
}

Recovered recover_likely(const RouteMap& map, const PublicPath& shown, const RecoverOptions& options) {
  if (shown.stops.size() != shown.stops.vertex_count())
    throw InvalidOption("PUBLIC", "has several stops a vertex, which the two-sided form never has");
  DecodeOptions decode{.every_stop = shown.every_vertex,
                       .ends = shown.ends,
                       .second_best = options.second_best,
                       .most_nodes = options.most_nodes,
                       .progress = options.progress};
  Recovered read;
  read.decoded = most_likely_path(map.roads, shown.candidates, decode);
  if (read.decoded->path.empty()) {
    read.what_is_missing = read.decoded->proved
                               ? "the known roads hold no path as the publication declares it"
                               : "the search stopped before it met a path as the publication declares it";
    return read;
  }
  read.pieces = {read.decoded->path};
  finish(map, shown, read.decoded->path, read);
  return read;
}

}  // namespace

std::string_view to_string(KnownDirection direction) {
  switch (direction) {
    case KnownDirection::told:
      return "told";
    case KnownDirection::likely:
      return "likely";
    case KnownDirection::unknown:
      return "unknown";
  }
  throw InvalidOption("direction", "is none that there is");
}

Recovered recover(const RouteMap& map, const PublicPath& shown, const RecoverOptions& options) {
  if (map.names != shown.names)
    throw InvalidOption("map", "must have the published vertices, in their order");
  if (shown.form == PathForm::two_sided) return recover_likely(map, shown, options);
  Recovered read;
  read.pieces = pieces_of(known_steps(map, shown));
  read.what_is_missing = missing(shown, read.pieces);
  if (read.what_is_missing.empty())
    finish(map, shown, read.pieces.front(), read);
  else
    list_undecided(map, shown, read);
  return read;
}

Participant recover_place(const PublicPath& shown, VertexId self,
                          const std::vector<VertexId>& road_neighbours) {
  if (shown.form == PathForm::two_sided)
    throw InvalidOption("participant", "cannot read the two-sided form alone: its labels may lie");
  Participant read;
  for (std::uint32_t i = 0; i < shown.stops.of_vertex(self); ++i) {
    std::vector<VertexId> found;
    for (const VertexId v : road_neighbours)
      for (std::uint32_t j = 0; j < shown.stops.of_vertex(v); ++j)
        if (shown.candidates.joined(shown.stops.first(self) + i, shown.stops.first(v) + j))
          found.push_back(v);
    if (found.size() > 2)
      throw InvalidOption("network",
                          "is not the one this route was published with: a stop would have three steps");
    if (found.empty()) continue;
    read.on_route = true;
    read.at_end = read.at_end || found.size() == 1;
    read.neighbours.push_back(std::move(found));
  }
  return read;
}

}  // namespace fogline::path
