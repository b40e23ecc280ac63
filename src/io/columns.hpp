// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/csv.hpp"

namespace fogline::io {

/// What a column of a file (or a property of a GeoJSON feature) can be.
enum class Role : std::uint8_t {
  lon,
  lat,
  x,  ///< metres east
  y,  ///< metres north
  polyline,
  time,
  times,  ///< GeoJSON: one for each position of a line
  trip,   ///< also a sequence of states
  user,
  state,
  source,
  target,
  weight
};
inline constexpr std::size_t role_count = 13;

std::string_view to_string(Role role);  ///< as `columns` calls it: "trip"

/// Which columns a user says are what: "trip=ride,user=driver_id,time=none".
///
///     const ColumnMap map = ColumnMap::parse("trip=ride,time=none");
///     read_points(file, {.columns = {.map = map}});
///
/// A role goes by its name, or by the name that our own files give its column (traj_id, t, sequence). "none" or "-"
/// for a column: the file has no such column, whatever one may look like it.
class ColumnMap {
 public:
  ColumnMap() = default;
  /// InvalidOption: not role=column, an unknown role, a role or a column given twice.
  static ColumnMap parse(std::string_view text);

  bool is_empty() const { return columns_.empty(); }
  bool settles(Role role) const { return columns_.contains(role); }        ///< by a column or by "none"
  const std::map<Role, std::string>& columns() const { return columns_; }  ///< an empty name is "none"
  void refuse_if_given(std::string_view format) const;  ///< InvalidOption: `format` has no columns

 private:
  std::map<Role, std::string> columns_;
};

/// How a reader chooses columns.
struct ColumnOptions {
  ColumnMap map{};
  /// If the file has none of these, a column that looks like one is an error.
  std::vector<Role> needed = {Role::time, Role::trip, Role::user, Role::state};
  /// One person is protected: a left column that looks like a second one is an error, unless the map settles the user.
  bool one_person = false;
  bool sequences = false;  ///< a trip is a sequence of states, and may be called sequence, sequence_id or seq
};

/// What a reader took for what, and what it left. Names of columns come from private files: they are for the
/// curator's eyes, and never go into a statement or an output.
struct ColumnReport {
  struct Taken {
    Role role;
    std::string column;    ///< as the file calls it
    bool is_ours = false;  ///< it is the role's name, or that of our own files
  };
  std::vector<Taken> taken;
  std::vector<std::string> left;
};

/// One line: "trip=ride user=driver_id lon lat; left: fare". At most eight of those left are named.
std::string to_string(const ColumnReport& report);
/// A line for each column.
std::string to_details(const ColumnReport& report);

/// Finds the roles of names, one after another, by the one table of spellings (docs/formats.md, "Names of columns").
///
///     ColumnChooser chooser("rides.csv", {Role::lon, Role::lat, Role::time}, {});
///     chooser.role_of("Longitude");                    // Role::lon
///     chooser.check({});                               // throws if a name was like "pickup_datetime"
///
/// A name is compared in lower case, without blanks, hyphens, underscores and dots.
class ColumnChooser {
 public:
  /// InvalidOption: the map has a role that is none of `roles`.
  ColumnChooser(std::string file, std::vector<Role> roles, const ColumnOptions& options);

  std::optional<Role> role_of(const std::string& name);  ///< and remembers it for the report
  void leave(Role role);                                 ///< the reader has no use for it after all
  void require_mapped() const;  ///< DataError: the map names a column that was not seen
  /// DataError: the same, or a needed role has no column but one that looks like it; or, where trips and users are
  /// needed and neither has a column, one that names anything (id, order_number).
  void check(std::span<const Role> settled_otherwise) const;
  const ColumnReport& report() const { return report_; }
  const std::string& file() const { return file_; }

 private:
  std::optional<Role> find_role(const std::string& name) const;
  std::optional<Role> look_alike_of(const std::string& name) const;
  bool is_taken(Role role) const;
  std::vector<std::string> left_like(Role role) const;
  std::vector<std::string> left_that_name() const;
  void require_one_person() const;

  std::string file_;
  std::vector<Role> roles_;
  ColumnOptions options_;
  std::map<std::string, std::optional<Role>, std::less<>> seen_;
  ColumnReport report_;
};

/// The columns of a CSV file by their roles.
///
///     CsvColumns columns(csv, {Role::lon, Role::lat, Role::time}, options);
///     const std::size_t lon = columns.require(Role::lon, "t,lon,lat");
///     table.columns = columns.settle();
class CsvColumns {
 public:
  /// DataError: two columns for one role, or none of the name that the map gives. InvalidOption as above.
  CsvColumns(const CsvReader& csv, std::vector<Role> roles, const ColumnOptions& options);

  std::optional<std::size_t> of(Role role) const { return column_[static_cast<std::size_t>(role)]; }
  std::size_t require(Role role, std::string_view example_header) const;  ///< DataError if there is none
  void leave(Role role);
  /// What was taken. DataError for columns that look needed, once those that are required are there: before
  /// that the first line may be data, and must not be shown.
  ColumnReport settle() const;

 private:
  [[noreturn]] void refuse_two(Role role, std::size_t first, std::size_t second) const;

  const CsvReader& csv_;
  ColumnChooser chooser_;
  std::array<std::optional<std::size_t>, role_count> column_ = {};
};

}  // namespace fogline::io
