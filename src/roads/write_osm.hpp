// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "roads/draft.hpp"
#include "roads/network.hpp"

namespace fogline::roads {

struct WriteOsmOptions {
  bool overwrite = false;  ///< replace an existing file; otherwise its presence is an error
  std::span<const std::vector<geometry::LonLat>> footpaths =
      {};  ///< added as highway=footway, joined to nothing
};

/// Writes a road network as an OpenStreetMap file, in the format its name ends in: .osm, .osm.gz, .osm.bz2 or
/// .osm.pbf.
///
///     write_osm(city.network, "city.osm.pbf", {.overwrite = true});
///     RoadNetwork same = read_osm_file("city.osm.pbf");
///
/// Each road becomes a way with its class (highway) and direction (oneway); vertices and shape points become
/// nodes. A vertex keeps its name as node id, or gets its number plus one. A network of junctions whose positions
/// have at most seven decimals reads back the same, with its vertices in the same order if their ids rise.
/// The file appears whole or not at all. Throws FileError if it exists or cannot be written, InvalidOption for
/// an unknown suffix.
void write_osm(const RoadNetwork& network, const std::string& file, const WriteOsmOptions& options);

/// Does the name end in one of those four?
bool is_osm_name(const std::string& file);

/// The same of a draft, with its loops and parallel roads.
void write_osm(const Draft& draft, const std::string& file, const WriteOsmOptions& options);

}  // namespace fogline::roads
