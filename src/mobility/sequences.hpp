// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/warnings.hpp"
#include "io/columns.hpp"
#include "io/csv.hpp"
#include "io/input_file.hpp"
#include "io/timestamp.hpp"
#include "mobility/state_space.hpp"
#include "mobility/trips.hpp"

namespace fogline::mobility {

/// One state of a sequence, as a file holds it.
struct StateRecord {
  std::uint32_t sequence = 0;  ///< sequences are numbered from 0 in the order in which they first appear
  StateId state = 0;
  std::optional<std::int64_t> t = {};      ///< unix seconds
  std::optional<std::uint32_t> user = {};  ///< whose it is, numbered from 0, if the file has users
  std::uint64_t line = 0;                  ///< where it was found, from 1
};

struct SequenceOptions {
  io::ColumnMap columns = {};
  io::TimeFormat times = io::TimeFormat::year_first;
  bool sort = false;  ///< put sequences whose time runs backwards in order, with a warning; whole files only
};

/// How many positions were seen, and how many of them lie outside the places of the model.
struct PositionCount {
  std::uint64_t all = 0;
  std::uint64_t outside = 0;
};

/// Reads states one at a time as they arrive, from a file or a pipe: it never waits for more than the record's own line.
///
///     io::TextSource source = io::TextSource::from_file("-");       // standard input
///     SequenceReader reader(source, model.space, {});
///     for (StateRecord record; reader.next(record);) release(record.state);
///
/// CSV with a header. States are named in a column `state`, or found from positions: `lon,lat` (or `x_m,y_m`) and the
/// model's places. Every verb splits a file alike: by the columns `user_id` and `sequence` (or `traj_id`), by either
/// where it has one, and not at all where it has neither. A time `t` is optional. A file of one column may leave out
/// the header if its first line names a state.
///
/// What it reads is private: a DataError names the line and the column, never a value. Refused: a state that the model
/// does not have, a position out of range, positions where the states are no places, a time that runs back within its
/// sequence (unless they are sorted), a line cut short, columns that look needed and have unknown names.
/// Cost: memory of one line and a name for each sequence.
class SequenceReader {
 public:
  /// Reads the header; `space` must outlive it.
  SequenceReader(io::TextSource& source, const StateSpace& space, const SequenceOptions& options);
  /// For public sequences whose states are not known yet: every name becomes a state of `names`.
  SequenceReader(io::TextSource& source, io::NameTable& names, const SequenceOptions& options);

  bool next(StateRecord& record);                        ///< false at the end
  bool has_sequences() const { return has_sequences_; }  ///< a column names them
  /// DataError: a user, or a sequence of one user, was named in two spellings so far, and would count for two.
  void require_one_spelling() const;
  const io::ColumnReport& columns() const { return report_; }
  const PositionCount& positions() const { return positions_; }  ///< those seen so far
  const Warnings& warnings() const { return warnings_; }
  FileSpot spot() const { return csv_.spot(); }  ///< of the record given last

 private:
  struct Columns {
    std::optional<std::size_t> state = {}, east = {}, north = {}, t = {}, sequence = {}, user = {};
    bool plane = false;
  };
  void find_columns();
  void find_positions(io::CsvColumns& chosen);
  void check_places();
  StateId state();
  StateId state_at_position();
  std::uint32_t sequence(std::optional<std::uint32_t> user);
  std::int64_t time(std::uint32_t sequence);

  io::CsvReader csv_;
  const StateSpace* space_ = nullptr;  // or
  io::NameTable* new_names_ = nullptr;
  SequenceOptions options_;
  io::TimeReader times_;
  Columns columns_ = {};
  io::ColumnReport report_ = {};
  std::optional<StateLocator> locator_ = {};
  bool has_sequences_ = false;
  io::NameTable sequence_names_ = {};  // as they stand; two users may number theirs alike
  io::NameTable user_names_ = {};
  std::unordered_map<std::uint64_t, std::uint32_t> number_of_ = {};  // of user and name; see sequence()
  PositionCount positions_ = {};
  std::vector<std::int64_t> last_time_ = {};  // per sequence
  Warnings warnings_ = {};
};

/// Whole sequences as plain columns: sequence i owns the states offset[i] to offset[i + 1] - 1.
struct StateSequences {
  static constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

  std::vector<std::uint64_t> offset = {0};
  std::vector<StateId> state = {};
  /// Whose each sequence is: the same number for the same person, `nobody` where the file leaves it blank. Empty if no
  /// column says it.
  std::vector<std::uint32_t> user = {};
  io::ColumnReport columns = {};
  Warnings warnings = {};

  std::size_t size() const { return offset.size() - 1; }
  std::span<const StateId> operator[](std::size_t sequence) const {
    return std::span(state).subspan(offset[sequence], offset[sequence + 1] - offset[sequence]);
  }
  std::uint64_t steps() const { return state.size() - size(); }  ///< from one state to the next
};

/// All of a file, by sequence: CSV as above, or positions in any format of io/points.hpp. DataError as above, and for a
/// file without records.
StateSequences read_sequences(const std::string& file, const StateSpace& space,
                              const SequenceOptions& options = {});
StateSequences read_sequences(io::TextSource& source, const StateSpace& space,
                              const SequenceOptions& options = {});

/// The states of trips. Throws InvalidOption unless the space is of places, in degrees or on a plane like the trips.
StateSequences locate(const Trips& trips, const StateSpace& space);

/// The same for public sequences whose states are not known yet: every name of a column `state` becomes a state of
/// `names`. DataError also for an empty name, or positions instead of names.
StateSequences read_named_sequences(io::TextSource& source, io::NameTable& names,
                                    const SequenceOptions& options = {});

}  // namespace fogline::mobility
