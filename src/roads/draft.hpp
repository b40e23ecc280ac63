// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "roads/network.hpp"

namespace fogline::roads {

/// A network as a reader finds it, before it is made simple: roads may be parallel, loops, or apart from
/// each other. Every reader fills one and hands it to finish().
///
///     Draft draft{.source = file};
///     draft.position = ...;  draft.roads = ...;
///     RoadNetwork city = finish(std::move(draft), {.largest_component = true});
struct Draft {
  std::string source;
  std::vector<geometry::LonLat> position = {};
  std::vector<std::int64_t> vertex_name = {};  ///< per vertex, or empty
  std::vector<std::string> vertex_label = {};  ///< per vertex, or empty
  std::vector<Road> roads = {};
  std::vector<std::string> dropped = {};
  Warnings warnings = {};
};

/// A network as a draft again, with its numbers for names where it has no others: a part of it must keep them.
Draft draft_of(RoadNetwork network);

/// Which way traffic may go if it may go either of two ways; and the same road seen from its other end.
Direction united(Direction a, Direction b);
Direction reversed(Direction direction);

struct Simplified {
  std::uint64_t self_loops = 0;
  std::uint64_t parallel_roads = 0;
  std::uint64_t of_other_length = 0;  ///< parallel roads longer than the one kept
};

/// Turns each road so that tail < head, sorts them by their ends, leaves out self-loops, and keeps the
/// shortest of parallel roads, open to traffic in every direction in which one of them was.
Simplified simplify(std::vector<Road>& roads);

/// Keeps the vertices named, in that order (rising), and the roads between them.
void keep_vertices(Draft& draft, const std::vector<graph::VertexId>& kept);

/// Leaves out vertices without a road; says how many.
std::uint64_t drop_isolated(Draft& draft);

/// Keeps the connected piece with most vertices, and notes what was left out; says how many pieces there were.
std::uint64_t keep_largest_piece(Draft& draft);

/// Appends "COUNT WHAT" to draft.dropped unless the count is 0; `what` is the plural, `one` the singular.
void note_dropped(Draft& draft, std::uint64_t count, std::string_view one, std::string_view what);

struct FinishOptions {
  bool largest_component = true;   ///< leave out all but the component with most vertices
  graph::LengthMm spacing_mm = 0;  ///< cut roads into pieces of at most this length (spacing.hpp); 0: do not
};

/// Simplifies, keeps the largest component if asked, and builds the graph. Throws DataError if no road is
/// left, or if the spacing makes too many vertices. Which component is kept does not depend on the spacing.
RoadNetwork finish(Draft draft, const FinishOptions& options);

}  // namespace fogline::roads
