// SPDX-License-Identifier: Apache-2.0
#include "mobility/sequences.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <unordered_set>

#include "io/identity.hpp"
#include "io/numbers.hpp"
#include "io/points.hpp"
#include "io/words.hpp"

namespace fogline::mobility {
namespace {

using io::Role;

constexpr double plane_limit_m = 1e9;

/// Rows without a name are no sequence: they may be many people's.
std::string_view name_in(const io::CsvReader& csv, std::size_t column) {
  const std::string_view name = io::trim_name(csv.trimmed(column));
  if (io::is_missing_name(name))
    csv.fail(column, "names nobody (blank, or NA, null and the like)",
             "fill it in, leave these rows out, or leave out the column if all are one sequence");
  return name;
}

/// Groups records that come in any order by their sequence.
class Grouper {
 public:
  void add(const StateRecord& record) {
    if (record.sequence >= records_.size()) {
      records_.resize(record.sequence + 1);
      if (record.user) user_.resize(record.sequence + 1, *record.user);
    }
    records_[record.sequence].push_back(
        {record.t.value_or(std::numeric_limits<std::int64_t>::min()), record.line, record.state});
  }

  /// `warnings` are the reader's, of a file of this name.
  StateSequences finish(const std::string& file, const Warnings& warnings) && {
    if (records_.empty()) throw DataError({file}, "holds no states", "check that the file is complete");
    StateSequences sequences;
    sequences.warnings = warnings;
    for (auto& one : records_) {
      put_in_order(one, file, sequences.warnings);
      for (const Moment& moment : one) sequences.state.push_back(moment.state);
      sequences.offset.push_back(sequences.state.size());
    }
    sequences.user = std::move(user_);
    return sequences;
  }

 private:
  struct Moment {
    std::int64_t t;
    std::uint64_t line;
    StateId state;
  };

  /// A reader that does not sort refuses what is out of order, and gives files without times all the same one.
  static void put_in_order(std::vector<Moment>& moments, const std::string& file, Warnings& warnings) {
    const auto earlier = [](const Moment& a, const Moment& b) { return a.t < b.t; };
    const auto back = std::is_sorted_until(moments.begin(), moments.end(), earlier);
    if (back == moments.end()) return;
    warnings.add("sequence with time running backwards put in order of time", {file, back->line});
    std::stable_sort(moments.begin(), moments.end(), earlier);
  }

