// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "base/error.hpp"

namespace fogline::io {

/// Is it within ReadLimits::depth and, in each of its lists, ReadLimits::records? Asked of a text before it is parsed: the parser would take the memory first. Numbers and texts of
/// a list are no records: a position is a list of two. Throws DataError.
void require_json_within_limits(std::string_view text, const std::string& file);

/// Parses one JSON text. Bad syntax, nesting deeper than ReadLimits::depth, a list of more than ReadLimits::records objects or lists, numbers beyond double: DataError with
/// line and column; the text itself is never quoted. Also DataError: an object that has one key twice.
///
///     nlohmann::json spec = parse_json(source.read_all(), source.name());
///     double epsilon = get_double(spec, "epsilon", {source.name()});   // DataError if it is missing
///
/// Cost: the whole text and its tree in memory.
nlohmann::json parse_json(std::string_view text, const std::string& file);

/// A field of an object, of the given type; the DataError names the field when it is missing or of another
/// type.
const nlohmann::json& get_field(const nlohmann::json& object, std::string_view field, const FileSpot& spot);
const nlohmann::json& get_object(const nlohmann::json& object, std::string_view field, const FileSpot& spot);
const nlohmann::json& get_array(const nlohmann::json& object, std::string_view field, const FileSpot& spot);
std::string get_string(const nlohmann::json& object, std::string_view field, const FileSpot& spot);
double get_double(const nlohmann::json& object, std::string_view field, const FileSpot& spot);
std::int64_t get_int64(const nlohmann::json& object, std::string_view field, const FileSpot& spot);
std::uint64_t get_uint64(const nlohmann::json& object, std::string_view field, const FileSpot& spot);
bool get_bool(const nlohmann::json& object, std::string_view field, const FileSpot& spot);

}  // namespace fogline::io
