// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.hpp"
#include "io/graph_file.hpp"
#include "random/key.hpp"
#include "weights/grid.hpp"
#include "weights/mechanisms/mechanism.hpp"

namespace fogline::weights {

struct StreamOptions {
  io::GraphFormat format = io::GraphFormat::by_suffix;  ///< CSV or edge list
  bool directed = false;                                ///< then a,b and b,a are two edges
  Rounding rounding = Rounding::refuse;
  std::uint64_t most_in_memory =
      4'000'000;           ///< edges whose names are compared in memory; more go to a temporary file
  int threads = 0;         ///< 0 (all cores) to 1,024
  Progress progress = {};  ///< called now and then; may cancel
  io::ColumnMap columns = {};
};

/// What a first reading of a file of edges found.
struct EdgeSurvey {
  std::uint64_t edges = 0;
  std::uint64_t fingerprint =
      0;  ///< of the edges' names and order, to notice a file that changes; stays in memory
  /// How many edges each point of a finite grid of at most 20,000 points has; PRIVATE.
  std::vector<std::int64_t> histogram = {};
  io::ColumnReport columns = {};
};

/// Reads a file of edges once and checks everything that could be wrong with it, before anything is charged: fields, ends, weights, the public
/// range and grid, edges given twice. Memory does not grow with the file.
///
///     EdgeSurvey found = survey_edges("calls.csv", grid, {.threads = 2});
///
/// Throws DataError with the first line that is wrong, and no private value; FileError; Cancelled.
/// Cost: below a microsecond an edge; 8 bytes an edge in a temporary file beyond `most_in_memory`.
EdgeSurvey survey_edges(const std::string& file, const WeightGrid& grid, const StreamOptions& options);

/// Reads the file again and writes every edge with a weight drawn for it, CSV `source,target,weight`, in the order of the file. Memory does not grow
/// with the file. Weights are those of draw_all and EdgeMechanism::weight.
///
/// Throws DataError if the file is not the one that was surveyed. Cost: below a microsecond an edge.
void release_edges(const std::string& file, const EdgeMechanism& mechanism, const EdgeSurvey& survey,
                   const random::Key& key, const StreamOptions& options,
                   const std::function<void(std::string_view)>& write);

/// The same output for a graph and weights in memory: `source,target,weight`, weights in the shortest form that reads back the same.
std::string released_csv(const io::GraphTable& graph, std::span<const double> weights);

/// What a released file holds.
struct ReleasedSummary {
  std::uint64_t edges = 0;
  std::uint64_t others = 0;  ///< weights that may not be there
  std::string sha256_anew;   ///< of the file as it would be written for its edges and weights
};

/// Reads a released file, edge by edge; memory does not grow with it. Throws DataError for what is no file of edges.
ReleasedSummary read_released(const std::string& file, const std::function<bool(double)>& may_be);

}  // namespace fogline::weights
