// SPDX-License-Identifier: Apache-2.0
#include "io/csv.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/numbers.hpp"
#include "io/words.hpp"

namespace fogline::io {
namespace {

std::string normalise(std::string_view name) {
  std::string result = lower_case(trim(name));
  for (char& c : result) {
    if (c == ' ' || c == '-') c = '_';
  }
  return result;
}

char most_frequent_delimiter(std::string_view line) {
  std::array<std::size_t, 3> counts{};
  constexpr std::string_view candidates = ",;\t";
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    const std::size_t which = quoted ? std::string_view::npos : candidates.find(c);
    if (which != std::string_view::npos) ++counts[which];
  }
  return candidates[static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) -
                                             counts.begin())];
}

}  // namespace

CsvReader::CsvReader(TextSource& source, const Options& options)
    : lines_(source),
      columns_(source.columns()),
      max_columns_(source.limits().columns),
      counter_(source.limits()),
      delimiter_(options.delimiter) {
  if (delimiter_ != '\0' && std::string_view(",;\t").find(delimiter_) == std::string_view::npos) {
    throw InvalidOption("delimiter", "must be a comma, a semicolon or a tab");
  }
  if (columns_ != nullptr) {
    for (const ColumnSet::Column& column : columns_->columns()) header_.push_back(column.name);
    if (header_.empty()) throw DataError({lines_.name()}, "there are none", "give at least one column");
    if (header_.size() > max_columns_) refuse_over(&ReadLimits::columns, max_columns_, {lines_.name()});
    delimiter_ = ',';
    written_.resize(header_.size());
    std::transform(header_.begin(), header_.end(), std::back_inserter(names_), normalise);
    return;
  }
  if (!read_record()) throw DataError({lines_.name()}, "the file is empty");
  pending_ = !options.header.empty();
  if (pending_) {
    // The given header goes by commas, whatever the file uses.
    for (std::string_view rest = options.header;;) {
      const std::size_t comma = rest.find(',');
      header_.emplace_back(rest.substr(0, comma));
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
    check_field_count();
  } else {
    header_.assign(fields_.begin(), fields_.end());
  }
  std::transform(header_.begin(), header_.end(), std::back_inserter(names_), normalise);
}

bool CsvReader::read_record() {
  std::string_view line;
  do {
    if (!lines_.next(line)) return false;
  } while (line.empty());
  line_ = lines_.line_number();
  if (delimiter_ == '\0') delimiter_ = most_frequent_delimiter(line);
  if (std::memchr(line.data(), '"', line.size()) == nullptr) {
    split_plain(line);
  } else {
    split_quoted(line);
  }
  if (fields_.size() > max_columns_) refuse_over(&ReadLimits::columns, max_columns_, spot());
  return true;
}

void CsvReader::split_plain(std::string_view line) {
  fields_.clear();
  const char delimiter = delimiter_;  // a local stays in a register; the member is read again for each byte
  const char* begin = line.data();
  const char* const end = begin + line.size();
  for (const char* c = begin; c != end; ++c) {
    if (*c != delimiter) continue;
    fields_.emplace_back(begin, static_cast<std::size_t>(c - begin));
    begin = c + 1;
  }
  fields_.emplace_back(begin, static_cast<std::size_t>(end - begin));
}

void CsvReader::split_quoted(std::string_view line) {
  enum class At { start, plain, quoted, after_quote } at = At::start;
  text_.clear();
  ends_.clear();
  for (;;) {
    for (const char c : line) {
      if (at == At::quoted) {
        if (c == '"') {
          at = At::after_quote;
        } else {
          text_ += c;
        }
      } else if (c == delimiter_) {
        ends_.push_back(text_.size());
        at = At::start;
      } else if (c == '"' && at == At::start) {
        at = At::quoted;
      } else if (c == '"' && at == At::after_quote) {
        text_ += c;
        at = At::quoted;
      } else if (c == '"' || at == At::after_quote) {
        throw DataError(spot(), "has a stray quote",
                        "put the whole field in quotes and double the quotes in it");
      } else {
        text_ += c;
        at = At::plain;
      }
    }
    if (at != At::quoted) break;
    text_ += '\n';
    if (text_.size() > lines_.max_line()) refuse_over(&ReadLimits::line, lines_.max_line(), spot());
    if (!lines_.next(line))
      throw DataError(spot(), "a quote is never closed", "check that the file is complete");
  }
  ends_.push_back(text_.size());
  fields_.clear();
  std::size_t begin = 0;
  for (const std::size_t end : ends_) {
    fields_.emplace_back(text_.data() + begin, end - begin);
    begin = end;
  }
}

void CsvReader::check_field_count() const {
  if (fields_.size() == header_.size()) return;
  throw DataError(spot(),
                  fmt::format("has {} fields where the header has {}", fields_.size(), header_.size()),
                  "check for missing or unquoted delimiters, or a file cut short");
}

bool CsvReader::read_row() {
  if (line_ == columns_->records()) return false;
  ++line_;
  count_record();
  return true;
}

std::string_view CsvReader::field_of_row(std::size_t column) const {
  const auto& values = columns_->columns()[column].values;
  const std::size_t row = line_ - 1;
  if (const auto* texts = std::get_if<ColumnSet::Texts>(&values)) return (*texts)[row];
  std::string& text = written_[column];
  if (const auto* numbers = std::get_if<ColumnSet::Numbers>(&values)) {
    if (!std::isfinite((*numbers)[row])) return {};  // missing, as a blank is: not somebody called nan or inf
    text = fmt::format("{}", (*numbers)[row]);       // the shortest text that is read back as the same number
  } else {
    text = fmt::format("{}", std::get<ColumnSet::Integers>(values)[row]);
  }
  return text;
}

FileSpot CsvReader::spot() const {
  return columns_ == nullptr ? FileSpot{lines_.name(), line_} : FileSpot{lines_.name(), 0, line_};
}

bool CsvReader::next() {
  if (columns_ != nullptr) return read_row();
  if (pending_) {
    pending_ = false;
    count_record();
    return true;
  }
  if (!read_record()) return false;
  check_field_count();
  count_record();
  return true;
}

void CsvReader::count_record() {
  counter_.add([&] { return spot(); });
}

bool CsvReader::header_is_numeric() const {
  return !is_columns() && std::all_of(header_.begin(), header_.end(), [](const std::string& name) {
    return parse_double(trim(name)).has_value();
  });
}

void CsvReader::take_header_as_record() {
  pending_ = true;
  header_is_data_ = true;
}

std::optional<std::size_t> CsvReader::find_column(std::span<const std::string_view> aliases) const {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (std::find(aliases.begin(), aliases.end(), names_[i]) == aliases.end()) continue;
    if (found) {
      throw DataError({lines_.name()},
                      fmt::format("columns {} and {} of the header mean the same", *found + 1, i + 1),
                      "rename one of them");
    }
    found = i;
  }
  return found;
}

