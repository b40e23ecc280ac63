// SPDX-License-Identifier: Apache-2.0
#include "io/columns.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/numbers.hpp"
#include "io/words.hpp"

namespace fogline::io {
namespace {

using Names = std::span<const std::string_view>;

/// What is known of a role. Spellings are in lower case without separators; the first is that of our own files.
struct RoleInfo {
  Role role;
  std::string_view name;     ///< as `columns` calls it
  std::string_view meaning;  ///< as messages call it
  std::string_view ours;     ///< as our own files call it
  Names spellings;
  Names look_alikes;  ///< words that make a name look like this role
};

constexpr std::string_view lon_names[] = {"lon",    "longitude", "longitudedeg", "lng",         "long",
                                          "londeg", "x",         "pointx",       "locationlong"};
constexpr std::string_view lat_names[] = {"lat", "latitude", "latitudedeg", "latdeg",
                                          "y",   "pointy",   "locationlat"};
constexpr std::string_view x_names[] = {"xm", "xmetres", "xmeters"};
constexpr std::string_view y_names[] = {"ym", "ymetres", "ymeters"};
constexpr std::string_view polyline_names[] = {"polyline"};
constexpr std::string_view time_names[] = {"t", "time", "timestamp", "datetime", "unix", "unixtime", "utc"};
constexpr std::string_view times_names[] = {"times", "coordtimes", "timestamps"};
constexpr std::string_view trip_names[] = {"trajid", "traj",   "trajectory", "trajectoryid",
                                           "tripid", "trip",   "track",      "trackid",
                                           "tid",    "rideid", "journeyid"};
constexpr std::string_view user_names[] = {"userid",   "user",      "uid",        "taxiid",   "taxi",
                                           "vehicle",  "vehicleid", "driver",     "driverid", "deviceid",
                                           "personid", "riderid",   "customerid", "patientid"};
constexpr std::string_view state_names[] = {"state", "statename", "stateid"};
constexpr std::string_view source_names[] = {"source", "u",     "from",     "src",   "tail",
                                             "node1",  "start", "initnode", "fromid"};
constexpr std::string_view target_names[] = {"target", "v",   "to",       "dst",   "dest",
                                             "head",   "end", "termnode", "node2", "toid"};
constexpr std::string_view weight_names[] = {"weight", "w",    "volume", "value",
                                             "count",  "flow", "trips",  "length"};
/// Of a trip where trips are sequences of states; elsewhere "seq" mostly numbers the points of a trip.
constexpr std::string_view sequence_names[] = {"sequence", "sequenceid", "seq"};

constexpr std::string_view time_words[] = {"time", "date", "stamp", "epoch",  "when",
                                           "ts",   "at",   "hour",  "pickup", "dropoff"};
constexpr std::string_view trip_words[] = {"trip", "ride", "journey", "traj", "track", "sequence", "tid"};
constexpr std::string_view user_words[] = {
    "user",      "driver",  "person",  "device",    "customer",   "patient",     "taxi",
    "vehicle",   "rider",   "client",  "passenger", "member",     "account",     "imei",
    "imsi",      "msisdn",  "uid",     "cab",       "subject",    "participant", "phone",
    "medallion", "licence", "license", "employee",  "individual", "plate"};
constexpr std::string_view state_words[] = {"state", "cell", "room"};

/// Names whose last word is one of these measure or describe something, and name nobody and no moment: trip_distance,
/// vehicle_type, time_zone, dropoff_longitude.
constexpr std::string_view harmless_ends[] = {
    "distance", "duration", "length", "count", "type",   "speed", "miles",     "km",       "metres",
    "meters",   "fare",     "cost",   "price", "amount", "zone",  "status",    "flag",     "rating",
    "age",      "lon",      "lat",    "lng",   "x",      "y",     "longitude", "latitude", "location"};

/// Names whose last word is one of these tell something apart, though not what: where nothing else tells trips apart,
/// it may be they.
constexpr std::string_view naming_ends[] = {"id",         "ids",  "name", "no",   "nr",   "num", "number",
                                            "identifier", "code", "uuid", "guid", "hash", "key", "ref"};

constexpr RoleInfo role_table[] = {{Role::lon, "lon", "longitude", "lon", lon_names, {}},
                                   {Role::lat, "lat", "latitude", "lat", lat_names, {}},
                                   {Role::x, "x", "metres east", "x_m", x_names, {}},
                                   {Role::y, "y", "metres north", "y_m", y_names, {}},
                                   {Role::polyline, "polyline", "polyline", "polyline", polyline_names, {}},
                                   {Role::time, "time", "time", "t", time_names, time_words},
                                   {Role::times, "times", "times", "times", times_names, {}},
                                   {Role::trip, "trip", "trip", "traj_id", trip_names, trip_words},
                                   {Role::user, "user", "user", "user_id", user_names, user_words},
                                   {Role::state, "state", "state", "state", state_names, state_words},
                                   {Role::source, "source", "source", "source", source_names, {}},
                                   {Role::target, "target", "target", "target", target_names, {}},
                                   {Role::weight, "weight", "weight", "weight", weight_names, {}}};
static_assert(std::size(role_table) == role_count);

const RoleInfo& info_of(Role role) {
  return role_table[static_cast<std::size_t>(role)];
}

bool holds(Names names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool holds(std::span<const Role> roles, Role role) {
  return std::find(roles.begin(), roles.end(), role) != roles.end();
}

/// A name as the table spells it.
std::string squeezed(std::string_view name) {
  std::string result = lower_case(trim(name));
  std::erase_if(result, [](char c) { return c == ' ' || c == '-' || c == '_' || c == '.'; });
  return result;
}

/// The words of "pickup_datetime", "pickupDatetime" and "Pickup Datetime", in lower case.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  bool is_open = false, was_lower = false;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_part = std::isalnum(byte) != 0 || byte >= 0x80;
    const bool is_upper = std::isupper(byte) != 0;
    if (is_part && (!is_open || (is_upper && was_lower))) words.emplace_back();
    if (is_part) words.back() += static_cast<char>(std::tolower(byte));
    is_open = is_part;
    was_lower = is_part && !is_upper;
  }
  return words;
}

/// Short words count whole only: "at" stands in "created_at", and in "latitude" as well.
bool looks_like(std::string_view word, std::string_view pattern) {
  constexpr std::size_t least_part = 4;
  if (word == pattern) return true;
  return pattern.size() >= least_part && (word.starts_with(pattern) || word.ends_with(pattern));
}

/// A name that can be shown on a terminal.
std::string shown(std::string_view name) {
  constexpr std::size_t longest = 40;
  std::string text(trim(name));
  if (text.empty()) return "(no name)";
  if (text.size() > longest) text = text.substr(0, longest) + "...";
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  }
  return text;
}

