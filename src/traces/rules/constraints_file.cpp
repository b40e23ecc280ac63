// SPDX-License-Identifier: Apache-2.0
#include "traces/rules/constraints_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "geometry/coordinates.hpp"
#include "io/json.hpp"
#include "traces/frame/plane_areas.hpp"

namespace fogline::traces {
namespace {

using geometry::PointXY;
using nlohmann::json;

constexpr const char* known_rules = "the rules are closed, bounds, speed, one-way and stop";

/// Two digits at `at`, or nothing.
std::optional<int> two_digits(std::string_view text, std::size_t at) {
  const auto digit = [&](std::size_t i) { return text[i] >= '0' && text[i] <= '9'; };
  if (at + 2 > text.size() || !digit(at) || !digit(at + 1)) return std::nullopt;
  return (text[at] - '0') * 10 + (text[at + 1] - '0');
}

std::int32_t clock_time(std::string_view text) {
  const auto hour = two_digits(text, 0), minute = two_digits(text, 3);
  if (text.size() != 5 || text[2] != ':' || !hour || !minute || *minute > 59 || *hour * 60 + *minute > 1440)
    throw InvalidOption("hours", "must be times of day such as 22:00-06:00, several with commas");
  return (*hour * 60 + *minute) * 60;
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

void add_range(std::string_view range, std::vector<DayPart>& parts) {
  const std::size_t dash = range.find('-');
  const std::int32_t begin = clock_time(trimmed(range.substr(0, dash)));
  const std::int32_t end =
      clock_time(dash == std::string_view::npos ? std::string_view() : trimmed(range.substr(dash + 1)));
  const auto midnight = static_cast<std::int32_t>(day_s);
  if (begin == end)
    throw InvalidOption("hours", "must not begin when they end; for the whole day leave them out");
  if (begin < end) {
    parts.push_back({begin, end});
    return;
  }
  if (begin < midnight) parts.push_back({begin, midnight});
  if (end > 0) parts.push_back({0, end});
}

std::optional<RuleKind> kind_of(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, RuleKind>, 5> kinds = {{{"closed", RuleKind::closed},
                                                                           {"bounds", RuleKind::bounds},
                                                                           {"speed", RuleKind::speed},
                                                                           {"one-way", RuleKind::one_way},
                                                                           {"stop", RuleKind::stop}}};
  for (const auto& [known, kind] : kinds)
    if (name == known) return kind;
  return std::nullopt;
}

/// Which rules a property belongs to, by name; none for a property that no rule knows.
std::vector<std::string_view> rules_with(std::string_view property) {
  if (property == "hours") return {"closed"};
  if (property == "km_h") return {"speed"};
  if (property == "bearing" || property == "width_m") return {"one-way"};
  if (property == "seconds") return {"stop"};
  return {};
}

class FeatureReader {
 public:
  FeatureReader(const std::string& file, const Frame& frame, Warnings& warnings)
      : spot_{file}, frame_(frame), warnings_(warnings) {}

  Rule read(const json& feature) {
    ++spot_.record;
    if (!feature.is_object() || io::get_string(feature, "type", spot_) != "Feature") fail("is not a Feature");
    const json& properties = io::get_object(feature, "properties", spot_);
    const std::string name = io::get_string(properties, "rule", spot_);
    const auto kind = kind_of(name);
    if (!kind) fail("has a rule that is not known", known_rules);
    check_properties(properties, name);
    Rule rule{.kind = *kind, .feature = spot_.record};
    read_geometry(io::get_field(feature, "geometry", spot_), properties, rule);
    read_values(properties, rule);
    if (!rule.everywhere && rule.area.empty())
      warnings_.add("area that lies outside of the frame, so that its rule asks nothing there", spot_);
    return rule;
  }

 private:
  [[noreturn]] void fail(std::string_view problem, std::string_view what_to_try = "") const {
    throw DataError(spot_, problem, what_to_try);
  }

  void check_properties(const json& properties, const std::string& rule) {
    for (const auto& [key, value] : properties.items()) {
      if (key == "rule" || key == "name" || key == "description") continue;
      const auto rules = rules_with(key);
      if (rules.empty()) {
        warnings_.add("property that no rule knows left out", spot_);
      } else if (std::find(rules.begin(), rules.end(), rule) == rules.end()) {
        fail(fmt::format("property {} does not belong to rule {}", key, rule),
             fmt::format("it belongs to {}", rules.front()));
      }
    }
  }

  double number(const json& properties, std::string_view property, double above, double at_most) const {
    const double value = io::get_double(properties, property, spot_);
    if (!(value > above) || !(value <= at_most))
      fail(fmt::format("property {} must be above {:g} and at most {:g}", property, above, at_most));
    return value;
  }

  void read_values(const json& properties, Rule& rule) const {
    constexpr double fastest_km_h = 1'000;  // of aircraft
    if (rule.kind == RuleKind::speed) rule.speed_m_s = number(properties, "km_h", 0, fastest_km_h) / 3.6;
    if (rule.kind == RuleKind::closed && properties.contains("hours")) read_hours(properties, rule);
    if (rule.kind == RuleKind::one_way && rule.line.empty() && properties.contains("width_m") == false) {
      rule.bearing_deg = io::get_double(properties, "bearing", spot_);
      if (!(rule.bearing_deg >= 0) || !(rule.bearing_deg <= 360))
        fail("property bearing must lie between 0 and 360", "degrees clockwise from north: 90 is east");
    }
    if (rule.kind == RuleKind::stop) {
      rule.seconds = io::get_int64(properties, "seconds", spot_);
      if (rule.seconds < 1 || rule.seconds > day_s) fail("property seconds must lie between 1 and 86400");
    }
  }

  void read_hours(const json& properties, Rule& rule) const {
    try {
      rule.hours = parse_hours(io::get_string(properties, "hours", spot_));
    } catch (const InvalidOption&) {
      fail("property hours is not a list of times of day",
           "write \"22:00-06:00\", several with commas, in UTC");
    }
    // Closed from midnight to midnight is closed always.
    if (rule.hours == std::vector<DayPart>{{0, static_cast<std::int32_t>(day_s)}}) rule.hours.clear();
  }

  void read_geometry(const json& geometry, const json& properties, Rule& rule) {
    if (geometry.is_null()) {
      if (rule.kind != RuleKind::speed) fail("has no geometry", "only rule speed may hold everywhere");
      rule.everywhere = true;
      return;
    }
    const std::string type = io::get_string(geometry, "type", spot_);
    const json& coordinates = io::get_array(geometry, "coordinates", spot_);
    if (type == "LineString" && rule.kind == RuleKind::one_way) {
      read_strip(coordinates, properties, rule);
      return;
    }
    if (properties.contains("width_m")) fail("property width_m belongs to a LineString");
    geometry::Polygons area;
    if (type == "Polygon") {
      area.push_back(polygon(coordinates));
    } else if (type == "MultiPolygon") {
      for (const json& part : coordinates) area.push_back(polygon(part));
    } else {
      fail(rule.kind == RuleKind::one_way ? "needs a Polygon, a MultiPolygon or a LineString"
                                          : "needs a Polygon or a MultiPolygon");
    }
    const std::string fault = area.empty() ? "has no polygon" : geometry::fault_of(area);
    if (!fault.empty())
      fail("the area " + fault, "untangle its corners, or draw it as several polygons that do not overlap");
    rule.area = plane_area(area, frame_);
  }

  void read_strip(const json& coordinates, const json& properties, Rule& rule) {
    if (properties.contains("bearing")) fail("property bearing belongs to a polygon: a line has its own");
    constexpr double widest_strip_m = 10'000;  // wider than any road's surroundings
    const double width = number(properties, "width_m", 0, widest_strip_m);
    std::vector<PointXY> line;
    for (const json& one : coordinates) {
      const PointXY p = position(one);
      if (line.empty() || !(line.back() == p)) line.push_back(p);
    }
    if (line.size() < 2) fail("has a LineString of fewer than two different positions");
    rule.line = plane_lines(line, frame_);
    std::erase_if(rule.line, [](const auto& part) { return part.size() < 2; });
    std::vector<geometry::Polygons> strips;
    for (const auto& part : rule.line) strips.push_back(geometry::strip_along(part, width));
    rule.area = geometry::unite(strips);
  }

  geometry::Polygon polygon(const json& rings) {
    if (!rings.is_array() || rings.empty()) fail("has a polygon without a ring of positions");
    geometry::Polygon result{ring(rings[0])};
    for (std::size_t i = 1; i < rings.size(); ++i) result.holes.push_back(ring(rings[i]));
    return result;
  }

  geometry::Ring ring(const json& positions) {
    constexpr std::size_t fewest_positions = 4;  // three corners, and the first one again (RFC 7946)
    if (!positions.is_array() || positions.size() < fewest_positions)
      fail("has a ring of fewer than four positions",
           "a triangle has four: the first comes again at the end");
    geometry::Ring result;
    for (const json& one : positions) result.push_back(position(one));
    if (!(result.front() == result.back()))
      fail("has a ring that is not closed", "repeat its first position at its end");
    result.pop_back();
    return result;
  }

  PointXY position(const json& value) {
    if (!value.is_array() || value.size() < 2 || !value[0].is_number() || !value[1].is_number())
      fail("a position is not an array of two numbers", "write [longitude, latitude]");
    io::require_within(io::format_limit::constraint_corners, ++corners_, spot_);
    const PointXY p{value[0].get<double>(), value[1].get<double>()};
    const bool degrees = frame_.unit() == Frame::Unit::degrees;
    if (degrees && !geometry::is_valid({p.x_m, p.y_m}))
      fail("a position is out of range", "write [longitude, latitude] in degrees; for metres add `plane`");
    constexpr double farthest_position_m = 1e9;  // as for the area: traces/frame/frame.cpp
    if (!degrees && !(std::max(std::abs(p.x_m), std::abs(p.y_m)) <= farthest_position_m))
      fail("a position is out of range", "metres must lie within 10^9 of the origin");
    return p;
  }

  FileSpot spot_;
  const Frame& frame_;
  Warnings& warnings_;
  std::size_t corners_ = 0;
};

}  // namespace

std::vector<DayPart> parse_hours(std::string_view text) {
  std::vector<DayPart> parts;
  for (std::string_view left = text;;) {
    const std::size_t comma = left.find(',');
    add_range(left.substr(0, comma), parts);
    if (comma == std::string_view::npos) break;
    left.remove_prefix(comma + 1);
  }
  std::sort(parts.begin(), parts.end(),
            [](const DayPart& a, const DayPart& b) { return a.begin_s < b.begin_s; });
  std::vector<DayPart> joined;
  for (const DayPart& part : parts) {
    if (!joined.empty() && part.begin_s <= joined.back().end_s) {
      joined.back().end_s = std::max(joined.back().end_s, part.end_s);
    } else {
      joined.push_back(part);
    }
  }
  return joined;
}

Constraints read_constraints(io::TextSource& source, const Frame& frame, const ConstraintReadOptions& options,
                             Warnings& warnings) {
  const FileSpot whole{source.name()};
  const json root = io::parse_json(source.read_all(), source.name());
  if (!root.is_object() || io::get_string(root, "type", whole) != "FeatureCollection")
    throw DataError(whole, "is not a GeoJSON FeatureCollection", "put the features into one");
  const json& features = io::get_array(root, "features", whole);
  io::require_within(io::format_limit::constraint_features, features.size(), whole);
  if (features.empty()) throw DataError(whole, "has no feature, so that it asks nothing", known_rules);
  FeatureReader reader(source.name(), frame, warnings);
  std::vector<Rule> rules;
  for (const json& feature : features) rules.push_back(reader.read(feature));
  return Constraints(frame, std::move(rules), {.source = source.name(), .timed = options.timed});
}

Constraints read_constraints(const std::string& file, const Frame& frame,
                             const ConstraintReadOptions& options, Warnings& warnings) {
  io::TextSource source = io::TextSource::from_file(file);
  return read_constraints(source, frame, options, warnings);
}

}  // namespace fogline::traces
