// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/input_file.hpp"
#include "io/name_table.hpp"

namespace fogline::io {

/// A probability for each vertex that has one; the others have 0. Sorted by vertex.
struct Prior {
  std::vector<std::uint32_t> vertex;
  std::vector<double> probability;  ///< 0 to 1, in all 1 within 10^-6, exactly as the file has them
};

/// Reads `vertex,probability`.
///
///     Prior home = read_prior("home.csv", numbered_vertices(network.vertex_count()));
///
/// DataError with file and line: a vertex the lookup does not know or that came before, a probability that is
/// not a number from 0 to 1, a sum away from 1 by more than 10^-6.
Prior read_prior(const std::string& file, const VertexLookup& lookup);
Prior read_prior(TextSource& source, const VertexLookup& lookup);

}  // namespace fogline::io