std::vector<std::string_view> names_of(std::span<const Role> roles) {
  std::vector<std::string_view> names;
  for (const Role role : roles) names.push_back(to_string(role));
  return names;
}

std::optional<Role> role_called(std::string_view text) {
  const std::string name = squeezed(text);
  if (name == squeezed("sequence")) return Role::trip;
  for (const RoleInfo& info : role_table) {
    if (name == info.name || name == squeezed(info.ours)) return info.role;
  }
  return std::nullopt;
}

[[noreturn]] void refuse_map(std::string_view problem) {
  std::vector<std::string_view> names;
  for (const RoleInfo& info : role_table) names.push_back(info.name);
  throw InvalidOption("columns",
                      fmt::format("{}; write ROLE=COLUMN,..., where a role is one of {}, and a column "
                                  "that is not there is none",
                                  problem, fmt::join(names, ", ")));
}

}  // namespace

std::string_view to_string(Role role) {
  return info_of(role).name;
}

ColumnMap ColumnMap::parse(std::string_view text) {
  ColumnMap map;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view entry = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos) refuse_map("must give a column for each role");
    const auto role = role_called(entry.substr(0, equals));
    std::string column(trim(entry.substr(equals + 1)));
    if (!role) refuse_map(fmt::format("knows no role \"{}\"", shown(entry.substr(0, equals))));
    if (column.empty()) refuse_map(fmt::format("gives no column for {}", to_string(*role)));
    if (column == "-" || column == "none") column.clear();
    for (const auto& [other, name] : map.columns_) {
      if (other == *role) refuse_map(fmt::format("gives {} twice", to_string(*role)));
      if (!column.empty() && name == column) refuse_map(fmt::format("gives \"{}\" two roles", shown(column)));
    }
    map.columns_.emplace(*role, std::move(column));
  }
  return map;
}

