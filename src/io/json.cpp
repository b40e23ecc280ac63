// SPDX-License-Identifier: Apache-2.0
#include "io/json.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "io/limits.hpp"

namespace fogline::io {
namespace {

using nlohmann::json;

FileSpot spot_at(std::string_view text, std::size_t offset, const std::string& file) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  return {file, static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n')) + 1};
}

[[noreturn]] void fail_at(std::string_view text, std::size_t offset, const std::string& file,
                          std::string_view problem) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const std::size_t newline = before.rfind('\n');
  const std::size_t column = before.size() - (newline == std::string_view::npos ? 0 : newline + 1) + 1;
  throw DataError(spot_at(text, offset, file), fmt::format("{} at column {}", problem, column),
                  "check that the file is complete and is JSON");
}

/// Stops the parser at a key that its object has already: which of the two is meant, nobody knows. And when its time is over.
class UniqueKeys {
 public:
  UniqueKeys(const std::string& file, const ReadLimits& limits) : file_(file), time_(limits) {}

  /// `depth` is that of the object for its start and one more for what is in it.
  bool operator()(int depth, json::parse_event_t event, const json& parsed) {
    constexpr std::uint64_t events_between_looks = 4096;
    if (++events_ % events_between_looks == 0) time_.require_left(file_);
    const auto level = static_cast<std::size_t>(depth);
    if (event == json::parse_event_t::object_start) {
      if (keys_.size() < level + 2) keys_.resize(level + 2);
      keys_[level + 1].clear();
    } else if (event == json::parse_event_t::key &&
               !keys_[level].insert(parsed.get_ref<const std::string&>()).second) {
      throw DataError({file_}, "has an object with one key twice", "remove one of them");
    }
    return true;
  }

 private:
  std::string file_;
  ReadingTime time_;
  std::uint64_t events_ = 0;
  std::vector<std::unordered_set<std::string>> keys_;  // by depth
};

[[noreturn]] void wrong_type(std::string_view field, std::string_view type, const FileSpot& spot) {
  throw DataError(spot, fmt::format("field \"{}\" is not {}", field, type));
}

}  // namespace

void require_json_within_limits(std::string_view text, const std::string& file) {
  const ReadLimits& limits = current_limits();
  struct Open {
    bool is_list;
    std::uint64_t records;
  };
  std::vector<Open> open;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (open.size() == limits.depth) refuse_over(&ReadLimits::depth, limits.depth, spot_at(text, i, file));
      if (!open.empty() && open.back().is_list && ++open.back().records > limits.records)
        refuse_over(&ReadLimits::records, limits.records, spot_at(text, i, file));
      open.push_back({c == '[', 0});
    } else if ((c == ']' || c == '}') && !open.empty()) {
      open.pop_back();
    }
  }
}

json parse_json(std::string_view text, const std::string& file) {
  require_json_within_limits(text, file);
  try {
    return json::parse(text, UniqueKeys(file, current_limits()));
  } catch (const json::parse_error& error) {
    fail_at(text, error.byte == 0 ? 0 : error.byte - 1, file, "is not valid JSON");
  } catch (const json::out_of_range&) {
    throw DataError({file}, "holds a number beyond the range of a double");
  }
}

const json& get_field(const json& object, std::string_view field, const FileSpot& spot) {
  if (!object.is_object()) throw DataError(spot, "is not a JSON object");
  const auto found = object.find(field);
  if (found == object.end()) throw DataError(spot, fmt::format("field \"{}\" is missing", field));
  return *found;
}

const json& get_object(const json& object, std::string_view field, const FileSpot& spot) {
  const json& value = get_field(object, field, spot);
  if (!value.is_object()) wrong_type(field, "an object", spot);
  return value;
}

const json& get_array(const json& object, std::string_view field, const FileSpot& spot) {
  const json& value = get_field(object, field, spot);
  if (!value.is_array()) wrong_type(field, "an array", spot);
  return value;
}

std::string get_string(const json& object, std::string_view field, const FileSpot& spot) {
  const json& value = get_field(object, field, spot);
  if (!value.is_string()) wrong_type(field, "a string", spot);
  return value.get<std::string>();
}

double get_double(const json& object, std::string_view field, const FileSpot& spot) {
  const json& value = get_field(object, field, spot);
  if (!value.is_number()) wrong_type(field, "a number", spot);
  return value.get<double>();
}

std::int64_t get_int64(const json& object, std::string_view field, const FileSpot& spot) {
  const json& value = get_field(object, field, spot);
  const bool too_large = value.is_number_unsigned() &&
                         value.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()};
  if (!value.is_number_integer() || too_large) wrong_type(field, "a whole number of 64 bits", spot);
  return value.get<std::int64_t>();
}

std::uint64_t get_uint64(const json& object, std::string_view field, const FileSpot& spot) {
  const json& value = get_field(object, field, spot);
  if (!value.is_number_unsigned()) wrong_type(field, "a whole number from 0 on, of 64 bits", spot);
  return value.get<std::uint64_t>();
}

bool get_bool(const json& object, std::string_view field, const FileSpot& spot) {
  const json& value = get_field(object, field, spot);
  if (!value.is_boolean()) wrong_type(field, "true or false", spot);
  return value.get<bool>();
}

}  // namespace fogline::io
