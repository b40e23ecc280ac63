// SPDX-License-Identifier: Apache-2.0
#include "privacy/strict_json.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/grouped.hpp"
#include "io/json.hpp"
#include "privacy/plain_text.hpp"

namespace fogline::privacy {
namespace {

using Json = nlohmann::ordered_json;

/// Sees every event of the parser, before anything is merged or dropped.
class Watcher {
 public:
  Watcher(FileSpot spot, const JsonLimits& limits) : spot_(std::move(spot)), limits_(limits) {}

  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    const bool opens =
        event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start;
    if (static_cast<std::uint64_t>(depth) + (opens ? 1 : 0) > io::format_limit::strict_depth.most)
      throw DataError(spot_, fmt::format("nests deeper than {} levels", io::format_limit::strict_depth.most));
    if (opens || event == Json::parse_event_t::value) count(values_, limits_.values, "values");
    if (values_ % values_between_looks == 0) time_.require_left(spot_.file);
    if (event == Json::parse_event_t::object_start) {
      count(objects_, limits_.objects, "objects");
      fields_.emplace_back();
    }
    if (event == Json::parse_event_t::object_end) fields_.pop_back();
    if (event == Json::parse_event_t::key && !fields_.back().insert(parsed.get<std::string>()).second) {
      throw DataError(spot_, "an object has the same field twice", "keep one of them");
    }
    return true;
  }

 private:
  void count(std::size_t& so_far, std::size_t most, std::string_view of) const {
    if (++so_far > most) throw DataError(spot_, fmt::format("holds more than {} {}", grouped(most), of));
  }

  static constexpr std::size_t values_between_looks = 64;  // parsing takes the square of many

  FileSpot spot_;
  JsonLimits limits_;
  io::ReadingTime time_{io::current_limits()};
  std::size_t values_ = 0, objects_ = 0;
  std::vector<std::set<std::string>> fields_;
};

std::uint64_t line_at(std::string_view text, std::size_t offset) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size()));
  return static_cast<std::uint64_t>(std::count(text.begin(), end, '\n')) + 1;
}

}  // namespace

Json parse_strict_json(std::string_view text, const FileSpot& spot, const JsonLimits& limits) {
  // The parser would skip it, and then two files would be one statement.
  if (text.starts_with("\xEF\xBB\xBF")) {
    throw DataError(spot, "begins with a byte order mark", "save it as UTF-8 without one");
  }
  // And here it would stop, whatever follows.
  if (text.find('\0') != std::string_view::npos) throw DataError(spot, "holds a zero byte, and is no text");
  io::require_json_within_limits(text, spot.file);
  try {
    return Json::parse(text, Watcher(spot, limits));
  } catch (const Json::parse_error& error) {
    throw DataError({spot.file, line_at(text, error.byte == 0 ? 0 : error.byte - 1)}, "is not valid JSON",
                    "check that the file is complete");
  } catch (const Json::exception&) {
    throw DataError(spot, "holds a number beyond the range of a double");
  }
}

StrictObject::StrictObject(const Json& value, FileSpot spot, std::string name)
    : value_(value), spot_(std::move(spot)), name_(std::move(name)) {
  if (value_.is_object()) return;
  if (name_.empty()) throw DataError(spot_, "is not a JSON object");
  throw DataError(spot_, fmt::format("field \"{}\" is not an object", name_));
}

void StrictObject::fail(const std::string& name, std::string_view problem) const {
  throw DataError(spot_, fmt::format("field \"{}\" {}", full_name(name), problem));
}

const Json& StrictObject::field(const std::string& name) {
  const auto found = value_.find(name);
  if (found == value_.end()) fail(name, "is missing");
  taken_.insert(name);
  return *found;
}

StrictObject StrictObject::object(const std::string& name) {
  return {field(name), spot_, full_name(name)};
}

const Json& StrictObject::array(const std::string& name) {
  const Json& value = field(name);
  if (!value.is_array()) fail(name, "is not an array");
  return value;
}

std::string StrictObject::text(const std::string& name) {
  const Json& value = field(name);
  if (!value.is_string()) fail(name, "is not a string");
  return value.get<std::string>();
}

std::uint64_t StrictObject::count(const std::string& name) {
  const Json& value = field(name);
  if (!value.is_number_unsigned()) fail(name, "is not a whole number from 0");
  return value.get<std::uint64_t>();
}

double StrictObject::number(const std::string& name) {
  const Json& value = field(name);
  if (!value.is_number()) fail(name, "is not a number");
  return value.get<double>();
}

bool StrictObject::has(const std::string& name) const {
  return value_.contains(name);
}

void StrictObject::finish() const {
  for (const auto& [name, value] : value_.items()) {
    if (taken_.contains(name)) continue;
    // Names come from a stranger: no control characters into a terminal.
    fail(is_plain_text(name) ? name : "(unprintable name)", "is not known to this format");
  }
}

}  // namespace fogline::privacy
