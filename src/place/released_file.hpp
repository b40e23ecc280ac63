// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "geometry/coordinates.hpp"
#include "io/input_file.hpp"
#include "io/points.hpp"
#include "place/positions.hpp"
#include "roads/network.hpp"

namespace fogline::place {

enum class ReleasedPlaces { vertices, points };
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
  ReleasedPlaces places = ReleasedPlaces::vertices;
  std::vector<std::string> vertices = {};     ///< name of the vertex of each record
  std::vector<geometry::LonLat> points = {};  ///< position of each record, in a file without vertices
  std::set<std::string> copied_columns =
      {};                      ///< every column or property besides record, vertex and the position
  io::PointTable copied = {};  ///< traj_id, user_id and t, where the file has them; no positions

  std::size_t records() const { return places == ReleasedPlaces::vertices ? vertices.size() : points.size(); }
};

/// Throws FileError, or DataError for a file that no release writes: records that do not count from 1, members that GeoJSON allows and
/// a release never has, positions that are none. Positions of vertices are not looked at: written_anew() knows them. Where points of the
/// plane were released, `vertex` is a column like any other. Cost: the memory of the file.
ReleasedFile read_released(const std::string& path, ReleasedFormat format,
                           ReleasedPlaces places = ReleasedPlaces::vertices);
ReleasedFile read_released(io::TextSource& source, ReleasedFormat format,
                           ReleasedPlaces places = ReleasedPlaces::vertices);

/// What a release of these vertices, with these copied columns, writes. A file that differs from it in any byte holds something else: other
/// positions, other columns, other order, or spaces that spell a message. Throws DataError if the network has no vertex of a name.
std::string written_anew(const ReleasedFile& file, const roads::RoadNetwork& network);

/// The same for a file of points: their positions are what they are, and everything else, to the number of decimals, is compared.
std::string points_written_anew(const ReleasedFile& file);

}  // namespace fogline::place
