// SPDX-License-Identifier: Apache-2.0
#include "place/positions.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "io/csv.hpp"
#include "io/identity.hpp"

namespace fogline::place {
namespace {

DataError off_map_error(const io::PointTable& points, std::size_t first, std::size_t count,
                        const SnapOptions& options, const roads::Snapper& snapper) {
  const geometry::LonLat swapped{points.lat[first], points.lon[first]};
  if (geometry::is_valid(swapped) && snapper.snap({&swapped, 1}).front().distance_m <= options.farthest_m) {
    return {points.spot(first),
            "longitude and latitude look swapped: the other way round the point lies on the network",
            "write longitude before latitude, or check the header"};
  }
  const std::string who =
      count == 1 ? "this point lies" : fmt::format("this point and {} more lie", count - 1);
  return {points.spot(first), fmt::format("{} over {:g} m from the network", who, options.farthest_m),
          options.too_far == TooFar::leave_out
              ? "nothing would be left; use a network that covers the points, or allow more with `max-snap`"
              : "use a network that covers the points, allow more with `max-snap`, or declare with `too-far` "
                "what becomes of them"};
}

/// Both rules look at each position alone, so that what becomes of one never depends on the others.
void apply_rule(io::PointTable& points, std::vector<graph::VertexId>& vertices, const std::vector<bool>& near,
                const FileSpot& first, const SnapOptions& options) {
  const auto far = static_cast<std::uint64_t>(std::ranges::count(near, false));
  points.warnings.add(
      fmt::format("point over {:g} m from the network {}", options.farthest_m,
                  options.too_far == TooFar::leave_out ? "left out" : "moved to its nearest vertex"),
      first, far);
  if (options.too_far != TooFar::leave_out) return;
  io::keep_points(points, near);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < near.size(); ++i)
    if (near[i]) vertices[kept++] = vertices[i];
  vertices.resize(kept);
}

void append(std::string& text, std::string_view field) {
  io::append_csv_field(text, field);
  text += ',';
}

/// What a file says of each record's safe place: the name of a vertex and where it lies, or a position alone.
struct OnVertices {
  static constexpr bool has_names = true;
  const roads::RoadNetwork& network;
  std::span<const graph::VertexId> released;

  std::size_t size() const { return released.size(); }
  std::string name(std::size_t i) const { return roads::name_of(network, released[i]); }
  const geometry::LonLat& at(std::size_t i) const { return network.position[released[i]]; }
};

struct OnPlane {
  static constexpr bool has_names = false;
  std::span<const geometry::LonLat> released;

  std::size_t size() const { return released.size(); }
  const geometry::LonLat& at(std::size_t i) const { return released[i]; }
};

template <class Places>
std::string csv_of(const io::PointTable& points, const Places& places, const KeptColumns& kept,
                   std::uint64_t first) {
  std::string text = "record,";
  if (kept.traj_id) text += "traj_id,";
  if (kept.user_id) text += "user_id,";
  if (kept.t) text += "t,";
  text += Places::has_names ? "vertex,lon,lat\n" : "lon,lat\n";
  if (first > 0) text.clear();
  for (std::size_t i = 0; i < places.size(); ++i) {
    text += fmt::format("{},", first + i + 1);
    if (kept.traj_id) append(text, points.traj_names.name(points.traj[i]));
    if (kept.user_id) append(text, points.user_names.name(points.user[i]));
    if (kept.t) text += fmt::format("{},", points.t[i]);
    if constexpr (Places::has_names) append(text, places.name(i));
    text += fmt::format("{:.7f},{:.7f}\n", places.at(i).lon, places.at(i).lat);
  }
  return text;
}

template <class Places>
std::string geojson_of(const io::PointTable& points, const Places& places, const KeptColumns& kept) {
  std::string text = "{\"type\":\"FeatureCollection\",\"features\":[";
  for (std::size_t i = 0; i < places.size(); ++i) {
    nlohmann::ordered_json properties = {{"record", i + 1}};
    if constexpr (Places::has_names) properties["vertex"] = places.name(i);
    if (kept.traj_id) properties["traj_id"] = points.traj_names.name(points.traj[i]);
    if (kept.user_id) properties["user_id"] = points.user_names.name(points.user[i]);
    if (kept.t) properties["t"] = points.t[i];
    text += fmt::format(
        "{}\n{{\"type\":\"Feature\",\"properties\":{},\"geometry\":{{\"type\":\"Point\",\"coordinates\":[{:."
        "7f},{:.7f}]}}}}",
        i == 0 ? "" : ",", properties.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace),
        places.at(i).lon, places.at(i).lat);
  }
  return text + "\n]}\n";
}

}  // namespace

