// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/progress.hpp"
#include "fogline/column_set.hpp"
#include "io/limits.hpp"

namespace fogline::io {

/// Where a reader takes its records from: the bytes of a file, standard input or memory, or columns in memory. Gzip is
/// recognised by its content, whatever the name, and unpacked on the way.
///
///     TextSource file = TextSource::from_file("trips.csv.gz");          // "-" is standard input
///     TextSource text = TextSource::from_memory("test", "lon,lat\n");
///     LineReader lines(file);
///     for (std::string_view line; lines.next(line);) use(line, lines.line_number());
///
/// Throws FileError when the file cannot be opened or read, DataError when gzip data is damaged or cut short, or
/// when a file is larger, unpacks further or takes longer than the limits allow that this thread had when it was opened. Cost: constant memory.
class TextSource {
 public:
  /// `progress` is told of the bytes as they are read, also when a signal interrupts a read that waits for them:
  /// with it, whoever reads can be stopped, and throws Cancelled.
  static TextSource from_file(const std::string& name, Progress progress = {});
  static TextSource from_memory(std::string name, std::string bytes);
  /// Bytes as they come: `more` gives the next, and nothing at the end.
  static TextSource from_function(std::string name, std::function<std::string()> more);
  /// Records without a text: CsvReader gives them out as if they stood in a file with a header, and every reader that is built on it takes them.
  /// Whoever wants bytes gets an InvalidOption instead.
  static TextSource from_columns(ColumnSet columns);

  TextSource(TextSource&&) noexcept;
  TextSource& operator=(TextSource&&) noexcept;
  ~TextSource();

  const std::string& name() const;
  const ColumnSet* columns() const;  ///< null for bytes
  bool is_standard_input() const;    ///< then its name says nothing of its format
  const ReadLimits& limits() const;  ///< for who reads on with another thread

  /// Fills `into` with up to `size` unpacked bytes and says how many; 0 only at the end.
  std::size_t read(char* into, std::size_t size);

  /// The next `size` unpacked bytes, which are still to be read; fewer only at the end. Good until the next call.
  std::string_view peek(std::size_t size);

  /// Everything not yet read, without a UTF-8 byte order mark. More than limits().memory, or a NUL: DataError.
  std::string read_all();
  std::string read_all(const FormatLimit& most);  ///< nor more than this

 private:
  struct Impl;
  explicit TextSource(std::unique_ptr<Impl> impl);
  void require_bytes() const;
  std::unique_ptr<Impl> impl_;
};

/// The lines of a source, one at a time, without their ending (LF or CRLF). A UTF-8 byte order mark is
/// skipped. A NUL byte or a line above ReadLimits::line is a DataError. Cost: memory of the longest line.
class LineReader {
 public:
  explicit LineReader(TextSource& source) : source_(source), max_line_(source.limits().line) {}

  bool next(std::string_view& line);  ///< false at the end; `line` is good until the next call
  std::uint64_t line_number() const { return line_number_; }  ///< of the line last given, from 1
  const std::string& name() const { return source_.name(); }
  std::size_t max_line() const { return max_line_; }

 private:
  bool refill();
  void check_for_nul(std::size_t begin) const;
  std::string_view take(std::size_t length, std::size_t ending);

  TextSource& source_;
  std::size_t max_line_;
  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;  // the next line starts here
  std::size_t end_ = 0;    // the bytes read end here
  std::uint64_t line_number_ = 0;
};

/// The bytes of a small file as they are, packed or not. FileError with this advice if it is not there, or is no regular file: a pipe may never end; DataError if it is larger.
std::string read_small_file(const std::string& file, const FormatLimit& most, std::string_view what_to_try);

}  // namespace fogline::io
