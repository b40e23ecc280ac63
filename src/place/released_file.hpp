// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "io/input_file.hpp"
#include "io/points.hpp"
#include "place/positions.hpp"
#include "roads/network.hpp"

namespace fogline::place {

enum class ReleasedFormat { csv, geojson };
ReleasedFormat released_format(
    const std::string& name);  ///< by suffix: .geojson and .json are GeoJSON, all else CSV

/// What a file written by released_csv or released_geojson (positions.hpp) holds, for whoever compares it with its statement.
///
///     ReleasedFile file = read_released("safe.csv", ReleasedFormat::csv);
///     assert(file.records() == statement.outputs[0].records && file.copied_columns.empty());
///     assert(privacy::sha256_of_text(written_anew(file, city)) == statement.outputs[0].sha256);
struct ReleasedFile {
  ReleasedFormat format = ReleasedFormat::csv;
  std::vector<std::string> vertices = {};  ///< name of the vertex of each record
  std::set<std::string> copied_columns =
      {};                      ///< every column or property besides record, vertex and the position
  io::PointTable copied = {};  ///< traj_id, user_id and t, where the file has them; no positions

  std::size_t records() const { return vertices.size(); }
};

/// Throws FileError, or DataError for a file that no release writes: records that do not count from 1, members that GeoJSON allows and
/// a release never has. Positions are not looked at: written_anew() knows them. Cost: the memory of the file.
ReleasedFile read_released(const std::string& path, ReleasedFormat format);
ReleasedFile read_released(io::TextSource& source, ReleasedFormat format);

/// What a release of these vertices, with these copied columns, writes. A file that differs from it in any byte holds something else: other
/// positions, other columns, other order, or spaces that spell a message. Throws DataError if the network has no vertex of a name.
std::string written_anew(const ReleasedFile& file, const roads::RoadNetwork& network);

}  // namespace fogline::place
