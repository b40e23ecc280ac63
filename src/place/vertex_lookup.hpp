// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/name_table.hpp"
#include "roads/network.hpp"

namespace fogline::place {

/// Finds vertices by what the network calls them, for readers of files that name vertices.
///
///     io::Prior home = io::read_prior("home.csv", vertex_lookup(map));
///
/// The lookup keeps a copy of the names and may outlive the network. Cost: a table of all names, made once.
io::VertexLookup vertex_lookup(const roads::RoadNetwork& map);

}  // namespace fogline::place
