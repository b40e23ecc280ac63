// SPDX-License-Identifier: Apache-2.0
#include "io/graph_file.hpp"

#include <array>
#include <string_view>

#include "io/csv.hpp"
#include "io/graph_builder.hpp"
#include "io/numbers.hpp"
#include "io/tntp.hpp"
#include "io/words.hpp"

namespace fogline::io {
namespace {

constexpr std::array<std::string_view, 9> source_names = {"source", "u",     "from",      "src",    "tail",
                                                          "node1",  "start", "init_node", "from_id"};
constexpr std::array<std::string_view, 10> target_names = {"target", "v",   "to",        "dst",   "dest",
                                                           "head",   "end", "term_node", "node2", "to_id"};
constexpr std::array<std::string_view, 8> weight_names = {"weight", "w",    "volume", "value",
                                                          "count",  "flow", "trips",  "length"};

GraphTable read_csv(TextSource& source, const GraphReadOptions& options) {
  constexpr std::string_view example = "source,target,weight";
  CsvReader csv(source, {});
  std::size_t from = 0;
  std::size_t to = 1;
  std::optional<std::size_t> weight;
  const std::size_t columns = csv.header().size();
  if (csv.header_is_numeric() && (columns == 2 || columns == 3)) {
    if (columns == 3) weight = 2;
    csv.take_header_as_record();
  } else {
    from = csv.require_column("source", source_names, example);
    to = csv.require_column("target", target_names, example);
    weight = csv.find_column(weight_names);
  }
  GraphBuilder builder(source.name(), options, false);
  while (csv.next()) {
    EdgeRecord edge{.source = csv.trimmed(from), .target = csv.trimmed(to), .line = csv.line()};
    if (weight) edge.weight = weight_or_nan(csv.trimmed(*weight));
    builder.add(edge);
  }
  return std::move(builder).finish();
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

GraphTable read_graph(TextSource& source, const GraphReadOptions& options) {
  const GraphFormat format =
      options.format == GraphFormat::by_suffix ? graph_format_of(source.name()) : options.format;
  if (format == GraphFormat::csv) return read_csv(source, options);
  if (format == GraphFormat::tntp) return read_tntp(source, options);
  return read_edge_list(source, options);
}

GraphTable read_graph(const std::string& file, const GraphReadOptions& options) {
  TextSource source = TextSource::from_file(file);
  return read_graph(source, options);
}

}  // namespace fogline::io
