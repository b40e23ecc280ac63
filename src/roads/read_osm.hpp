// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "roads/draft.hpp"
#include "roads/network.hpp"
#include "roads/read_options.hpp"

namespace fogline::roads {

/// Roads of an OpenStreetMap extract: .osm.pbf, .osm, .osm.gz or .osm.bz2.
///
///     RoadNetwork city = read_osm_file("porto.osm.pbf", {.mode = TravelMode::walkable});
///
/// osm_tags.hpp says which ways count. Two points next to each other on a way make one segment, however often
/// it is mapped; its length is the geodesic between them. A junction is a point with any number of
/// neighbours but two. Vertices are numbered by rising OSM id, which `vertex_name` holds.
///
/// A way is cut where a node is missing from the extract (the file was clipped there). Everything left out
/// is told, with counts, in `dropped`. Throws FileError if the file cannot be opened, DataError if it is
/// damaged, cut short or holds no road of the mode.
///
/// Cost: reads the file twice; memory for the roads of the mode, not for the rest of the file. A city of
/// 300,000 points takes well under a second.
RoadNetwork read_osm_file(const std::string& file, const ReadOptions& options = {});

/// The same before it is made simple: loops, parallel roads and loose pieces are still there. `largest_component` and `spacing_mm` are not looked at.
Draft draft_osm_file(const std::string& file, const ReadOptions& options = {});

/// The same from memory. `format` is "pbf", "osm", "osm.gz" or "osm.bz2".
RoadNetwork read_osm_memory(std::string_view bytes, const std::string& format, const std::string& name,
                            const ReadOptions& options = {});

}  // namespace fogline::roads
