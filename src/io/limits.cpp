// SPDX-License-Identifier: Apache-2.0
#include "io/limits.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/grouped.hpp"
#include "io/numbers.hpp"

namespace fogline::io {
namespace {

constexpr std::uint64_t kib = std::uint64_t{1} << 10, gib = std::uint64_t{1} << 30;
constexpr std::uint64_t year_s = 365 * 86'400;

constexpr std::array<LimitInfo, 8> limits_known = {{
    {"bytes", &ReadLimits::bytes, 1, kib* kib* gib, true, "is larger than {} bytes, unpacked", "every file",
     "what is read record by record needs no memory, but hours: a TiB takes a day"},
    {"memory", &ReadLimits::memory, 1, kib* gib, true, "is larger than {} bytes, and is held whole",
     "JSON, GeoJSON, statements, keys; the rest hold some 40 bytes a record, and names",
     "the tree made of a JSON text takes ten times as much"},
    {"line", &ReadLimits::line, 1, gib, true, "the line is longer than {} bytes",
     "CSV, edge lists, TNTP, DIMACS, .dat, routes; a tag of GPX",
     "a line is held whole; in .dat, and in CSV with polylines, it is a trip, of 2 million points at most"},
    {"columns", &ReadLimits::columns, 1, 1'000'000, false, "has more than {} columns",
     "CSV, columns in memory", "tables of sensors have hundreds; a wrong delimiter makes thousands"},
    {"depth", &ReadLimits::depth, 1, 10'000, false, "nests deeper than {} levels", "JSON, GeoJSON, GPX",
     "GeoJSON nests nine deep; whoever walks a tree does so on the stack"},
    {"records", &ReadLimits::records, 1, 1'000'000'000'000, false, "holds more than {} records",
     "every file: points, edges, rows, nodes and ways of OSM, entries of a list in JSON",
     "names and vertices are numbered with 32 bits"},
    {"ratio", &ReadLimits::ratio, 1, 1'000'000, false, "unpacks to more than {} times its size",
     "packed files, beyond their first 64 MiB; 1 for none that becomes larger",
     "tables shrink four- to thirtyfold, a taxi that stands still a hundredfold; gzip ends at 1,032 and "
     "bzip2 "
     "near a million, where a file says nothing"},
    {"seconds", &ReadLimits::seconds, 0, year_s, false, "takes longer than {} s to read", "every file",
     "none unless asked for: a live release reads as long as it lives, and a file is bound by its bytes; "
     "asked for, it ends the wait for a silent pipe too"},
}};

constexpr std::array<FormatLimit, 12> format_limits_known = {
    format_limit::statement_bytes, format_limit::key_bytes,           format_limit::anchors_bytes,
    format_limit::strict_depth,    format_limit::strict_values,       format_limit::counts_bytes,
    format_limit::counts_values,   format_limit::route_bytes,         format_limit::model_bytes,
    format_limit::model_path,      format_limit::constraint_features, format_limit::constraint_corners};

const ReadLimits default_limits;
thread_local const ReadLimits* limits_of_this_thread = &default_limits;

/// "64M" as 67108864; nothing if it is no such number, or too large.
std::optional<std::uint64_t> number_in(std::string_view text, bool is_size) {
  constexpr std::string_view suffixes = "KMGT";
  const std::size_t suffix = is_size && !text.empty() ? suffixes.find(text.back()) : std::string_view::npos;
  if (suffix == std::string_view::npos) return parse_uint64(text);
  const auto number = parse_uint64(text.substr(0, text.size() - 1));
  const std::size_t bits = 10 * (suffix + 1);
  return number && *number >> (64 - bits) == 0 ? std::optional(*number << bits) : std::nullopt;
}

const LimitInfo& limit_called(std::string_view name) {
  const auto found = std::ranges::find(limits_known, name, &LimitInfo::name);
  if (found != limits_known.end()) return *found;
  std::vector<std::string_view> names;
  for (const LimitInfo& limit : limits_known) names.push_back(limit.name);
  throw InvalidOption("limits", fmt::format("is a list such as records=1000000,bytes=4G; there are {}",
                                            fmt::join(names, ", ")));
}

}  // namespace

std::span<const LimitInfo> all_limits() {
  return limits_known;
}

std::span<const FormatLimit> all_format_limits() {
  return format_limits_known;
}

ReadLimits parse_limits(std::string_view text, ReadLimits otherwise) {
  std::vector<std::string_view> given;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    const std::size_t equals = std::min(one.find('='), one.size());
    const LimitInfo& limit = limit_called(trim(one.substr(0, equals)));
    if (std::ranges::find(given, limit.name) != given.end())
      throw InvalidOption("limits", fmt::format("gives {} twice", limit.name));
    given.push_back(limit.name);
    const auto value = number_in(trim(one.substr(std::min(equals + 1, one.size()))), limit.is_size);
    if (!value || *value < limit.least || *value > limit.most)
      throw InvalidOption("limits",
                          fmt::format("{} must be a whole number from {} to {}{}", limit.name, limit.least,
                                      grouped(limit.most), limit.is_size ? ", such as 100000 or 64M" : ""));
    otherwise.*limit.value = *value;
  }
  return otherwise;
}

LimitScope::LimitScope(ReadLimits limits) : limits_(std::move(limits)), before_(limits_of_this_thread) {
  limits_of_this_thread = &limits_;
}

LimitScope::~LimitScope() {
  limits_of_this_thread = before_;
}

const ReadLimits& current_limits() {
  return *limits_of_this_thread;
}

namespace {

std::string what_to_try(const LimitInfo& info) {
  return fmt::format("check that it is the right file; if it is, raise the limit: `limits` {}=N", info.name);
}

}  // namespace

void refuse_over(std::uint64_t ReadLimits::*limit, std::uint64_t value, const FileSpot& spot) {
  const LimitInfo& info = *std::ranges::find(limits_known, limit, &LimitInfo::value);
  throw DataError(Problem{.code = "over-limit",
                          .wrong = fmt::format(fmt::runtime(info.refusal), grouped(value)),
                          .to_try = what_to_try(info),
                          .place = spot});
}

bool is_over(std::uint64_t ReadLimits::*limit, const DataError& error) {
  const LimitInfo& info = *std::ranges::find(limits_known, limit, &LimitInfo::value);
  return error.problem().code == "over-limit" && error.problem().to_try == what_to_try(info);
}

void require_plausible_unpacking(const ReadLimits& limits, const std::string& file, std::uint64_t packed,
                                 std::uint64_t unpacked) {
  // Who allows no more than the size itself wants nothing packed, however small it is.
  const std::uint64_t free = limits.ratio == 1 ? 0 : unpacked_for_free;
  if (unpacked <= free || (unpacked - free) / limits.ratio <= packed) return;
  refuse_over(&ReadLimits::ratio, limits.ratio, {file});
}

void require_within(const FormatLimit& limit, std::uint64_t found, const FileSpot& spot) {
  if (found <= limit.most) return;
  throw DataError(Problem{.code = "over-limit",
                          .wrong = fmt::format("holds more than {} {}", grouped(limit.most), limit.what),
                          .to_try = "check that it is the right kind of file",
                          .place = spot});
}

}  // namespace fogline::io