  std::vector<std::vector<Moment>> records_;
  std::vector<std::uint32_t> user_;  // a sequence is of one user
};

/// A person, or a sequence, under two names would count for two.
[[noreturn]] void refuse_two_spellings(const std::string& file) {
  throw DataError({file},
                  "names a user or a sequence as another, spelled otherwise (7 and 7.0, or with "
                  "invisible characters)",
                  "write every name in one spelling");
}

void require_one_spelling_of(std::span<const std::string> names, const std::string& file) {
  const std::vector<std::uint32_t> first = io::same_names(names);
  for (std::uint32_t i = 0; i < first.size(); ++i)
    if (first[i] != i) refuse_two_spellings(file);
}

/// Positions that all lie outside would all count as some place at the edge: the file is of another city, or gives latitude first.
void require_some_inside(const PositionCount& count, const std::string& file) {
  if (count.all > 0 && count.outside == count.all)
    throw DataError(
        {file}, "has no position among the places of the model",
        "check that longitude and latitude are not swapped, and that the model is of this region");
}

PositionCount count_positions(const Trips& trips, const StateSpace& space) {
  const StateLocator locator(space);
  PositionCount count{.all = trips.point_count()};
  for (std::size_t i = 0; i < trips.point_count(); ++i) {
    const bool inside = trips.plane ? locator.covers(geometry::PointXY{trips.lon[i], trips.lat[i]})
                                    : locator.covers(geometry::LonLat{trips.lon[i], trips.lat[i]});
    if (!inside) ++count.outside;
  }
  return count;
}

StateSequences read_all(SequenceReader& reader, const std::string& file) {
  Grouper grouper;
  for (StateRecord record; reader.next(record);) grouper.add(record);
  reader.require_one_spelling();
  require_some_inside(reader.positions(), file);
  StateSequences sequences = std::move(grouper).finish(file, reader.warnings());
  sequences.columns = reader.columns();
  return sequences;
}

bool is_text_table(const std::string& file) {
  const std::string name = io::name_for_suffix(file);
  return file == "-" || name.ends_with(".csv") || name.ends_with(".tsv") || name.ends_with(".txt");
}

}  // namespace

SequenceReader::SequenceReader(io::TextSource& source, const StateSpace& space,
                               const SequenceOptions& options)
    : csv_(source, {}), space_(&space), options_(options), times_(options.times) {
  find_columns();
  if (!columns_.state) check_places();
}

SequenceReader::SequenceReader(io::TextSource& source, io::NameTable& names, const SequenceOptions& options)
    : csv_(source, {}), new_names_(&names), options_(options), times_(options.times) {
  find_columns();
}

void SequenceReader::find_columns() {
  io::CsvColumns chosen(
      csv_, {Role::state, Role::lon, Role::lat, Role::x, Role::y, Role::time, Role::trip, Role::user},
      {.map = options_.columns, .sequences = true});
  columns_.state = chosen.of(Role::state);
  if (!columns_.state && space_ != nullptr && !csv_.is_columns() && csv_.header().size() == 1 &&
      space_->names.find(io::trim(csv_.header()[0]))) {
    csv_.take_header_as_record();
    columns_.state = 0;
    return;
  }
  columns_.t = chosen.of(Role::time);
  columns_.sequence = chosen.of(Role::trip);
  columns_.user = chosen.of(Role::user);
  has_sequences_ = columns_.sequence || columns_.user;
  find_positions(chosen);
  report_ = chosen.settle();
}

void SequenceReader::find_positions(io::CsvColumns& chosen) {
  columns_.plane = chosen.of(Role::x) && chosen.of(Role::y);
  const bool has_positions = columns_.plane || chosen.of(Role::lon);
  if (!columns_.state && new_names_ != nullptr && has_positions)
    throw DataError(csv_.spot(), "holds positions and names no states",
                    "make states of them: cells of a grid, or the vertices of a road network");
  if (!columns_.state && !has_positions) chosen.require(Role::state, "sequence,state");
  for (const Role role : {Role::lon, Role::lat})
    if (columns_.state || columns_.plane) chosen.leave(role);
  for (const Role role : {Role::x, Role::y})
    if (columns_.state || !columns_.plane) chosen.leave(role);
  if (columns_.state) return;
  columns_.east = chosen.require(columns_.plane ? Role::x : Role::lon, "t,lon,lat");
  columns_.north = chosen.require(columns_.plane ? Role::y : Role::lat, "t,lon,lat");
}

void SequenceReader::check_places() {
  if (!space_->is_places())
    throw DataError({csv_.file()}, "gives positions, but the states of the model are no places",
                    "name the states in a column \"state\"");
  locator_.emplace(*space_);
  if (locator_->takes_degrees() == columns_.plane)
    throw DataError({csv_.file()},
                    columns_.plane ? "gives metres, but the model's places are in degrees"
                                   : "gives degrees, but the model's places are metres on a plane",
                    "give positions as those the model was learned from");
}

bool SequenceReader::next(StateRecord& record) {
  if (!csv_.next()) return false;
  if (columns_.user) record.user = user_names_.intern(name_in(csv_, *columns_.user));
  record.sequence = sequence(record.user);
  record.state = columns_.state ? state() : state_at_position();
  record.t = columns_.t ? std::optional(time(record.sequence)) : std::nullopt;
  record.line = csv_.line();
  return true;
}

StateId SequenceReader::state() {
  const std::string_view name = csv_.trimmed(*columns_.state);
  if (new_names_ != nullptr) {
    if (name.empty()) csv_.fail(*columns_.state, "is empty", "name the state");
    return new_names_->intern(name);
  }
  const auto found = space_->names.find(name);
  if (!found) csv_.fail(*columns_.state, "names a state that the model does not have");
  return *found;
}

StateId SequenceReader::state_at_position() {
  const double east = csv_.number(*columns_.east), north = csv_.number(*columns_.north);
  if (std::abs(east) > (columns_.plane ? plane_limit_m : 180)) csv_.fail(*columns_.east, "is out of range");
  if (std::abs(north) > (columns_.plane ? plane_limit_m : 90)) csv_.fail(*columns_.north, "is out of range");
  const auto find = [&](const auto& position) {
    ++positions_.all;
    if (!locator_->covers(position)) {
      ++positions_.outside;
      warnings_.add("position outside the places of the model counted as the nearest", csv_.spot());
    }
    return locator_->at(position);
  };
  return columns_.plane ? find(geometry::PointXY{east, north}) : find(geometry::LonLat{east, north});
}

std::uint32_t SequenceReader::sequence(std::optional<std::uint32_t> user) {
  const std::uint32_t name =
      columns_.sequence ? sequence_names_.intern(name_in(csv_, *columns_.sequence)) : 0;
  const auto next = static_cast<std::uint32_t>(number_of_.size());
  const std::uint32_t number =
      number_of_.try_emplace(std::uint64_t{user.value_or(0)} << 32 | name, next).first->second;
  last_time_.resize(number_of_.size(), std::numeric_limits<std::int64_t>::min());
  return number;
}

void SequenceReader::require_one_spelling() const {
  const std::vector<std::uint32_t> same_user = io::same_names(user_names_.names());
  const std::vector<std::uint32_t> same_name = io::same_names(sequence_names_.names());
  std::unordered_set<std::uint64_t> seen;
  for (const auto& [pair, number] : number_of_) {
    const auto user = static_cast<std::uint32_t>(pair >> 32), name = static_cast<std::uint32_t>(pair);
    const std::uint64_t same =
        std::uint64_t{columns_.user ? same_user[user] : 0} << 32 | (columns_.sequence ? same_name[name] : 0);
    if (!seen.insert(same).second || (columns_.user && same_user[user] != user))
      refuse_two_spellings(csv_.file());
  }
}

std::int64_t SequenceReader::time(std::uint32_t sequence) {
  const auto moment = times_.read(csv_.trimmed(*columns_.t));
  if (!moment) throw DataError(csv_.spot(), times_.problem().what, times_.problem().what_to_try);
  if (moment->had_fraction) warnings_.add("fraction of a second left out", csv_.spot());
  if (moment->had_no_zone) warnings_.add("time without zone read as UTC", csv_.spot());
  if (moment->unix_s < last_time_[sequence] && !options_.sort)
    csv_.fail(*columns_.t, "runs backwards within a sequence", "sort each sequence by time, or give `sort`");
  return last_time_[sequence] = moment->unix_s;
}

StateSequences read_sequences(io::TextSource& source, const StateSpace& space,
                              const SequenceOptions& options) {
  SequenceReader reader(source, space, options);
  return read_all(reader, source.name());
}

StateSequences read_sequences(const std::string& file, const StateSpace& space,
                              const SequenceOptions& options) {
  if (is_text_table(file)) {
    auto source = io::TextSource::from_file(file);
    return read_sequences(source, space, options);
  }
  const auto points =
      io::read_points(file, {.columns = {.map = options.columns, .sequences = true}, .times = options.times});
  const auto backwards = options.sort ? TimeBackwards::sort : TimeBackwards::refuse;
  const Trips trips = make_trips(points, {.backwards = backwards});
  require_one_spelling_of(trips.user_name, file);
  StateSequences sequences = locate(trips, space);
  require_some_inside(count_positions(trips, space), file);
  sequences.columns = points.columns;
  return sequences;
}

StateSequences locate(const Trips& trips, const StateSpace& space) {
  const StateLocator locator(space);
  if (locator.takes_degrees() == trips.plane)
    throw InvalidOption("trips", "must be in degrees, or on a plane, as the places of the model are");
  StateSequences sequences;
  sequences.offset = trips.offset;
  for (const std::uint32_t user : trips.user)
    sequences.user.push_back(io::is_missing_name(trips.user_name[user]) ? StateSequences::nobody : user);
  sequences.warnings = trips.warnings;
  sequences.state.reserve(trips.point_count());
  for (std::size_t i = 0; i < trips.point_count(); ++i)
    sequences.state.push_back(trips.plane ? locator.at(geometry::PointXY{trips.lon[i], trips.lat[i]})
                                          : locator.at(geometry::LonLat{trips.lon[i], trips.lat[i]}));
  return sequences;
}

StateSequences read_named_sequences(io::TextSource& source, io::NameTable& names,
                                    const SequenceOptions& options) {
  SequenceReader reader(source, names, options);
  return read_all(reader, source.name());
}

}  // namespace fogline::mobility
