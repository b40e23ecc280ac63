// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "io/graph_file.hpp"
#include "weights/distances/distances.hpp"
#include "weights/grid.hpp"

namespace fogline::weights {

/// From which vertices to which others distances are wanted. PUBLIC.
struct WantedDistances {
  struct FromOne {
    Topology::Vertex source = 0;
    std::vector<Topology::Vertex> targets = {};
  };
  std::vector<FromOne> sources = {};

  std::uint64_t pairs() const;
};

/// Every pair once; in a directed graph, once each way.
WantedDistances all_distances(const Topology& graph);

/// From some vertices, by name, to all others. Throws InvalidOption, naming `from`, for a name the graph does not have.
WantedDistances distances_from(const io::GraphTable& table, std::span<const std::string> names);

/// The pairs of a public CSV file `source,target`, in its order where sources follow each other. Throws DataError with the line; FileError.
WantedDistances read_wanted(const std::string& file, const io::GraphTable& table);

/// The private part: the weight of each edge in units. Throws DataError with the line of a weight that is not on the grid, without telling it.
std::vector<std::int64_t> whole_weights(const io::GraphTable& table, const WeightGrid& grid,
                                        Rounding rounding);

struct DistanceText {
  std::string csv = {};           ///< source,target,distance
  std::uint64_t records = 0;      ///< lines after the first
  std::uint64_t unreachable = 0;  ///< pairs that no way joins, left out
};

struct DistanceTextOptions {
  int threads = 0;         ///< 0 (all cores) to 1,024; the result does not depend on it
  Progress progress = {};  ///< told of the sources; may cancel
};

/// Writes what is wanted. Distances are whole numbers of the grid's unit, written exactly.
DistanceText distance_text(const io::GraphTable& table, const Distances& distances,
                           const WantedDistances& wanted, const WeightGrid& grid,
                           const DistanceTextOptions& options = {});

}  // namespace fogline::weights
