// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/graph_columns.hpp"
#include "io/graph_file.hpp"
#include "io/input_file.hpp"

namespace fogline::io {

/// One edge of a file, as it is written there.
struct EdgeView {
  std::string_view source;
  std::string_view target;
  double weight = 0;
  std::uint64_t line = 0;
};

/// Lines of a file, an edge each; what stands between them is left out.
struct EdgeBatch {
  struct Line {
    std::size_t begin = 0, size = 0;  // in text
    std::uint64_t number = 0;
  };
  std::string text = {};
  std::vector<Line> lines = {};
  std::uint64_t first_edge = 0;  ///< number of the first edge in the file, from 0

  std::size_t size() const { return lines.size(); }
};

/// Memory of one thread that reads edges: names that had to be unquoted.
struct EdgeScratch {
  std::string source, target;
};

/// The edges of a CSV file or edge list, many at a time, for files too large to hold: lines are found one after another, and taken apart by as many threads
/// as there are.
///
///     TextSource file = TextSource::from_file("calls.csv");
///     EdgeBatches batches(file, {});
///     for (EdgeBatch batch; batches.next(batch);)
///       for (std::size_t i = 0; i < batch.size(); ++i) use(batches.edge(batch, i, scratch));
///
/// Reads what read_graph reads, but every edge needs both ends and a weight, which must be a finite number, and its ends must differ: otherwise edge() throws DataError
/// with the line, as for a line with too few or too many fields. A quoted field must end on its line. TNTP is not read.
/// Repeated edges are not noticed here. Cost: memory of a batch; some ten million edges a second and thread.
class EdgeBatches {
 public:
  struct Options {
    GraphFormat format = GraphFormat::by_suffix;
    std::size_t edges_per_batch = 8192;  ///< at least 1
    ColumnMap columns{};                 ///< CSV only
  };
  EdgeBatches(TextSource& source, const Options& options);

  bool next(EdgeBatch& batch);  ///< false at the end; one thread at a time
  EdgeView edge(const EdgeBatch& batch, std::size_t index, EdgeScratch& scratch) const;  ///< any thread
  const ColumnReport& columns() const { return columns_.report; }

 private:
  bool read_more();
  void drop_taken();
  bool take_line(std::string_view& line);
  void read_header();
  [[noreturn]] void refuse_line() const;
  bool is_edge(std::string_view line) const;
  EdgeView from_words(std::string_view line, std::uint64_t number) const;
  EdgeView from_fields(std::string_view line, std::uint64_t number) const;
  EdgeView from_quoted(std::string_view line, std::uint64_t number, EdgeScratch& scratch) const;
  EdgeView checked(const EdgeView& edge, std::string_view weight) const;
  [[noreturn]] void fail(std::uint64_t line, std::string_view problem, std::string_view what_to_try) const;

  TextSource& source_;
  Options options_;
  RecordCounter counter_;
  bool is_csv_;
  GraphColumns columns_ = {};
  char delimiter_ = ',';
  std::size_t field_count_ = 0;
  std::string header_;
  std::string pending_;       // read, and not yet given out
  std::size_t position_ = 0;  // in pending_
  std::uint64_t line_number_ = 0;
  std::uint64_t edges_ = 0;
  bool at_end_ = false;
};

}  // namespace fogline::io
