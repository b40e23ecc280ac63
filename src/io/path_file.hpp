// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/input_file.hpp"
#include "io/name_table.hpp"

namespace fogline::io {

/// The vertices of one route in order, as the file calls them.
struct PathFile {
  std::string source;  ///< file name, for messages
  std::vector<std::string> vertex;
  std::vector<std::uint64_t> line;  ///< where each was found, from 1
};

/// Reads one vertex per line, a number or a name, under a header `vertex` that may be left out. Empty lines
/// and lines starting with # are skipped. Columns in memory: one column, whatever its name.
///
///     auto route = vertices_of(read_path("route.csv"), named_vertices(graph.vertices));
///
/// DataError: no vertex at all, a comma, semicolon or tab (more than one column). Whether the vertices make a
/// path is for the caller to check.
PathFile read_path(const std::string& file);
PathFile read_path(TextSource& source);

/// The vertices as numbers. DataError with the line of the first one the lookup does not know.
std::vector<std::uint32_t> vertices_of(const PathFile& path, const VertexLookup& lookup);

}  // namespace fogline::io
