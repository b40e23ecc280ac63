// SPDX-License-Identifier: Apache-2.0
#include "weights/estimates/groups.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "base/error.hpp"
#include "io/csv.hpp"
#include "weights/graph/edge_columns.hpp"
#include "weights/graph/edge_lookup.hpp"

namespace fogline::weights {
namespace {

constexpr std::uint32_t no_group = std::numeric_limits<std::uint32_t>::max();
/// Classes of a feature that may be asked for: as many as 16 bits number, far more than any graph has edges enough for to learn from.
constexpr std::uint32_t most_classes = 65'536;

/// Numbers groups by the order in which they appear, so that none is empty.
class Numbering {
 public:
  std::uint32_t number_of(std::uint64_t key) {
    return number_.emplace(key, static_cast<std::uint32_t>(number_.size())).first->second;
  }
  std::uint32_t count() const { return static_cast<std::uint32_t>(number_.size()); }

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> number_;
};

/// The last class of degrees, from 10^9 on: the line after it would leave 64 bits, and no graph has such a vertex (vertices and edges have
/// numbers of 32 bits).
constexpr std::uint64_t last_degree_class = 18;
/// A pair of classes makes one key, smaller * degree_classes + larger: so many that no two pairs share one.
constexpr std::uint64_t degree_classes = 64;
static_assert(last_degree_class < degree_classes);

/// 1 to 3: 0; 4 to 9: 1; 10 to 31: 2; 32 to 99: 3 and so on. In integers: every machine must draw the same line.
std::uint64_t degree_class(std::uint64_t degree) {
  std::uint64_t of = 0;
  // Two to a factor of ten: a degree d is past the k-th line if d^2 >= 10^k.
  for (std::uint64_t line = 10; degree * degree >= line && of < last_degree_class; line *= 10) ++of;
  return of;
}

EdgeGroups by_degrees(std::size_t vertices, std::span<const std::uint32_t> source,
                      std::span<const std::uint32_t> target) {
  std::vector<std::uint64_t> degree(vertices);
  for (std::size_t e = 0; e < source.size(); ++e) {
    ++degree[source[e]];
    ++degree[target[e]];
  }
  Numbering groups;
  EdgeGroups result;
  result.of.reserve(source.size());
  for (std::size_t e = 0; e < source.size(); ++e) {
    const auto [smaller, larger] = std::minmax(degree[source[e]], degree[target[e]]);
    result.of.push_back(groups.number_of(degree_class(smaller) * degree_classes + degree_class(larger)));
  }
  result.count = groups.count();
  return result;
}

}  // namespace

EdgeGroups one_group(std::size_t edges) {
  return {.of = std::vector<std::uint32_t>(edges), .count = edges > 0 ? 1U : 0U};
}

EdgeGroups degree_groups(const io::GraphTable& graph) {
  return by_degrees(graph.vertex_count(), graph.source, graph.target);
}

EdgeGroups degree_groups(const GraphShape& shape) {
  return by_degrees(shape.vertices, shape.source, shape.target);
}

EdgeGroups quantile_groups(std::span<const double> feature, std::uint32_t classes) {
  if (classes < 1 || classes > most_classes) throw InvalidOption("classes", "must be 1 to 65,536");
  std::vector<double> sorted(feature.begin(), feature.end());
  if (std::any_of(sorted.begin(), sorted.end(), [](double value) { return !std::isfinite(value); }))
    throw InvalidOption("feature", "must be a number for each edge");
  std::sort(sorted.begin(), sorted.end());
  Numbering groups;
  EdgeGroups result;
  for (const double value : feature) {
    const auto rank =
        static_cast<std::uint64_t>(std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin());
    result.of.push_back(groups.number_of(rank * classes / sorted.size()));
  }
  result.count = groups.count();
  return result;
}

EdgeGroups read_groups(io::TextSource& source, const io::GraphTable& graph) {
  constexpr std::string_view example = "source,target,group";
  constexpr std::array<std::string_view, 2> names = {"group", "class"};
  io::CsvReader csv(source, {});
  const EdgeLookup lookup(graph);
  const EdgeColumns edges(csv, "", lookup, example);
  const std::size_t group_column = csv.require_column("group", names, example);
  io::NameTable groups;
  EdgeGroups result{.of = std::vector<std::uint32_t>(graph.edge_count(), no_group)};
  while (csv.next()) {
    const std::uint32_t edge = edges.edge();
    if (result.of[edge] != no_group) edges.fail_repeated();
    if (csv.trimmed(group_column).empty()) csv.fail(group_column, "is empty", "name the edge's group");
    result.of[edge] = groups.intern(csv.trimmed(group_column));
  }
  result.count = static_cast<std::uint32_t>(groups.size());
  const bool some_left = std::find(result.of.begin(), result.of.end(), no_group) != result.of.end();
  if (some_left) std::replace(result.of.begin(), result.of.end(), no_group, result.count++);
  return result;
}

EdgeGroups read_groups(const std::string& file, const io::GraphTable& graph) {
  io::TextSource source = io::TextSource::from_file(file);
  return read_groups(source, graph);
}

std::vector<double> free_flow_times(const io::GraphTable& graph, const io::GraphTable& network) {
  if (network.free_flow_time.size() != network.edge_count())
    throw DataError({network.source_name}, "there are no free-flow times",
                    "give a TNTP network (..._net.tntp)");
  const EdgeLookup links(network);
  std::vector<double> times;
  times.reserve(graph.edge_count());
  for (std::size_t e = 0; e < graph.edge_count(); ++e) {
    const auto link = links.find(graph.vertices.name(graph.source[e]), graph.vertices.name(graph.target[e]));
    if (!link)
      throw DataError({graph.source_name, graph.line[e]}, "the network has no link between these ends",
                      "give the network that the graph belongs to");
    times.push_back(network.free_flow_time[*link]);
  }
  return times;
}

}  // namespace fogline::weights
