// SPDX-License-Identifier: Apache-2.0
#include "mobility/sequences.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "io/numbers.hpp"
#include "io/point_names.hpp"
#include "io/points.hpp"
#include "io/timestamp.hpp"
#include "io/words.hpp"

namespace fogline::mobility {
namespace {

constexpr std::array<std::string_view, 3> state_columns = {"state", "state_name", "state_id"};
constexpr std::array<std::string_view, 3> sequence_column_names = {"sequence", "sequence_id", "seq"};
constexpr double plane_limit_m = 1e9;

std::optional<std::size_t> find_sequence(const io::CsvReader& csv) {
  const auto sequence = csv.find_column(sequence_column_names);
  return sequence ? sequence : csv.find_column(io::point_names::traj);
}

/// Groups records that come in any order by their sequence.
class Grouper {
 public:
  void add(std::uint32_t sequence, StateId state) {
    if (sequence >= states_.size()) states_.resize(sequence + 1);
    states_[sequence].push_back(state);
  }
  StateSequences finish(const std::string& file) && {
    if (states_.empty()) throw DataError({file}, "holds no states", "check that the file is complete");
    StateSequences sequences;
    for (const auto& one : states_) {
      sequences.state.insert(sequences.state.end(), one.begin(), one.end());
      sequences.offset.push_back(sequences.state.size());
    }
    return sequences;
  }

