// SPDX-License-Identifier: Apache-2.0
#include "io/graph_file.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "io/csv.hpp"
#include "io/graph_builder.hpp"
#include "io/graph_columns.hpp"
#include "io/numbers.hpp"
#include "io/tntp.hpp"
#include "io/words.hpp"

namespace fogline::io {
namespace {

GraphTable read_csv(TextSource& source, const GraphReadOptions& options) {
  CsvReader csv(source, {});
  const GraphColumns columns = graph_columns(csv, options.columns);
  if (!columns.has_header) csv.take_header_as_record();
  GraphBuilder builder(source.name(), options, false);
  while (csv.next()) {
    EdgeRecord edge{
        .source = csv.trimmed(columns.source), .target = csv.trimmed(columns.target), .line = csv.line()};
    if (columns.weight) edge.weight = csv.number_or_nan(*columns.weight);
    builder.add(edge);
  }
  GraphTable table = std::move(builder).finish();
  table.columns = columns.report;
  return table;
}

GraphTable read_edge_list(TextSource& source, const GraphReadOptions& options) {
  LineReader lines(source);
  GraphBuilder builder(source.name(), options, false);
  std::array<std::string_view, 3> word;
  std::size_t width = 0;
  for (std::string_view line; lines.next(line);) {
    line = trim(line);
    if (line.empty() || line.front() == '#' || line.front() == '%') continue;
    const FileSpot spot{source.name(), lines.line_number()};
    if (line.front() == '*') {
      throw DataError(spot, "looks like a Pajek file", "keep only its edges, a line \"u v weight\" each");
    }
    const std::size_t count = split_words(line, word);
    if (count > 3) throw DataError(spot, "has more than three values", "write \"u v\" or \"u v weight\"");
    if (width == 0 && count > 1) width = count;
    if (count > 1 && count != width) {
      throw DataError(spot, "has a weight where others have none, or none where others have one",
                      "write a weight on every line or on none");
    }
    EdgeRecord edge{.source = word[0], .target = count > 1 ? word[1] : "", .line = lines.line_number()};
    if (count == 3) edge.weight = weight_or_nan(word[2]);
    builder.add(edge);
  }
  return std::move(builder).finish();
}

}  // namespace

GraphFormat graph_format_of(const std::string& file) {
  const std::string name = name_for_suffix(file);
  if (name.ends_with(".csv") || name.ends_with(".tsv")) return GraphFormat::csv;
  return name.ends_with(".tntp") ? GraphFormat::tntp : GraphFormat::edge_list;
}

GraphFormat graph_format_of_text(std::string_view start) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (start.starts_with(byte_order_mark)) start.remove_prefix(byte_order_mark.size());
  start.remove_prefix(std::min(start.find_first_not_of(" \t\r\n"), start.size()));
  const std::string_view line = start.substr(0, start.find('\n'));
  if (line.starts_with('<') || line.starts_with('~')) return GraphFormat::tntp;
  const bool is_comment = line.starts_with('#') || line.starts_with('%');
  const bool has_delimiter = line.find_first_of(",;\t") != std::string_view::npos;
  return line.empty() || (has_delimiter && !is_comment) ? GraphFormat::csv : GraphFormat::edge_list;
}

GraphFormat graph_format_of_start(TextSource& source) {
  constexpr std::size_t bytes_that_tell = 1024;  // blank lines may come first, and headers may be long
  return graph_format_of_text(source.peek(bytes_that_tell));
}

GraphTable read_graph(TextSource& source, const GraphReadOptions& options) {
  const auto told_by_source = [&] {
    if (source.columns() != nullptr) return GraphFormat::csv;
    return source.is_standard_input() ? graph_format_of_start(source) : graph_format_of(source.name());
  };
  const GraphFormat format = options.format == GraphFormat::by_suffix ? told_by_source() : options.format;
  if (format == GraphFormat::csv) return read_csv(source, options);
  options.columns.refuse_if_given(format == GraphFormat::tntp ? "TNTP" : "an edge list");
  if (format == GraphFormat::tntp) return read_tntp(source, options);
  return read_edge_list(source, options);
}

GraphTable read_graph(const std::string& file, const GraphReadOptions& options) {
  TextSource source = TextSource::from_file(file, options.progress);
  return read_graph(source, options);
}

}  // namespace fogline::io
