// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "geometry/coordinates.hpp"
#include "graph/graph.hpp"
#include "io/points.hpp"
#include "place/too_far.hpp"
#include "privacy/persons.hpp"
#include "roads/network.hpp"
#include "roads/snap.hpp"

namespace fogline::place {

/// From a table of private positions to vertices of a network, and from released vertices or points to a file.
///
///     auto truth = vertices_of(points, city, {.farthest_m = 500});
///     gem.release(truth, key, {}, safe);
///     std::string text = released_csv(points, city, safe, {.user_id = true});

struct SnapOptions {
  double farthest_m = 500;          ///< farther from every vertex is too far; above 0 to 10,000,000
  TooFar too_far = TooFar::refuse;  ///< what becomes of a position that is
  int threads = 0;                  ///< 0 (all cores) to 1,024
};

/// The nearest vertex of each position; those that are to be left out leave the table as well, and both that and moving them from far
/// away is counted in the table's warnings. Throws InvalidOption for a bad option; DataError, with the line of the first and the
/// number of them, if positions that lie too far away are to be refused (or all are to be left out), lie on a plane in metres, or
/// on the network only with longitude and latitude swapped. Messages never hold a position.
std::vector<graph::VertexId> vertices_of(io::PointTable& points, const roads::Snapper& snapper,
                                         const SnapOptions& options);
std::vector<graph::VertexId> vertices_of(io::PointTable& points, const roads::RoadNetwork& network,
                                         const SnapOptions& options);

/// True if somebody (by user_id, where the table has it) has more than one position.
bool has_repeated_people(const io::PointTable& points);

/// At most `most` positions of each person are left. Throws DataError if the table does not say of each whose it is (io/identity.hpp); and, with the line of
/// the first one too many, if somebody has more and they are to be refused. What is left out is counted in the table's warnings, and depends on no position.
void bound_reports(io::PointTable& points, std::uint64_t most, privacy::TooMany rule);

/// Which columns of the private table to copy, unchanged and hence unprotected.
struct KeptColumns {
  bool traj_id = false;
  bool user_id = false;
  bool t = false;
};

/// Throws DataError if the table lacks a column that is to be kept.
void require_columns(const io::PointTable& points, const KeptColumns& kept);

/// `record,[traj_id,][user_id,][t,]vertex,lon,lat`: one line per position, in the order of the table; records count from 1. Of a
/// part whose first record has the number `first`, from 0, of the whole: they count from there, and only the first part has the header.
std::string released_csv(const io::PointTable& points, const roads::RoadNetwork& network,
                         std::span<const graph::VertexId> released, const KeptColumns& kept,
                         std::uint64_t first = 0);

/// The same without `vertex`, for points of the plane.
std::string released_csv(const io::PointTable& points, std::span<const geometry::LonLat> released,
                         const KeptColumns& kept, std::uint64_t first = 0);

/// The same as a GeoJSON FeatureCollection of points, the other columns as properties.
std::string released_geojson(const io::PointTable& points, const roads::RoadNetwork& network,
                             std::span<const graph::VertexId> released, const KeptColumns& kept);
std::string released_geojson(const io::PointTable& points, std::span<const geometry::LonLat> released,
                             const KeptColumns& kept);

}  // namespace fogline::place
