// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "io/input_file.hpp"

namespace fogline::io {

/// Records of a CSV file (RFC 4180) with a header. The delimiter is a comma, semicolon or tab, whichever the
/// header holds most of. Quoted fields may hold delimiters, line breaks and doubled quotes.
///
///     CsvReader csv(source, {});
///     const std::size_t lon = csv.require_column("longitude", lon_names);
///     while (csv.next()) use(csv.number(lon), csv.line());
///
/// Header names are compared in lower case, with blanks and hyphens as underscores. Empty lines are skipped.
/// DataError with the line: too few or too many fields, an open or stray quote, an empty file.
/// Columns in memory (TextSource::from_columns) are given out in the same way; their numbers are taken as they are.
/// Limits: ReadLimits::line, columns and records. Cost: memory of one record; well over a million records a second.
class CsvReader {
 public:
  struct Options {
    char delimiter = '\0';  ///< ',', ';' or tab; NUL: found from the first record
    std::string header{};   ///< header of a file that has none, with commas; empty: the first record is it
  };
  CsvReader(TextSource& source, const Options& options);

  const std::vector<std::string>& header() const { return header_; }
  char delimiter() const { return delimiter_; }

  /// The column whose name is one of `aliases`, if any. Two such columns: DataError.
  std::optional<std::size_t> find_column(std::span<const std::string_view> aliases) const;

  /// The same, but its absence is a DataError that names `meaning`, the aliases and the header to write.
  std::size_t require_column(std::string_view meaning, std::span<const std::string_view> aliases,
                             std::string_view example_header) const;

  /// Columns in memory, which are known by their names: their header is never data.
  bool is_columns() const { return columns_ != nullptr; }
  /// True if every field of the header is a number: then it is data, and the file has no header.
  bool header_is_numeric() const;

  /// Treats the header as the first record, for formats in which it may be left out.
  void take_header_as_record();

  bool next();  ///< false at the end
  std::size_t field_count() const { return columns_ == nullptr ? fields_.size() : header_.size(); }
  std::string_view field(std::size_t column) const {  ///< good until the next record
    return columns_ == nullptr ? fields_[column] : field_of_row(column);
  }
  std::string_view trimmed(std::size_t column) const;  ///< without blanks at the ends
  double number(std::size_t column) const;             ///< DataError unless it is one finite number
  double number_or_nan(std::size_t column) const;      ///< the same, but not a number instead of an error
  std::uint64_t line() const { return line_; }  ///< where the record began; of columns, its number from 1
  FileSpot spot() const;
  const std::string& file() const { return lines_.name(); }

  /// Throws a DataError at this record: 'column "lon" PROBLEM'.
  [[noreturn]] void fail(std::size_t column, std::string_view problem,
                         std::string_view what_to_try = "") const;

 private:
  bool read_record();
  bool read_row();
  std::string_view field_of_row(std::size_t column) const;
  void split_plain(std::string_view line);
  void split_quoted(std::string_view line);
  void check_field_count() const;

  void count_record();

  LineReader lines_;
  const ColumnSet* columns_;  // instead of lines
  std::uint64_t max_columns_;
  RecordCounter counter_;
  char delimiter_;
  std::vector<std::string> header_;
  std::vector<std::string> names_;  // the header, normalised
  std::vector<std::string_view> fields_;
  std::string text_;               // content of a record with quotes
  std::vector<std::size_t> ends_;  // where its fields end in text_
  mutable std::vector<std::string>
      written_;  // numbers of columns that somebody wants as text; a reader is one thread's
  std::uint64_t line_ = 0;
  bool pending_ = false;  // the record in fields_ is still to be given out
  bool header_is_data_ = false;
};

/// Appends a field, in quotes if it needs them.
void append_csv_field(std::string& out, std::string_view field, char delimiter = ',');

}  // namespace fogline::io