 private:
  std::vector<std::vector<StateId>> states_;
};

bool is_text_table(const std::string& file) {
  const std::string name = io::name_for_suffix(file);
  return file == "-" || name.ends_with(".csv") || name.ends_with(".tsv") || name.ends_with(".txt");
}

}  // namespace

SequenceReader::SequenceReader(io::TextSource& source, const StateSpace& space)
    : csv_(source, {}), space_(space) {
  find_columns();
  if (!columns_.state) {
    if (!space.is_places())
      throw DataError({source.name()}, "gives positions, but the states of the model are no places",
                      "name the states in a column \"state\"");
    locator_.emplace(space);
    if (locator_->takes_degrees() == columns_.plane)
      throw DataError({source.name()},
                      columns_.plane ? "gives metres, but the model's places are in degrees"
                                     : "gives degrees, but the model's places are metres on a plane",
                      "give positions as those the model was learned from");
  }
  has_sequences_ = columns_.sequence || columns_.user;
}

void SequenceReader::find_columns() {
  columns_.state = csv_.find_column(state_columns);
  if (!columns_.state && csv_.header().size() == 1 && space_.names.find(io::trim(csv_.header()[0]))) {
    csv_.take_header_as_record();
    columns_.state = 0;
    return;
  }
  columns_.t = csv_.find_column(io::point_names::t);
  columns_.sequence = find_sequence(csv_);
  columns_.user = csv_.find_column(io::point_names::user);
  if (columns_.state) return;
  const auto x = csv_.find_column(io::point_names::x_m), y = csv_.find_column(io::point_names::y_m);
  columns_.plane = x && y;
  const bool has_position = columns_.plane || csv_.find_column(io::point_names::lon);
  if (!has_position) csv_.require_column("state", state_columns, "state");
  columns_.east = columns_.plane ? *x : csv_.require_column("longitude", io::point_names::lon, "t,lon,lat");
  columns_.north = columns_.plane ? *y : csv_.require_column("latitude", io::point_names::lat, "t,lon,lat");
}

bool SequenceReader::next(StateRecord& record) {
  if (!csv_.next()) return false;
  record.sequence = sequence();
  record.state = columns_.state ? state() : state_at_position();
  record.t = columns_.t ? std::optional(time(record.sequence)) : std::nullopt;
  record.line = csv_.line();
  return true;
}

StateId SequenceReader::state() const {
  const auto found = space_.names.find(csv_.trimmed(*columns_.state));
  if (!found) csv_.fail(*columns_.state, "names a state that the model does not have");
  return *found;
}

StateId SequenceReader::state_at_position() const {
  const double east = csv_.number(*columns_.east), north = csv_.number(*columns_.north);
  if (std::abs(east) > (columns_.plane ? plane_limit_m : 180)) csv_.fail(*columns_.east, "is out of range");
  if (std::abs(north) > (columns_.plane ? plane_limit_m : 90)) csv_.fail(*columns_.north, "is out of range");
  return columns_.plane ? locator_->at(geometry::PointXY{east, north})
                        : locator_->at(geometry::LonLat{east, north});
}

std::uint32_t SequenceReader::sequence() {
  std::string name;
  if (columns_.user) name = csv_.trimmed(*columns_.user);
  // Two users may number their trips alike; no field that is trimmed begins with a tab.
  if (columns_.user && columns_.sequence) name += '\t';
  if (columns_.sequence) name += csv_.trimmed(*columns_.sequence);
  const std::uint32_t number = sequence_names_.intern(name);
  last_time_.resize(sequence_names_.size(), std::numeric_limits<std::int64_t>::min());
  return number;
}

std::int64_t SequenceReader::time(std::uint32_t sequence) {
  const auto moment = io::parse_timestamp(csv_.trimmed(*columns_.t));
  if (!moment)
    csv_.fail(*columns_.t, "is neither unix seconds nor ISO 8601, or outside the years 1 to 9999",
              "write 1794729600 or 2026-11-15T08:00:00Z; divide milliseconds by 1000");
  if (moment->had_fraction) warnings_.add("fraction of a second left out", csv_.spot());
  if (moment->had_no_zone) warnings_.add("time without zone read as UTC", csv_.spot());
  if (moment->unix_s < last_time_[sequence])
    csv_.fail(*columns_.t, "runs backwards within a sequence", "sort each sequence by time");
  return last_time_[sequence] = moment->unix_s;
}

StateSequences read_sequences(io::TextSource& source, const StateSpace& space) {
  SequenceReader reader(source, space);
  Grouper grouper;
  for (StateRecord record; reader.next(record);) grouper.add(record.sequence, record.state);
  StateSequences sequences = std::move(grouper).finish(source.name());
  sequences.warnings = reader.warnings();
  return sequences;
}

StateSequences read_sequences(const std::string& file, const StateSpace& space) {
  if (!is_text_table(file)) return locate(make_trips(io::read_points(file, {}), {}), space);
  auto source = io::TextSource::from_file(file);
  return read_sequences(source, space);
}

StateSequences locate(const Trips& trips, const StateSpace& space) {
  const StateLocator locator(space);
  if (locator.takes_degrees() == trips.plane)
    throw InvalidOption("trips", "must be in degrees, or on a plane, as the places of the model are");
  StateSequences sequences;
  sequences.offset = trips.offset;
  sequences.warnings = trips.warnings;
  sequences.state.reserve(trips.point_count());
  for (std::size_t i = 0; i < trips.point_count(); ++i)
    sequences.state.push_back(trips.plane ? locator.at(geometry::PointXY{trips.lon[i], trips.lat[i]})
                                          : locator.at(geometry::LonLat{trips.lon[i], trips.lat[i]}));
  return sequences;
}

StateSequences read_named_sequences(io::TextSource& source, io::NameTable& names) {
  io::CsvReader csv(source, {});
  if (!csv.find_column(state_columns) && csv.find_column(io::point_names::lon))
    throw DataError(csv.spot(), "holds positions and names no states",
                    "make states of them: cells of a grid, or the vertices of a road network");
  const std::size_t column = csv.require_column("state", state_columns, "sequence,state");
  const auto sequence_column = find_sequence(csv);
  io::NameTable sequence_names;
  Grouper grouper;
  while (csv.next()) {
    const std::string_view name = csv.trimmed(column);
    if (name.empty()) csv.fail(column, "is empty", "name the state");
    const std::string_view sequence = sequence_column ? csv.trimmed(*sequence_column) : "";
    grouper.add(sequence_names.intern(sequence), names.intern(name));
  }
  return std::move(grouper).finish(source.name());
}

}  // namespace fogline::mobility
