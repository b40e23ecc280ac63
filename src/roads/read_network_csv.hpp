// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "io/input_file.hpp"
#include "roads/network.hpp"
#include "roads/read_options.hpp"

namespace fogline::roads {

/// The file of roads that goes with a file of places: X_edges.csv with X.csv, edges.csv with nodes.csv.
std::string edges_file_of(const std::string& nodes_file);

/// A road network in two CSV files: places, and the roads between them.
///
///     id,lon,lat               source,target,length_m
///     1,13.3770,52.5160        1,2,140.5
///     2,13.3790,52.5160        2,3,
///     3,13.3790,52.5170
///
///     auto nodes = io::TextSource::from_file("town/nodes.csv");
///     auto edges = io::TextSource::from_file("town/edges.csv");
///     RoadNetwork town = read_network_csv(nodes, edges);
///
/// A column `oneway` tells where traffic may go: yes (from source to target), -1 (the other way) or no, as
/// OpenStreetMap writes it; empty is both ways, and so is what is none of these, with a warning. Distances ignore it.
///
/// Other names for the columns: node, vertex for id; longitude, x and latitude, y; from, tail, u and to,
/// head, v; length, distance_m; one_way. Further columns are ignored. A length left empty, or a file without that
/// column, means the geodesic between the two places. Ids are whole numbers, kept in
/// `vertex_name`; if one of them is not, all are words, kept in `vertex_label`.
///
/// Vertices keep the order of the file. A place given twice alike is a warning. DataError with file and line:
/// a place given twice with two positions, a position out of range, an edge to an unknown place, a length
/// that is negative, zero, not a number or above 4,294 km. Cost: memory for what the files hold.
RoadNetwork read_network_csv(io::TextSource& nodes, io::TextSource& edges, const ReadOptions& options = {});

}  // namespace fogline::roads