std::vector<graph::VertexId> vertices_of(io::PointTable& points, const roads::RoadNetwork& network,
                                         const SnapOptions& options) {
  return vertices_of(points, roads::Snapper(network), options);
}

std::vector<graph::VertexId> vertices_of(io::PointTable& points, const roads::Snapper& snapper,
                                         const SnapOptions& options) {
  if (!(options.farthest_m > 0 && options.farthest_m <= 1e7)) {
    throw InvalidOption("max-snap", "must be above 0 and at most 10,000,000 metres");
  }
  if (points.plane) {
    throw DataError({points.source}, "holds metres on a plane",
                    "a road network needs longitude and latitude");
  }
  std::vector<geometry::LonLat> positions(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) positions[i] = {points.lon[i], points.lat[i]};
  const auto matches = snapper.snap(positions, {.threads = options.threads, .grain = 256});
  std::vector<graph::VertexId> vertices(points.size());
  std::vector<bool> near(points.size(), true);
  std::size_t off_map = 0, first = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    vertices[i] = matches[i].vertex;
    near[i] = matches[i].distance_m <= options.farthest_m;
    if (!near[i] && off_map++ == 0) first = i;
  }
  if (off_map == 0) return vertices;
  const bool none_left = options.too_far == TooFar::leave_out && off_map == points.size();
  if (options.too_far == TooFar::refuse || none_left)
    throw off_map_error(points, first, off_map, options, snapper);
  apply_rule(points, vertices, near, points.spot(first), options);
  return vertices;
}

bool has_repeated_people(const io::PointTable& points) {
  // Whose the nameless ones are nobody knows; that is said where they are counted.
  const std::vector<std::string>& names = points.user_names.names();
  const auto nobody = static_cast<std::size_t>(std::ranges::count_if(names, io::is_missing_name));
  const std::uint64_t named = points.size() - io::find_faults(names, points.user).missing;
  return !points.user.empty() && names.size() - nobody < named;
}

void bound_reports(io::PointTable& points, std::uint64_t most, privacy::TooMany rule) {
  if (points.user.empty()) {
    throw DataError({points.source}, "does not say whose each position is",
                    "say which column does with `columns` user=NAME, or name a file with `persons`");
  }
  const io::IdentityFaults faults = io::find_faults(points.user_names.names(), points.user);
  io::refuse_faults(faults, points.spot(faults.first_missing),
                    {.records = "positions", .instead = "leave out `per-person`"});
  std::vector<std::uint64_t> seen(points.user_names.size());
  std::vector<bool> within(points.size(), true);
  std::size_t beyond = 0, first = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    within[i] = ++seen[points.user[i]] <= most;
    if (!within[i] && beyond++ == 0) first = i;
  }
  if (beyond == 0) return;
  if (rule == privacy::TooMany::refuse)
    throw DataError(
        points.spot(first), fmt::format("this person has more than {} positions", most),
        "raise `per-person`, leave out some of them, or declare with `too-many` leave-out that those "
        "beyond are");
  points.warnings.add(fmt::format("position after the first {} of its person left out", most),
                      points.spot(first), beyond);
  io::keep_points(points, within);
}

void require_columns(const io::PointTable& points, const KeptColumns& kept) {
  if ((kept.t && points.t.empty()) || (kept.traj_id && points.traj.empty()) ||
      (kept.user_id && points.user.empty())) {
    throw DataError({points.source}, "does not have every column of `keep`", "name only columns it has");
  }
}

std::string released_csv(const io::PointTable& points, const roads::RoadNetwork& network,
                         std::span<const graph::VertexId> released, const KeptColumns& kept,
                         std::uint64_t first) {
  return csv_of(points, OnVertices{network, released}, kept, first);
}

std::string released_csv(const io::PointTable& points, std::span<const geometry::LonLat> released,
                         const KeptColumns& kept, std::uint64_t first) {
  return csv_of(points, OnPlane{released}, kept, first);
}

std::string released_geojson(const io::PointTable& points, const roads::RoadNetwork& network,
                             std::span<const graph::VertexId> released, const KeptColumns& kept) {
  return geojson_of(points, OnVertices{network, released}, kept);
}

std::string released_geojson(const io::PointTable& points, std::span<const geometry::LonLat> released,
                             const KeptColumns& kept) {
  return geojson_of(points, OnPlane{released}, kept);
}

}  // namespace fogline::place
