// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/warnings.hpp"
#include "io/csv.hpp"
#include "io/input_file.hpp"
#include "mobility/state_space.hpp"
#include "mobility/trips.hpp"

namespace fogline::mobility {

/// One state of a sequence, as a file holds it.
struct StateRecord {
  std::uint32_t sequence = 0;  ///< sequences are numbered from 0 in the order in which they first appear
  StateId state = 0;
  std::optional<std::int64_t> t = {};  ///< unix seconds
  std::uint64_t line = 0;              ///< where it was found, from 1
};

/// Reads states one at a time as they arrive, from a file or a pipe: it never waits for more than the record's own line.
///
///     io::TextSource source = io::TextSource::from_file("-");       // standard input
///     SequenceReader reader(source, model.space);
///     for (StateRecord record; reader.next(record);) release(record.state);
///
/// CSV with a header. States are named in a column `state`, or found from positions: `lon,lat` (or `x_m,y_m`) and the model's places. One
/// sequence, unless there is a column `sequence` (or traj_id, or user_id, as for points). A time `t` is optional. A file of one column may
/// leave out the header if its first line names a state.
///
/// What it reads is private: a DataError names the line and the column, never a value. Refused: a state that the model does not have, a
/// position out of range, positions where the states are no places, a time that runs back within its sequence, a line cut short.
/// Cost: memory of one line and a name for each sequence.
class SequenceReader {
 public:
  SequenceReader(io::TextSource& source,
                 const StateSpace& space);  ///< reads the header; `space` must outlive it

  bool next(StateRecord& record);                                          ///< false at the end
  bool has_sequences() const { return has_sequences_; }                    ///< a column names them
  const io::NameTable& sequence_names() const { return sequence_names_; }  ///< those seen so far
  const Warnings& warnings() const { return warnings_; }
  FileSpot spot() const { return csv_.spot(); }  ///< of the record given last

 private:
  struct Columns {
    std::optional<std::size_t> state = {}, east = {}, north = {}, t = {}, sequence = {}, user = {};
    bool plane = false;
  };
  void find_columns();
  StateId state() const;
  StateId state_at_position() const;
  std::uint32_t sequence();
  std::int64_t time(std::uint32_t sequence);

  io::CsvReader csv_;
  const StateSpace& space_;
  Columns columns_ = {};
  std::optional<StateLocator> locator_ = {};
  bool has_sequences_ = false;
  io::NameTable sequence_names_ = {};
  std::vector<std::int64_t> last_time_ = {};  // per sequence
  Warnings warnings_ = {};
};

/// Whole sequences as plain columns: sequence i owns the states offset[i] to offset[i + 1] - 1.
struct StateSequences {
  std::vector<std::uint64_t> offset = {0};
  std::vector<StateId> state = {};
  Warnings warnings = {};

  std::size_t size() const { return offset.size() - 1; }
  std::span<const StateId> operator[](std::size_t sequence) const {
    return std::span(state).subspan(offset[sequence], offset[sequence + 1] - offset[sequence]);
  }
  std::uint64_t steps() const { return state.size() - size(); }  ///< from one state to the next
};

/// All of a file, by sequence: CSV as above, or positions in any format of io/points.hpp. DataError as above, and for a file without records.
StateSequences read_sequences(const std::string& file, const StateSpace& space);
StateSequences read_sequences(io::TextSource& source, const StateSpace& space);

/// The states of trips. Throws InvalidOption unless the space is of places, in degrees or on a plane like the trips.
StateSequences locate(const Trips& trips, const StateSpace& space);

/// Reads public sequences whose states are not known yet: CSV `state` or `sequence,state`. Every name becomes a state of `names`. DataError
/// with the line: no such column, an empty name; or without: no records.
StateSequences read_named_sequences(io::TextSource& source, io::NameTable& names);

}  // namespace fogline::mobility
