// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/graph_file.hpp"
#include "weights/graph/shape.hpp"

namespace fogline::weights {

/// A private graph and a release of it: one shape and two columns of weights.
struct MatchedGraphs {
  GraphShape shape;
  std::vector<double> weight;
  std::vector<double> released;
  io::ColumnReport columns = {};  ///< of the original
};

struct MatchOptions {
  std::optional<bool> directed = {};  ///< of both; default: what the original's format says
  io::ColumnMap columns = {};         ///< of the original
};

/// Reads both files and matches their edges by the names of their ends, either way round unless directed.
///
///     MatchedGraphs graphs = read_matched("graph.csv", "safe.csv", {});
///
/// DataError, with file and line, for an edge that only one of the files has, and in either file for a repeated edge, a self-loop, a missing end, a
/// weight that is missing, negative or no number, and a file without edges. FileError if a file cannot be read.
MatchedGraphs read_matched(const std::string& original, const std::string& released,
                           const MatchOptions& options);

/// The released weight of every edge of the original, in its order.
std::vector<double> match_weights(const io::GraphTable& original, const io::GraphTable& released);

}  // namespace fogline::weights
