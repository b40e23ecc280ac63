// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "graph/graph.hpp"
#include "roads/network.hpp"

namespace fogline::place {

/// The vertices a file allows as outputs, one name a line (io/path_file.hpp), as the network calls them.
///
///     Gem gem(map.graph, {.epsilon = epsilon, .range = read_range("range.csv", map)});
///
/// Throws FileError or DataError with the line: a name the network does not have, no vertex at all. Cost: a table of all names.
std::vector<graph::VertexId> read_range(const std::string& file, const roads::RoadNetwork& map);

}  // namespace fogline::place