std::size_t CsvReader::require_column(std::string_view meaning, std::span<const std::string_view> aliases,
                                      std::string_view example_header) const {
  if (const auto found = find_column(aliases)) return *found;
  // The first line may be data, hence private: it is never quoted.
  const std::string_view problem = header_is_numeric() ? "has no header" : "has no column for the";
  throw DataError({lines_.name()},
                  header_is_numeric() ? std::string(problem) : fmt::format("{} {}", problem, meaning),
                  fmt::format("let the first line be a header such as {} (the {} may be called {})",
                              example_header, meaning, fmt::join(aliases, ", ")));
}

std::string_view CsvReader::trimmed(std::size_t column) const {
  return trim(field(column));
}

double CsvReader::number_or_nan(std::size_t column) const {
  if (columns_ != nullptr) {
    const auto& values = columns_->columns()[column].values;
    if (const auto* numbers = std::get_if<ColumnSet::Numbers>(&values)) {
      const double number = (*numbers)[line_ - 1];
      return std::isfinite(number) ? number : std::numeric_limits<double>::quiet_NaN();
    }
  }
  if (const auto direct = parse_double(field(column))) return *direct;
  return parse_double(trimmed(column)).value_or(std::numeric_limits<double>::quiet_NaN());
}

double CsvReader::number(std::size_t column) const {
  const double number = number_or_nan(column);
  if (!std::isnan(number)) return number;
  const std::string_view text = trimmed(column);
  if (text.empty()) fail(column, "is empty", "fill it in or remove the line");
  fail(column, "is not a finite number", "write it with a decimal point, such as 13.377");
}

void CsvReader::fail(std::size_t column, std::string_view problem, std::string_view what_to_try) const {
  // A header that is data may be private: then the column goes by its number.
  const std::string name = header_is_data_ ? std::to_string(column + 1) : "\"" + header_[column] + "\"";
  throw DataError(spot(), fmt::format("column {} {}", name, problem), what_to_try);
}

void append_csv_field(std::string& out, std::string_view field, char delimiter) {
  const bool bare = std::none_of(field.begin(), field.end(), [&](char c) {
    return c == delimiter || c == '"' || c == '\n' || c == '\r';
  });
  const bool padded = field != trim(field);
  if (bare && !padded) {
    out += field;
    return;
  }
  out += '"';
  for (const char c : field) out.append(c == '"' ? 2 : 1, c);
  out += '"';
}

}  // namespace fogline::io
