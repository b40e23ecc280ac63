// SPDX-License-Identifier: Apache-2.0
#include "io/point_builder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "io/identity.hpp"

namespace fogline::io {
namespace {

constexpr std::uint32_t no_name = std::numeric_limits<std::uint32_t>::max();
constexpr double plane_limit_m = 1e9;

/// The trip each point belongs to, numbered from 0; without trips, the user.
struct Groups {
  std::vector<std::uint32_t> of_point;
  std::size_t count = 0;
};

Groups group_by_trip(const PointTable& table) {
  if (table.traj.empty()) return {table.user, table.user_names.size()};
  if (table.user.empty()) return {table.traj, table.traj_names.size()};
  // Two users may number their trips alike, so a trip is a pair.
  std::unordered_map<std::uint64_t, std::uint32_t> number_of;
  Groups groups;
  groups.of_point.reserve(table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (i > 0 && table.user[i] == table.user[i - 1] && table.traj[i] == table.traj[i - 1]) {
      groups.of_point.push_back(groups.of_point.back());
      continue;
    }
    const std::uint64_t pair = std::uint64_t{table.user[i]} << 32 | table.traj[i];
    const auto next = static_cast<std::uint32_t>(number_of.size());
    groups.of_point.push_back(number_of.try_emplace(pair, next).first->second);
  }
  groups.count = number_of.size();
  return groups;
}

/// Marks each point that repeats the group and time of an earlier one. Groups mostly run forward in time,
/// where a look at the point before is enough; the others are remembered moment by moment.
std::vector<bool> repeated_moments(const Groups& groups, const std::vector<std::int64_t>& t) {
  std::vector<std::int64_t> latest(groups.count, std::numeric_limits<std::int64_t>::min());
  std::vector<bool> runs_back(groups.count, false);
  bool any_runs_back = false;
  std::vector<bool> marked(t.size(), false);
  for (std::size_t i = 0; i < t.size(); ++i) {
    const std::uint32_t g = groups.of_point[i];
    marked[i] = t[i] == latest[g];
    if (t[i] < latest[g]) any_runs_back = runs_back[g] = true;
    latest[g] = std::max(latest[g], t[i]);
  }
  if (!any_runs_back) return marked;
  std::vector<std::unordered_set<std::int64_t>> seen(groups.count);
  for (std::size_t i = 0; i < t.size(); ++i) {
    const std::uint32_t g = groups.of_point[i];
    if (runs_back[g]) marked[i] = !seen[g].insert(t[i]).second;
  }
  return marked;
}

template <class Value>
void erase_marked(std::vector<Value>& column, const std::vector<bool>& marked) {
  if (column.empty()) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < column.size(); ++i) {
    if (!marked[i]) column[kept++] = column[i];
  }
  column.resize(kept);
}

}  // namespace

PointBuilder::PointBuilder(std::string source, const Options& options)
    : options_(options), times_(options.times) {
  table_.source = std::move(source);
  table_.plane = options.plane;
  table_.lines_are_records = options.lines_are_records;
}

FileSpot PointBuilder::spot(std::uint64_t line) const {
  return options_.lines_are_records ? FileSpot{table_.source, 0, line} : FileSpot{table_.source, line, 0};
}

bool PointBuilder::is_inside(const PointRecord& record) const {
  return options_.plane ? std::abs(record.lon) <= plane_limit_m && std::abs(record.lat) <= plane_limit_m
                        : std::abs(record.lon) <= 180 && std::abs(record.lat) <= 90;
}

void PointBuilder::refuse_position(const PointRecord& record) const {
  if (options_.plane) {
    throw DataError(spot(record.line), "a coordinate lies over 10^9 metres from the origin");
  }
  if (std::abs(record.lat) <= 180 && std::abs(record.lon) <= 90) {
    throw DataError(spot(record.line), "longitude and latitude look swapped",
                    "longitude (east, -180 to 180) comes first; check the header or the order");
  }
  if (!(std::abs(record.lat) <= 90)) {
    throw DataError(spot(record.line), "latitude lies outside -90 to 90 degrees",
                    "positions must be WGS84 degrees");
  }
  throw DataError(spot(record.line), "longitude lies outside -180 to 180 degrees",
                  record.lon > 180 && record.lon <= 360 ? "subtract 360 from longitudes above 180"
                                                        : "positions must be WGS84 degrees");
}