void ColumnMap::refuse_if_given(std::string_view format) const {
  if (!is_empty())
    throw InvalidOption("columns", fmt::format("is for CSV and GeoJSON; {} has no columns", format));
}

std::string to_string(const ColumnReport& report) {
  constexpr std::size_t most_named = 8;
  std::vector<std::string> taken, left;
  for (const auto& [role, column, is_ours] : report.taken)
    taken.push_back(is_ours ? shown(column) : fmt::format("{}={}", to_string(role), shown(column)));
  for (const std::string& column : report.left)
    if (left.size() < most_named) left.push_back(shown(column));
  std::string text = taken.empty() ? "none" : fmt::format("{}", fmt::join(taken, " "));
  if (!left.empty()) text += fmt::format("; left: {}", fmt::join(left, ", "));
  if (report.left.size() > most_named) text += fmt::format(" and {} more", report.left.size() - most_named);
  return text;
}

std::string to_details(const ColumnReport& report) {
  std::string text;
  for (const auto& [role, column, is_ours] : report.taken)
    text += fmt::format("column \"{}\" is taken as the {}\n", shown(column), info_of(role).meaning);
  for (const std::string& column : report.left) text += fmt::format("column \"{}\" is left\n", shown(column));
  return text;
}

ColumnChooser::ColumnChooser(std::string file, std::vector<Role> roles, const ColumnOptions& options)
    : file_(std::move(file)), roles_(std::move(roles)), options_(options) {
  for (const auto& [role, column] : options_.map.columns()) {
    if (!holds(roles_, role))
      throw InvalidOption("columns", fmt::format("takes {} here, and no {}",
                                                 fmt::join(names_of(roles_), ", "), to_string(role)));
  }
}

std::optional<Role> ColumnChooser::find_role(const std::string& name) const {
  const std::string plain = squeezed(name);
  for (const auto& [role, column] : options_.map.columns()) {
    if (!column.empty() && squeezed(column) == plain) return role;
  }
  for (const Role role : roles_) {
    if (options_.map.settles(role)) continue;
    if (holds(info_of(role).spellings, plain)) return role;
    if (role == Role::trip && options_.sequences && holds(sequence_names, plain)) return role;
  }
  return std::nullopt;
}

std::optional<Role> ColumnChooser::role_of(const std::string& name) {
  const auto known = seen_.find(name);
  if (known != seen_.end()) return known->second;
  const auto role = find_role(name);
  seen_.emplace(name, role);
  if (!role) {
    report_.left.push_back(name);
    return role;
  }
  const std::string plain = lower_case(trim(name));
  const bool is_sequence = options_.sequences && *role == Role::trip && plain == "sequence";
  const RoleInfo& info = info_of(*role);
  report_.taken.push_back({*role, name, is_sequence || plain == info.ours || plain == info.name});
  return role;
}

void ColumnChooser::leave(Role role) {
  for (const auto& taken : report_.taken)
    if (taken.role == role) report_.left.push_back(taken.column);
  std::erase_if(report_.taken, [&](const auto& taken) { return taken.role == role; });
}

bool ColumnChooser::is_taken(Role role) const {
  return std::any_of(report_.taken.begin(), report_.taken.end(),
                     [&](const auto& taken) { return taken.role == role; });
}

/// By its last word that looks like any role: trip_start_timestamp is a time.
std::optional<Role> ColumnChooser::look_alike_of(const std::string& name) const {
  const std::vector<std::string> words = words_of(name);
  if (words.empty() || holds(harmless_ends, words.back())) return std::nullopt;
  for (auto word = words.rbegin(); word != words.rend(); ++word) {
    for (const Role role : roles_) {
      for (const std::string_view pattern : info_of(role).look_alikes)
        if (looks_like(*word, pattern)) return role;
    }
  }
  return std::nullopt;
}

void ColumnChooser::require_mapped() const {
  for (const auto& [role, column] : options_.map.columns()) {
    if (column.empty() || std::any_of(seen_.begin(), seen_.end(), [&](const auto& entry) {
          return squeezed(entry.first) == squeezed(column);
        }))
      continue;
    throw DataError({file_}, fmt::format("has no column \"{}\"", shown(column)), "correct `columns`");
  }
}

std::vector<std::string> ColumnChooser::left_like(Role role) const {
  std::vector<std::string> alike;
  for (const std::string& name : report_.left)
    if (look_alike_of(name) == role) alike.push_back(shown(name));
  return alike;
}

