// SPDX-License-Identifier: Apache-2.0
#include "io/points_geojson.hpp"

#include <array>
#include <cmath>
#include <span>
#include <unordered_set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "io/columns.hpp"
#include "io/identity.hpp"
#include "io/json.hpp"
#include "io/point_builder.hpp"

namespace fogline::io {
namespace {

using nlohmann::json;

class GeoJsonReader {
 public:
  GeoJsonReader(const std::string& name, const PointReadOptions& options)
      : builder_(name, {.lines_are_records = true,
                        .duplicates = options.duplicates,
                        .outside = options.outside,
                        .times = options.times}),
        chooser_(name, {Role::time, Role::times, Role::trip, Role::user}, options.columns) {}

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
    settle_columns();
    return std::move(builder_).finish();
  }

 private:
  FileSpot spot() const { return builder_.spot(record_); }

  void read_feature(const json& feature) {
    ++record_;
    if (get_string(feature, "type", spot()) != "Feature") throw DataError(spot(), "is not a Feature");
    properties_ = {};
    if (feature.contains("properties")) take_properties(feature["properties"]);
    traj_ = text_property(Role::trip);
    user_ = text_property(Role::user);
    id_ = feature.contains("id") ? name_of(feature["id"]) : std::nullopt;
    const json& geometry = get_field(feature, "geometry", spot());
    if (geometry.is_null()) {
      builder_.warnings().add("feature without geometry left out", spot());
    } else {
      read_geometry(geometry);
    }
  }

  /// Finds the properties that mean something; the times of a line may lie a level deeper.
  void take_properties(const json& properties) {
    if (!properties.is_object()) return;
    for (const auto& [key, value] : properties.items()) {
      if (key == "coordinateProperties" && value.is_object()) {
        for (const auto& [inner, column] : value.items())
          if (chooser_.role_of(inner) == Role::times) take_property(Role::times, column);
        continue;
      }
      const auto role = chooser_.role_of(key);
      if (role && !value.is_null()) take_property(*role, value);
    }
  }

  void take_property(Role role, const json& value) {
    const json*& place = properties_[static_cast<std::size_t>(role)];
    if (place != nullptr)
      throw DataError(spot(), fmt::format("has two properties for the {}", to_string(role)),
                      fmt::format("choose one with `columns` {}=NAME", to_string(role)));
    place = &value;
  }

  const json* property(Role role) const { return properties_[static_cast<std::size_t>(role)]; }

  /// A line is a trip by itself, and a list of times gives every position of one its time.
  void settle_columns() {
    std::vector<Role> settled;
    if (!has_points_) settled.push_back(Role::trip);
    for (const auto& taken : chooser_.report().taken)
      if (taken.role == Role::times) settled.push_back(Role::time);
    chooser_.check(settled);
    builder_.tell_columns(chooser_.report());
  }

  std::optional<std::string> text_of(const json& value) const {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number()) return value.dump();
    return std::nullopt;
  }

  std::optional<std::string> text_property(Role role) const {
    const json* value = property(role);
    if (value == nullptr) return std::nullopt;
    if (!value->is_string() && !value->is_number())
      throw DataError(spot(), fmt::format("the {} is neither text nor number", to_string(role)));
    return name_of(*value);
  }

  /// A name in one spelling, so that 7, 7.0 and "7" are one; nothing for a blank one, or what is neither text nor number.
  std::optional<std::string> name_of(const json& value) const {
    const auto text = value.is_number_float() ? whole_number_text(value.get<double>()) : text_of(value);
    const std::string name(trim_name(text.value_or("")));
    // Text files cannot hold it, so such a name could not be written again.
    if (name.find('\0') != std::string::npos) throw DataError(spot(), "a name holds a NUL character");
    return name.empty() ? std::nullopt : std::optional(name);
  }

  /// Numbers with a fraction, or beyond 2^53, have been rounded on the way here: two names might have become one.
  std::string whole_number_text(double number) const {
    if (std::trunc(number) != number || std::abs(number) > 0x1p53)
      throw DataError(spot(), "a name is a number that is not whole, or too large to be told from the next",
                      "write names as text, in quotes");
    return std::to_string(static_cast<std::int64_t>(number));
  }

  void read_geometry(const json& geometry) {
    const std::string type = get_string(geometry, "type", spot());
    if (traj_) keep_apart(*traj_, false);
    if (type == "GeometryCollection") {
      for (const json& part : get_array(geometry, "geometries", spot())) read_geometry(part);
    } else if (type == "Point") {
      has_points_ = true;
      read_position(get_array(geometry, "coordinates", spot()), traj_, scalar_time());
    } else if (type == "MultiPoint") {
      has_points_ = true;
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
    if (times == nullptr && property(Role::time) != nullptr) {
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
    const json* value = property(Role::time);
    return value == nullptr ? std::nullopt : time_of(*value);
  }

  std::optional<std::int64_t> time_of(const json& value) {
    const auto text = text_of(value);
    if (!text) throw DataError(spot(), "a time is neither text nor number");
    return builder_.time(*text, record_);
  }

  const json* line_times() const {
    const json* time = property(Role::time);
    const bool is_list = time != nullptr && time->is_array();
    return property(Role::times) == nullptr && is_list ? time : property(Role::times);
  }

  [[noreturn]] void refuse_times() const {
    throw DataError(spot(), "the times do not match the positions", "give one time for each position");
  }

  PointBuilder builder_;
  ColumnChooser chooser_;
  std::array<const json*, role_count> properties_ = {};  // of the feature, by role
  bool has_points_ = false;                              // that no line makes a trip of
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
