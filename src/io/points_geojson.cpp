// SPDX-License-Identifier: Apache-2.0
#include "io/points_geojson.hpp"

#include <algorithm>
#include <span>
#include <unordered_set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "io/json.hpp"
#include "io/point_builder.hpp"
#include "io/point_names.hpp"
#include "io/words.hpp"

namespace fogline::io {
namespace {

using nlohmann::json;

const json* find_property(const json& properties, std::span<const std::string_view> names) {
  if (!properties.is_object()) return nullptr;
  for (const auto& [key, value] : properties.items()) {
    if (!value.is_null() && std::find(names.begin(), names.end(), lower_case(key)) != names.end())
      return &value;
  }
  return nullptr;
}

class GeoJsonReader {
 public:
  GeoJsonReader(const std::string& name, const PointReadOptions& options)
      : builder_(name,
                 {.lines_are_records = true, .duplicates = options.duplicates, .outside = options.outside}) {}

  PointTable read(const json& root) {
    const std::string type = get_string(root, "type", {builder_.spot(0).file});
    if (type == "FeatureCollection") {
      for (const json& feature : get_array(root, "features", {builder_.spot(0).file})) read_feature(feature);
    } else if (type == "Feature") {
      read_feature(root);
    } else {
      record_ = 1;
      read_geometry(root);
    }
    return std::move(builder_).finish();
  }

 private:
  FileSpot spot() const { return builder_.spot(record_); }

  void read_feature(const json& feature) {
    ++record_;
    if (get_string(feature, "type", spot()) != "Feature") throw DataError(spot(), "is not a Feature");
    properties_ = feature.contains("properties") ? &feature["properties"] : &nothing_;
    traj_ = text_property(point_names::traj);
    user_ = text_property(point_names::user);
    id_ = feature.contains("id") ? text_of(feature["id"]) : std::nullopt;
    if (id_) refuse_nul(*id_);
    const json& geometry = get_field(feature, "geometry", spot());
    if (geometry.is_null()) {
      builder_.warnings().add("feature without geometry left out", spot());
    } else {
      read_geometry(geometry);
    }
  }

  std::optional<std::string> text_of(const json& value) const {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number()) return value.dump();
    return std::nullopt;
  }

  std::optional<std::string> text_property(std::span<const std::string_view> names) const {
    const json* value = find_property(*properties_, names);
    if (value == nullptr) return std::nullopt;
    auto text = text_of(*value);
    if (!text) throw DataError(spot(), fmt::format("property {} is neither text nor number", names.front()));
    if (text->empty()) return std::nullopt;
    refuse_nul(*text);
    return text;
  }

  // Text files cannot hold it, so such a name could not be written again.
  void refuse_nul(std::string_view name) const {
    if (name.find('\0') != std::string_view::npos) throw DataError(spot(), "a name holds a NUL character");
  }

  void read_geometry(const json& geometry) {
    const std::string type = get_string(geometry, "type", spot());
    if (traj_) keep_apart(*traj_, false);
    if (type == "GeometryCollection") {
      for (const json& part : get_array(geometry, "geometries", spot())) read_geometry(part);
    } else if (type == "Point") {
      read_position(get_array(geometry, "coordinates", spot()), traj_, scalar_time());
    } else if (type == "MultiPoint") {
      read_positions(get_array(geometry, "coordinates", spot()), traj_, line_times(), scalar_time());
    } else if (type == "LineString") {
      keep_apart(line_name(), !traj_ && !id_);
      read_line(get_array(geometry, "coordinates", spot()), line_name(), line_times());
    } else if (type == "MultiLineString") {
      read_lines(get_array(geometry, "coordinates", spot()));
    } else {
      builder_.warnings().add("geometry that is neither point nor line left out", spot());
    }
  }

  void read_lines(const json& lines) {
    const json* times = line_times();
    if (times != nullptr && (!times->is_array() || times->size() != lines.size())) refuse_times();
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (!lines[i].is_array()) throw DataError(spot(), "a part of the MultiLineString is not an array");
      const std::string name = fmt::format("{}.{}", line_name(), i + 1);
      keep_apart(name, true);
      read_line(lines[i], name, times == nullptr ? nullptr : &(*times)[i]);
    }
  }

  void read_line(const json& positions, const std::string& name, const json* times) {
    if (times == nullptr && find_property(*properties_, point_names::t) != nullptr) {
      builder_.warnings().add("one time for a whole line left out", spot());
    }
    read_positions(positions, name, times, std::nullopt);
  }

  /// Names made up here, which count features, and names of the file must not meet: else one feature more would change which others are one trip.
  void keep_apart(const std::string& name, bool made_up) {
    (made_up ? made_up_ : given_).insert(name);
    if ((made_up ? given_ : made_up_).contains(name))
      throw DataError(spot(), "a name is one that features or parts without a name are given here",
                      "give every feature a name of its own, not feature-1 and so on");
  }

  void read_positions(const json& positions, const std::optional<std::string>& traj, const json* times,
                      std::optional<std::int64_t> common_time) {
    if (times != nullptr && (!times->is_array() || times->size() != positions.size())) refuse_times();
    for (std::size_t i = 0; i < positions.size(); ++i) {
      read_position(positions[i], traj, times == nullptr ? common_time : time_of((*times)[i]));
    }
  }

  void read_position(const json& position, const std::optional<std::string>& traj,
                     std::optional<std::int64_t> t) {
    if (!position.is_array() || position.size() < 2 || !position[0].is_number() || !position[1].is_number()) {
      throw DataError(spot(), "a position is not an array of two numbers", "write [longitude, latitude]");
    }
    PointRecord record{position[0].get<double>(), position[1].get<double>(), record_, t, {}, {}};
    if (traj) record.traj = *traj;
    if (user_) record.user = *user_;
    builder_.add(record);
  }

  std::string line_name() const {
    if (traj_) return *traj_;
    return id_ ? *id_ : fmt::format("feature-{}", record_);
  }

  std::optional<std::int64_t> scalar_time() {
    const json* value = find_property(*properties_, point_names::t);
    return value == nullptr ? std::nullopt : time_of(*value);
  }

  std::optional<std::int64_t> time_of(const json& value) {
    const auto text = text_of(value);
    if (!text) throw DataError(spot(), "a time is neither text nor number");
    return builder_.time(*text, record_);
  }

  const json* line_times() const {
    const json* direct = find_property(*properties_, point_names::times);
    if (direct != nullptr || !properties_->is_object() || !properties_->contains("coordinateProperties")) {
      return direct;
    }
    return find_property((*properties_)["coordinateProperties"], point_names::times);
  }

  [[noreturn]] void refuse_times() const {
    throw DataError(spot(), "the times do not match the positions", "give one time for each position");
  }

  PointBuilder builder_;
  const json nothing_;
  const json* properties_ = &nothing_;
  std::uint64_t record_ = 0;
  std::unordered_set<std::string> made_up_, given_;
  std::optional<std::string> id_;
  std::optional<std::string> traj_;
  std::optional<std::string> user_;
};

}  // namespace

PointTable read_points_geojson(TextSource& source, const PointReadOptions& options) {
  const json root = parse_json(source.read_all(), source.name());
  return GeoJsonReader(source.name(), options).read(root);
}

}  // namespace fogline::io
