// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "roads/draft.hpp"
#include "roads/network.hpp"
#include "roads/read_options.hpp"

namespace fogline::roads {

/// Reads or makes a road network, whatever it comes as.
///
///     RoadNetwork city = read_network("porto.osm.pbf");
///     RoadNetwork town = read_network("town", {.largest_component = false});   // nodes.csv and edges.csv
///     RoadNetwork grid = read_network("lattice:20x20:1500");
///
///     X.osm.pbf X.pbf X.osm X.osm.gz X.osm.bz2   OpenStreetMap (read_osm.hpp)
///     X.gr X.gr.gz                      DIMACS, with X.co or X.co.gz beside it (read_dimacs.hpp)
///     FOLDER or X.csv X.csv.gz          CSV: the nodes, with X_edges.csv or edges.csv beside them (read_network_csv.hpp)
///     lattice:ROWSxCOLUMNS:SIDE_M       made by rule (generated.hpp)
///     line:VERTICES:LENGTH_M
///     city:SEED                         the sample city (city.hpp)
///     valley:SEED                       villages on long roads (valley.hpp)
///
/// Throws InvalidOption for a name or specification it does not know, FileError if a file cannot be opened,
/// DataError if its content is wrong.
RoadNetwork read_network(const std::string& source, const ReadOptions& options = {});

/// The same as a draft, in which loops, parallel roads and loose pieces of an OpenStreetMap file are still there: what a part of the map is
/// cut from. `largest_component` and `spacing_mm` are not looked at.
Draft read_draft(const std::string& source, const ReadOptions& options = {});

/// True for a specification such as "lattice:3x4:100", false for the name of a file.
bool is_specification(const std::string& source);

/// The files read_network() would open, for whoever records what a result depends on; none for a specification.
std::vector<std::string> network_files(const std::string& source, const ReadOptions& options = {});

/// How many files a network has whose first file has this name: 1 for OSM, 2 for DIMACS and CSV. Throws InvalidOption for a name that
/// read_network() does not know. Looks at the name only.
std::size_t network_file_count(const std::string& first_file);

/// Throws InvalidOption unless it is a specification in its one accepted spelling: every number in its shortest decimal form, and
/// a lattice of one row or column as a line. The message says what to write. Sizes are checked only when the network is made.
void require_specification(const std::string& specification);

/// How many vertices the network would have, without making it; as many as 64 bits hold if it is more. Throws InvalidOption as above.
std::uint64_t specified_vertices(const std::string& specification);

/// Makes the network a specification asks for, its roads cut into pieces of at most `spacing_mm` if that is not 0. Throws InvalidOption
/// as above, and for absurd sizes; DataError if the spacing makes too many vertices.
RoadNetwork make_network(const std::string& specification, graph::LengthMm spacing_mm = 0);

/// Is the network defined by its vertices? Not if it is an OpenStreetMap file: its vertices are our own, left of its roads by
/// contract_to_junctions(). Throws InvalidOption for a name that read_network() does not know.
bool has_given_vertices(const std::string& source);

}  // namespace fogline::roads
