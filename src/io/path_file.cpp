// SPDX-License-Identifier: Apache-2.0
#include "io/path_file.hpp"

#include <string_view>

#include "base/error.hpp"
#include "io/csv.hpp"
#include "io/numbers.hpp"

namespace fogline::io {

namespace {

PathFile read_column(TextSource& source) {
  CsvReader csv(source, {});
  if (csv.header().size() != 1)
    throw DataError({source.name()}, "are more than one", "give one column, of vertices");
  PathFile path;
  path.source = source.name();
  while (csv.next()) {
    if (csv.trimmed(0).empty()) throw DataError(csv.spot(), "names no vertex");
    path.vertex.emplace_back(csv.trimmed(0));
    path.line.push_back(csv.line());
  }
  if (path.vertex.empty()) throw DataError({source.name()}, "holds no vertices", "give at least one");
  return path;
}

}  // namespace

PathFile read_path(TextSource& source) {
  if (source.columns() != nullptr) return read_column(source);
  LineReader lines(source);
  RecordCounter counter(source.limits());
  PathFile path;
  path.source = source.name();
  bool first = true;
  for (std::string_view line; lines.next(line);) {
    line = trim(line);
    if (line.empty() || line.front() == '#') continue;
    if (line.find_first_of(",;\t") != std::string_view::npos) {
      throw DataError({source.name(), lines.line_number()}, "has more than one value",
                      "write one vertex per line");
    }
    const bool is_header = first && line == "vertex";
    first = false;
    if (is_header) continue;
    counter.add([&] { return FileSpot{source.name(), lines.line_number()}; });
    path.vertex.emplace_back(line);
    path.line.push_back(lines.line_number());
  }
  if (path.vertex.empty()) throw DataError({source.name()}, "holds no vertices", "write one vertex per line");
  return path;
}

PathFile read_path(const std::string& file) {
  TextSource source = TextSource::from_file(file);
  return read_path(source);
}

std::vector<std::uint32_t> vertices_of(const PathFile& path, const VertexLookup& lookup) {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(path.vertex.size());
  for (std::size_t i = 0; i < path.vertex.size(); ++i) {
    const auto number = lookup(path.vertex[i]);
    if (!number) throw DataError({path.source, path.line[i]}, "is not a vertex of the graph");
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace fogline::io
