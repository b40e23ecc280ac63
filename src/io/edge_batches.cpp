// SPDX-License-Identifier: Apache-2.0
#include "io/edge_batches.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "base/error.hpp"
#include "io/graph_builder.hpp"
#include "io/numbers.hpp"
#include "io/words.hpp"

namespace fogline::io {
namespace {

constexpr std::size_t read_size = std::size_t{1} << 18;
constexpr std::string_view no_weight_advice =
    "add a third column, or name that of a CSV file with `columns` weight=NAME";

}  // namespace

EdgeBatches::EdgeBatches(TextSource& source, const Options& options)
    : source_(source), options_(options), counter_(source.limits()) {
  if (options.edges_per_batch < 1) throw InvalidOption("edges_per_batch", "must be at least 1");
  const GraphFormat format =
      options.format == GraphFormat::by_suffix ? graph_format_of(source.name()) : options.format;
  if (format == GraphFormat::tntp) throw InvalidOption("format", "must be CSV or an edge list");
  is_csv_ = format == GraphFormat::csv;
  if (!is_csv_) options.columns.refuse_if_given("an edge list");
  read_more();
  if (pending_.starts_with("\xEF\xBB\xBF")) position_ = 3;
  if (is_csv_) read_header();
}

bool EdgeBatches::read_more() {
  if (at_end_) return false;
  const std::size_t old = pending_.size();
  pending_.resize(old + read_size);
  const std::size_t got = source_.read(pending_.data() + old, read_size);
  pending_.resize(old + got);
  at_end_ = got == 0;
  if (got > 0 && std::memchr(pending_.data() + old, '\0', got) != nullptr)
    throw DataError({source_.name()}, "holds a NUL byte", "is it a text file?");
  return !at_end_;
}

/// Forgets the lines that were taken, once there are enough of them to be worth the move: skipped ones may go on for long.
void EdgeBatches::drop_taken() {
  if (position_ < read_size) return;
  pending_.erase(0, position_);
  position_ = 0;
}

/// The next line without its ending, good until more is read.
bool EdgeBatches::take_line(std::string_view& line) {
  std::size_t searched = position_;
  while (true) {
    if (const std::size_t end = pending_.find('\n', searched); end != std::string::npos) {
      line = std::string_view(pending_).substr(position_, end - position_);
      position_ = end + 1;
      break;
    }
    searched = pending_.size();
    if (searched - position_ > source_.limits().line) refuse_line();
    if (read_more()) continue;
    if (position_ == pending_.size()) return false;
    line = std::string_view(pending_).substr(position_);
    position_ = pending_.size();
    break;
  }
  if (line.size() > source_.limits().line) refuse_line();
  ++line_number_;
  if (line.ends_with('\r')) line.remove_suffix(1);
  return true;
}

void EdgeBatches::refuse_line() const {
  refuse_over(&ReadLimits::line, source_.limits().line, {source_.name(), line_number_ + 1});
}

void EdgeBatches::read_header() {
  std::string_view line;
  std::size_t begin = 0;
  do {
    drop_taken();
    begin = position_;
    if (!take_line(line))
      throw DataError({source_.name()}, "holds no edges", "check that the file is complete");
  } while (line.empty());
  header_ = line;
  TextSource text = TextSource::from_memory(source_.name(), header_ + "\n");
  const CsvReader csv(text, {});
  columns_ = graph_columns(csv, options_.columns);
  delimiter_ = csv.delimiter();
  field_count_ = csv.header().size();
  if (columns_.has_header) return;
  position_ = begin;
  --line_number_;
}

bool EdgeBatches::is_edge(std::string_view line) const {
  if (is_csv_) return !line.empty();
  const std::string_view text = trim(line);
  return !text.empty() && text.front() != '#' && text.front() != '%';
}

bool EdgeBatches::next(EdgeBatch& batch) {
  batch.text.clear();
  batch.lines.clear();
  batch.first_edge = edges_;
  while (batch.lines.size() < options_.edges_per_batch) {
    std::string_view line;
    drop_taken();
    if (!take_line(line)) break;
    if (!is_edge(line)) continue;
    counter_.add([&] { return FileSpot{source_.name(), line_number_}; });
    batch.lines.push_back({batch.text.size(), line.size(), line_number_});
    batch.text += line;
  }
  edges_ += batch.lines.size();
  if (edges_ == 0) throw DataError({source_.name()}, "holds no edges", "check that the file is complete");
  return !batch.lines.empty();
}

EdgeView EdgeBatches::edge(const EdgeBatch& batch, std::size_t index, EdgeScratch& scratch) const {
  const EdgeBatch::Line& at = batch.lines[index];
  const auto line = std::string_view(batch.text).substr(at.begin, at.size);
  if (!is_csv_) return from_words(line, at.number);
  return line.find('"') == std::string_view::npos ? from_fields(line, at.number)
                                                  : from_quoted(line, at.number, scratch);
}

void EdgeBatches::fail(std::uint64_t line, std::string_view problem, std::string_view what_to_try) const {
  throw DataError({source_.name(), line}, problem, what_to_try);
}

EdgeView EdgeBatches::checked(const EdgeView& edge, std::string_view weight) const {
  if (edge.source.empty() || edge.target.empty())
    fail(edge.line, "an end of the edge is missing", "write source, target and weight");
  const double value = weight_or_nan(weight);
  if (!std::isfinite(value)) {
    fail(edge.line, "the weight is not a finite number",
         "write it with a decimal point, such as 2.5, or leave such edges out");
  }
  if (edge.source == edge.target) fail(edge.line, "the edge is a self-loop", "leave such edges out");
  return {edge.source, edge.target, value, edge.line};
}

EdgeView EdgeBatches::from_words(std::string_view line, std::uint64_t number) const {
  std::array<std::string_view, 3> word;
  const std::string_view text = trim(line);
  if (text.front() == '*')
    fail(number, "looks like a Pajek file", "keep only its edges, a line \"u v weight\" each");
  const std::size_t count = split_words(text, word);
  if (count > 3) fail(number, "has more than three values", "write \"u v weight\"");
  if (count < 2) fail(number, "an end of the edge is missing", "write source, target and weight");
  if (count < 3) fail(number, "the edge has no weight", "add a third column");
  return checked({word[0], word[1], 0, number}, word[2]);
}

EdgeView EdgeBatches::from_fields(std::string_view line, std::uint64_t number) const {
  if (!columns_.weight) fail(number, "the edge has no weight", no_weight_advice);
  std::string_view source, target, weight;
  std::size_t field = 0;
  for (std::size_t begin = 0; begin <= line.size(); ++field) {
    const std::size_t end = std::min(line.find(delimiter_, begin), line.size());
    const std::string_view text = line.substr(begin, end - begin);
    if (field == columns_.source) source = text;
    if (field == columns_.target) target = text;
    if (field == *columns_.weight) weight = text;
    begin = end + 1;
  }
  if (field != field_count_) {
    fail(number,
         field < field_count_ ? "has fewer fields than the header" : "has more fields than the header",
         "write source, target and weight on every line");
  }
  return checked({trim(source), trim(target), 0, number}, trim(weight));
}

EdgeView EdgeBatches::from_quoted(std::string_view line, std::uint64_t number, EdgeScratch& scratch) const {
  if (!columns_.weight) fail(number, "the edge has no weight", no_weight_advice);
  const LimitScope scope(source_.limits());  // this may be another thread than the one that opened the file
  std::string text = header_ + "\n";
  text += line;
  TextSource both = TextSource::from_memory(source_.name(), std::move(text));
  std::string weight;
  try {
    CsvReader csv(both, {.delimiter = delimiter_});
    csv.next();
    scratch.source = csv.trimmed(columns_.source);
    scratch.target = csv.trimmed(columns_.target);
    weight = csv.trimmed(*columns_.weight);
  } catch (const DataError&) {  // it knows the line by another number
    fail(number, "has a quoted field that does not end on this line, or a wrong number of fields",
         "write source, target and weight on every line");
  }
  return checked({scratch.source, scratch.target, 0, number}, weight);
}

}  // namespace fogline::io
