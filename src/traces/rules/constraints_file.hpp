// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/warnings.hpp"
#include "io/input_file.hpp"
#include "traces/frame/frame.hpp"
#include "traces/rules/constraints.hpp"

namespace fogline::traces {

/// Reads constraints from a GeoJSON FeatureCollection; docs/formats.md has a complete example.
///
///     Warnings warnings;
///     Constraints rules = read_constraints("closed.geojson", frame, {.timed = true}, warnings);
///
///     {"rule": "closed"}                          Polygon or MultiPolygon; optionally "hours": "22:00-06:00,12:00-13:00", in UTC
///     {"rule": "bounds"}                          trips stay inside; several are one area in parts
///     {"rule": "speed", "km_h": 50}               above 0 to 1,000; geometry null: everywhere
///     {"rule": "one-way", "bearing": 90}          0 to 360, clockwise from north
///     {"rule": "one-way", "width_m": 20}          a LineString: the strip along it, in its direction; above 0 to 10,000
///     {"rule": "stop", "seconds": 30}             1 to 86,400
///
/// Coordinates are longitude and latitude, or metres if the frame is in metres. Throws DataError with the feature's number for an unknown rule, a missing property or one
/// of another rule, a value out of range, a polygon that crosses itself or is not closed, more than 1,000 features or 200,000 corners; and what
/// Constraints throws. Counts in `warnings` areas that lie outside of the frame, and properties that no rule knows.
struct ConstraintReadOptions {
  bool timed = true;  ///< whether the trips have times
};
Constraints read_constraints(const std::string& file, const Frame& frame,
                             const ConstraintReadOptions& options, Warnings& warnings);
Constraints read_constraints(io::TextSource& source, const Frame& frame, const ConstraintReadOptions& options,
                             Warnings& warnings);

/// "22:00-06:00" or several of these with commas; in order of the day, none overlapping. Throws InvalidOption.
std::vector<DayPart> parse_hours(std::string_view text);

}  // namespace fogline::traces
