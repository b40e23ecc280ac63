// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/graph_file.hpp"
#include "weights/graph/shape.hpp"

namespace fogline::weights {

/// Edges put into groups by what is public about them: edges of a group are taken to have weights of one distribution when a prior is
/// learned (weights/estimates/estimate.hpp).
///
///     EdgeGroups groups = degree_groups(graph);
///     groups.of[3] < groups.count;
///
/// Groups come from the shape of the graph or from a public file, never from weights.
struct EdgeGroups {
  std::vector<std::uint32_t> of = {};  ///< of each edge: 0 to count - 1
  std::uint32_t count = 0;             ///< no group is empty
};

EdgeGroups one_group(std::size_t edges);

/// By the number of edges at the two ends, the smaller and the larger: classes 1 to 3, 4 to 9, 10 to 31, 32 to 99 and so on, two to a factor of ten.
/// Busy places tend to have busy edges. Directed or not, both directions count. Cost: linear.
EdgeGroups degree_groups(const io::GraphTable& graph);
EdgeGroups degree_groups(const GraphShape& shape);

/// Chosen, not derived; ten to fifteen groups by degrees hardly differed: docs/mechanisms/estimate.md.
inline constexpr std::uint32_t usual_classes = 10;

/// By a public number of each edge, such as its free-flow time: at most `classes` groups of about the same size; equal numbers are never parted.
/// `classes` 1 to 65,536. Throws InvalidOption.
EdgeGroups quantile_groups(std::span<const double> feature, std::uint32_t classes = usual_classes);

/// Reads `source,target,group`, a name of the group of each edge; docs/formats.md has the details.
///
/// DataError with file and line: an edge that the graph does not have or that came before, an empty name. Edges that the file does not name form a
/// group of their own.
EdgeGroups read_groups(const std::string& file, const io::GraphTable& graph);
EdgeGroups read_groups(io::TextSource& source, const io::GraphTable& graph);

/// The free-flow time of each edge of a graph (a TNTP flow file, or the network itself), found in a TNTP network by the names of its ends.
/// DataError, naming the network, if it has no free-flow times or lacks an edge.
std::vector<double> free_flow_times(const io::GraphTable& graph, const io::GraphTable& network);

}  // namespace fogline::weights
