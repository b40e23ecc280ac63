// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/input_file.hpp"
#include "roads/network.hpp"
#include "roads/read_options.hpp"

namespace fogline::roads {

/// A road network in the format of the 9th DIMACS challenge: arcs in a .gr file, positions in a .co file,
/// gzip or not.
///
///     auto arcs = io::TextSource::from_file("USA-road-d.NY.gr.gz");
///     auto places = io::TextSource::from_file("USA-road-d.NY.co.gz");
///     RoadNetwork new_york = read_dimacs(arcs, places);
///
///     c a comment                        c a comment
///     p sp VERTICES ARCS                 p aux sp co VERTICES
///     a TAIL HEAD LENGTH                 v VERTEX LONGITUDE LATITUDE      in millionths of a degree
///
/// Lengths of the challenge's road networks (USA-road-d) are tenths of a metre: on New York they agree with
/// the geodesic between the coordinates at 0.1 m a unit. `length_unit_m` is for files that differ.
///
/// Arcs both ways between two vertices become one road; an arc without its counterpart becomes a one-way
/// road. Where the two differ in length, the shorter counts, with a warning. Vertices keep the file's order;
/// `vertex_name` holds the file's numbers, which start at 1.
///
/// DataError with file and line: an unknown line, a vertex not announced, given twice or without a position,
/// a position out of range, a length that is negative, zero or above 4,294 km, fewer or more lines than
/// announced. Cost: memory for what the file holds, whatever it announces.
RoadNetwork read_dimacs(io::TextSource& arcs, io::TextSource& coordinates, const ReadOptions& options = {});

}  // namespace fogline::roads
