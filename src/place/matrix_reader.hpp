// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/int128.hpp"
#include "graph/graph.hpp"
#include "roads/network.hpp"

namespace fogline::place {

/// An integer above 0 of a table: P(output|input) is it over the sum of its row.
struct MatrixEntry {
  graph::VertexId input = 0;
  graph::VertexId output = 0;
  Uint128 weight = 0;
};

/// The sum of a row is at most this.
inline constexpr Uint128 most_matrix_total = Uint128{1} << 126;

/// Reads a table of somebody else's for the vertices of a network, or one that write_matrix() wrote; by rows, outputs
/// increasing in each, and each row with an entry at least.
///
///     for (const auto& [input, output, weight] : read_matrix("theirs.npz", map, "")) use(input, output, weight);
///
/// Integers are taken as they are. A probability p stands for the integer p * 2^100, rounded down; rows of
/// probabilities must sum to 1 within 10^-6. `vertices` says in words how the network's vertices came to be, for
/// whoever gives a table of others; empty: the map has them so. Forms: docs/formats.md. Throws FileError; DataError for
/// a file that holds no such table. Cost: 56 bytes an entry.
std::vector<MatrixEntry> read_matrix(const std::string& path, const roads::RoadNetwork& map,
                                     const std::string& vertices);

}  // namespace fogline::place
