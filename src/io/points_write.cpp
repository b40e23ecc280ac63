// SPDX-License-Identifier: Apache-2.0
#include "io/points_write.hpp"

#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "io/csv.hpp"

namespace fogline::io {
namespace {

std::string csv_header(const PointTable& points) {
  std::string header;
  if (!points.traj.empty()) header += "traj_id,";
  if (!points.user.empty()) header += "user_id,";
  if (points.has_time) header += "t,";
  return header + (points.plane ? "x_m,y_m\n" : "lon,lat\n");
}

void append_csv_line(std::string& out, const PointTable& points, std::size_t i) {
  const int decimals = points.plane ? 3 : 7;
  if (!points.traj.empty()) {
    append_csv_field(out, points.traj_names.name(points.traj[i]));
    out += ',';
  }
  if (!points.user.empty()) {
    append_csv_field(out, points.user_names.name(points.user[i]));
    out += ',';
  }
  if (points.has_time) fmt::format_to(std::back_inserter(out), "{},", points.t[i]);
  fmt::format_to(std::back_inserter(out), "{:.{}f},{:.{}f}\n", points.lon[i], decimals, points.lat[i],
                 decimals);
}

std::string quoted(const std::string& name) {
  return nlohmann::json(name).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void append_feature(std::string& out, const PointTable& points, std::size_t i) {
  out += i == 0 ? "\n" : ",\n";
  out += R"({"type":"Feature","properties":{)";
  const char* comma = "";
  if (!points.traj.empty()) {
    out += R"("traj_id":)" + quoted(points.traj_names.name(points.traj[i]));
    comma = ",";
  }
  if (!points.user.empty()) {
    fmt::format_to(std::back_inserter(out), R"({}"user_id":{})", comma,
                   quoted(points.user_names.name(points.user[i])));
    comma = ",";
  }
  if (points.has_time) fmt::format_to(std::back_inserter(out), R"({}"t":{})", comma, points.t[i]);
  fmt::format_to(std::back_inserter(out),
                 R"(}},"geometry":{{"type":"Point","coordinates":[{:.7f},{:.7f}]}}}})", points.lon[i],
                 points.lat[i]);
}

template <class Sink>
void csv_to(const PointTable& points, Sink sink) {
  sink(csv_header(points));
  std::string line;
  for (std::size_t i = 0; i < points.size(); ++i) {
    line.clear();
    append_csv_line(line, points, i);
    sink(line);
  }
}

template <class Sink>
void geojson_to(const PointTable& points, Sink sink) {
  if (points.plane) throw InvalidOption("format", "GeoJSON holds degrees, not metres on a plane; write CSV");
  std::string piece = R"({"type":"FeatureCollection","features":[)";
  for (std::size_t i = 0; i < points.size(); ++i) {
    append_feature(piece, points, i);
    sink(piece);
    piece.clear();
  }
  sink(piece + "\n]}\n");
}

}  // namespace

void write_points_csv(const PointTable& points, OutputFile& out) {
  csv_to(points, [&](const std::string& piece) { out.write(piece); });
}

std::string points_csv(const PointTable& points) {
  std::string text;
  csv_to(points, [&](const std::string& piece) { text += piece; });
  return text;
}

void write_points_geojson(const PointTable& points, OutputFile& out) {
  geojson_to(points, [&](const std::string& piece) { out.write(piece); });
}

std::string points_geojson(const PointTable& points) {
  std::string text;
  geojson_to(points, [&](const std::string& piece) { text += piece; });
  return text;
}

}  // namespace fogline::io