std::int64_t PointBuilder::time(std::string_view text, std::uint64_t line) {
  const auto moment = times_.read(text);
  if (!moment) throw DataError(spot(line), times_.problem().what, times_.problem().what_to_try);
  if (moment->had_fraction) table_.warnings.add("fraction of a second left out", spot(line));
  if (moment->had_no_zone) table_.warnings.add("time without zone read as UTC", spot(line));
  return moment->unix_s;
}

void PointBuilder::add(const PointRecord& record) {
  counter_.add([&] { return spot(record.line); });
  if (!is_inside(record)) {
    if (options_.outside == OutsidePoints::refuse) refuse_position(record);
    table_.warnings.add("position out of range left out", spot(record.line));
    return;
  }
  // Columns start when their first value comes, so files without one pay nothing for it.
  const std::size_t before = table_.lon.size();
  if (record.t) {
    table_.t.resize(before, 0);
    table_.t.push_back(*record.t);
    ++timed_;
  }
  // A blank starts a column of names too: a file that means to name trips or users, and does not, is not one that
  // names none.
  const auto add_name = [&](std::optional<std::string_view> given, std::vector<std::uint32_t>& column,
                            NameTable& names, std::size_t& named) {
    if (!given) return;
    const std::string_view name = trim_name(*given);
    column.resize(before, no_name);
    column.push_back(names.intern(name));
    if (!name.empty()) ++named;
  };
  add_name(record.traj, table_.traj, table_.traj_names, in_trip_);
  add_name(record.user, table_.user, table_.user_names, with_user_);
  table_.lon.push_back(record.lon);
  table_.lat.push_back(record.lat);
  table_.line.push_back(record.line);
}

void PointBuilder::settle_times() {
  table_.has_time = timed_ == table_.size();
  if (timed_ == 0 || table_.has_time) return;
  table_.t.clear();
  table_.times_left_out = true;
  table_.warnings.add("time left out because other points have none", spot(table_.line.front()), timed_);
}

void PointBuilder::settle_names(std::vector<std::uint32_t>& column, NameTable& names, std::size_t named,
                                std::string_view what) {
  if (column.empty() || named == table_.size()) return;
  column.resize(table_.size(), no_name);
  const std::uint32_t nameless = names.intern("");
  std::replace(column.begin(), column.end(), no_name, nameless);
  const auto first = std::find(column.begin(), column.end(), nameless) - column.begin();
  table_.warnings.add(what, table_.spot(static_cast<std::size_t>(first)), table_.size() - named);
}

void PointBuilder::settle_duplicates() {
  if (!table_.has_time || (table_.traj.empty() && table_.user.empty())) return;
  const Groups groups = group_by_trip(table_);
  const std::vector<bool> marked = repeated_moments(groups, table_.t);
  const auto count = static_cast<std::uint64_t>(std::count(marked.begin(), marked.end(), true));
  if (count == 0) return;
  const auto first = static_cast<std::size_t>(std::find(marked.begin(), marked.end(), true) - marked.begin());
  if (options_.duplicates == DuplicatePoints::refuse) {
    throw DataError(table_.spot(first), "a second point of the same trip and time", "remove one of them");
  }
  const bool dropped = options_.duplicates == DuplicatePoints::drop;
  table_.warnings.add(dropped ? "second point of the same trip and time left out"
                              : "second point of the same trip and time kept",
                      table_.spot(first), count);
  if (dropped) drop(marked);
}

void PointBuilder::drop(const std::vector<bool>& marked) {
  erase_marked(table_.lon, marked);
  erase_marked(table_.lat, marked);
  erase_marked(table_.t, marked);
  erase_marked(table_.traj, marked);
  erase_marked(table_.user, marked);
  erase_marked(table_.line, marked);
}

PointTable PointBuilder::finish() && {
  if (table_.size() == 0) {
    throw DataError({table_.source}, "holds no points", "check that the file is complete");
  }
  settle_times();
  settle_names(table_.traj, table_.traj_names, in_trip_, "point that names no trip");
  settle_names(table_.user, table_.user_names, with_user_, "point that names no user");
  settle_duplicates();
  return std::move(table_);
}

}  // namespace fogline::io