/// Columns that tell something apart, in a file in which nothing else tells trips apart.
std::vector<std::string> ColumnChooser::left_that_name() const {
  std::vector<std::string> naming;
  if (!holds(options_.needed, Role::trip) || !holds(options_.needed, Role::user) || is_taken(Role::user) ||
      !left_like(Role::user).empty())
    return naming;
  for (const std::string& name : report_.left) {
    const std::vector<std::string> words = words_of(name);
    if (!words.empty() && holds(naming_ends, words.back())) naming.push_back(shown(name));
  }
  return naming;
}

void ColumnChooser::require_one_person() const {
  const std::vector<std::string> others = left_like(Role::user);
  if (!options_.one_person || !is_taken(Role::user) || options_.map.settles(Role::user) || others.empty())
    return;
  const auto taken = std::find_if(report_.taken.begin(), report_.taken.end(),
                                  [](const auto& one) { return one.role == Role::user; });
  throw DataError(
      {file_},
      fmt::format("has more than one column that may say whom to protect: \"{}\", and \"{}\"",
                  shown(taken->column), fmt::join(others, "\", \"")),
      fmt::format("say which, `columns` user={} or user={}", shown(taken->column), others.front()));
}

void ColumnChooser::check(std::span<const Role> settled_otherwise) const {
  require_mapped();
  require_one_person();
  std::vector<std::string> found, advice, dismissals;
  for (const Role role : options_.needed) {
    if (!holds(roles_, role) || is_taken(role) || options_.map.settles(role) ||
        holds(settled_otherwise, role))
      continue;
    std::vector<std::string> alike = left_like(role);
    if (role == Role::trip && alike.empty()) alike = left_that_name();
    if (alike.empty()) continue;
    found.push_back(fmt::format("\"{}\" for the {}", fmt::join(alike, "\" or \""), info_of(role).meaning));
    advice.push_back(fmt::format("{}={}", to_string(role), alike.front()));
    dismissals.push_back(fmt::format("{}=none", to_string(role)));
  }
  if (found.empty()) return;
  throw DataError(
      {file_}, fmt::format("has columns that look needed, under names not known: {}", fmt::join(found, ", ")),
      fmt::format("say what they are, such as `columns` {}, or that they are not, `columns` {}",
                  fmt::join(advice, ","), fmt::join(dismissals, ",")));
}

CsvColumns::CsvColumns(const CsvReader& csv, std::vector<Role> roles, const ColumnOptions& options)
    : csv_(csv), chooser_(csv.file(), std::move(roles), options) {
  for (std::size_t i = 0; i < csv.header().size(); ++i) {
    const auto role = chooser_.role_of(csv.header()[i]);
    if (!role) continue;
    auto& column = column_[static_cast<std::size_t>(*role)];
    if (column) refuse_two(*role, *column, i);
    column = i;
  }
  chooser_.require_mapped();
}

void CsvColumns::refuse_two(Role role, std::size_t first, std::size_t second) const {
  const std::string one = shown(csv_.header()[first]), other = shown(csv_.header()[second]);
  throw DataError(
      {chooser_.file()},
      fmt::format("columns {} and {} of the header mean the same: \"{}\" and \"{}\" are both the {}",
                  first + 1, second + 1, one, other, info_of(role).meaning),
      squeezed(one) == squeezed(other)
          ? std::string("rename one of them")
          : fmt::format("choose one, such as `columns` {}={}", to_string(role), one));
}

std::size_t CsvColumns::require(Role role, std::string_view example_header) const {
  if (const auto column = of(role)) return *column;
  const RoleInfo& info = info_of(role);
  // The first line may be data, hence private: it is never quoted.
  throw DataError({chooser_.file()},
                  csv_.header_is_numeric() ? std::string("has no header")
                                           : fmt::format("has no column for the {}", info.meaning),
                  fmt::format("let the first line be a header such as {}, or say which column it is with "
                              "`columns` {}=NAME",
                              example_header, info.name));
}

void CsvColumns::leave(Role role) {
  chooser_.leave(role);
  column_[static_cast<std::size_t>(role)].reset();
}

ColumnReport CsvColumns::settle() const {
  chooser_.check({});
  return chooser_.report();
}

}  // namespace fogline::io
