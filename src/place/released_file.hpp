// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "io/input_file.hpp"

namespace fogline::place {

/// What a file written by released_csv or released_geojson (positions.hpp) holds, for whoever compares it with its statement.
///
///     ReleasedFile file = read_released("safe.csv", ReleasedFormat::csv);
///     assert(file.records == statement.outputs[0].records && file.copied_columns.empty());
struct ReleasedFile {
  std::uint64_t records = 0;
  std::set<std::string> copied_columns =
      {};                               ///< every column or property besides record, vertex and the position
  std::set<std::string> vertices = {};  ///< names of the vertices released, each once
};

enum class ReleasedFormat { csv, geojson };
ReleasedFormat released_format(
    const std::string& name);  ///< by suffix: .geojson and .json are GeoJSON, all else CSV

/// Throws FileError, or DataError for a file that no release writes. Cost: for CSV the memory of the names, for GeoJSON that of the file.
ReleasedFile read_released(const std::string& path, ReleasedFormat format);
ReleasedFile read_released(io::TextSource& source, ReleasedFormat format);

}  // namespace fogline::place
