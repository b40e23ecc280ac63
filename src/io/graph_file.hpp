// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/warnings.hpp"
#include "io/columns.hpp"
#include "io/input_file.hpp"
#include "io/name_table.hpp"

namespace fogline::io {

/// A weighted graph as plain columns, one entry per edge, in the order of the file.
///
/// Vertices are numbered 0 to vertices.size() - 1: in order of their value if all are called by whole numbers
/// (so numbers 0 to n - 1 stay as they are), else in the order they first appear.
struct GraphTable {
  std::string source_name;  ///< file name, for messages
  bool directed = false;
  bool weighted = true;  ///< false: the file has no weights and every weight is 1
  NameTable vertices;    ///< what the file calls them
  std::vector<std::uint32_t> source;
  std::vector<std::uint32_t> target;
  std::vector<double> weight;
  std::vector<std::uint64_t> line;     ///< where each edge was found, from 1
  std::vector<double> length;          ///< TNTP net only, in the file's unit
  std::vector<double> free_flow_time;  ///< TNTP net only, in the file's unit
  std::vector<double> cost;            ///< TNTP flow only: travel time at that volume
  ColumnReport columns;                ///< CSV only
  Warnings warnings;

  std::size_t edge_count() const { return source.size(); }
  std::size_t vertex_count() const { return vertices.size(); }
};

enum class GraphFormat : std::uint8_t { by_suffix, csv, edge_list, tntp };

/// What to do with an edge that is odd: stop with a DataError, leave it out, or keep it. Leaving out and
/// keeping count a warning.
enum class OddEdge : std::uint8_t { refuse, drop, keep };

/// What to do with a second edge between the same vertices (in either direction unless directed).
enum class RepeatedEdge : std::uint8_t {
  refuse,
  drop_equal,  ///< leave it out if its weight is the same, else stop with a DataError
  drop,        ///< leave it out
  sum,         ///< add its weight to the first one's
  keep
};

struct GraphReadOptions {
  GraphFormat format = GraphFormat::by_suffix;
  std::optional<bool> directed{};  ///< default: TNTP is, the others are not
  OddEdge self_loops = OddEdge::drop;
  RepeatedEdge repeats = RepeatedEdge::drop_equal;
  OddEdge negative_weights = OddEdge::refuse;
  OddEdge bad_weights = OddEdge::refuse;   ///< NaN, infinite, no number, empty; not keep
  OddEdge missing_ends = OddEdge::refuse;  ///< an empty source or target; not keep
  OddEdge unweighted = OddEdge::keep;      ///< a file without weights: weight 1; not drop
  ColumnMap columns{};                     ///< CSV only
  Progress progress = {};                  ///< told of the bytes of a file that is read; may cancel
};

/// Reads a weighted graph: CSV `source,target,weight`, a white-space edge list `u v [w]`, or TNTP network and
/// flow files, plain or gzipped; docs/formats.md describes each.
///
///     GraphTable graph = read_graph("roads.csv", {.negative_weights = OddEdge::drop});
///     for (std::size_t e = 0; e < graph.edge_count(); ++e) use(graph.source[e], graph.target[e],
///     graph.weight[e]);
///
/// DataError with file and line for anything the options refuse, for lines with too few or too many fields,
/// for a file without edges, and for a TNTP file whose link count does not match.
/// Limits: 2^32 - 2 vertices. Cost: one pass; memory grows with the edges.
GraphTable read_graph(const std::string& file, const GraphReadOptions& options);
GraphTable read_graph(TextSource& source, const GraphReadOptions& options);

/// The format a file name stands for: .csv and .tsv, .tntp, and edge list for every other; each also with
/// .gz.
GraphFormat graph_format_of(const std::string& file);

/// The format of a graph by how its text begins, as on standard input, which has no suffix: `<` and `~` begin TNTP, a
/// first line with a comma, semicolon or tab is CSV, any other an edge list, and so is one that begins with # or %.
GraphFormat graph_format_of_text(std::string_view start);
GraphFormat graph_format_of_start(TextSource& source);  ///< the same; takes nothing away from the source

}  // namespace fogline::io
