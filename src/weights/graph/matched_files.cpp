// SPDX-License-Identifier: Apache-2.0
#include "weights/graph/matched_files.hpp"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "base/error.hpp"

namespace fogline::weights {
namespace {

const io::GraphReadOptions strict = {.self_loops = io::OddEdge::refuse,
                                     .repeats = io::RepeatedEdge::refuse,
                                     .unweighted = io::OddEdge::refuse};

std::uint64_t key_of(std::uint32_t source, std::uint32_t target, bool directed) {
  if (!directed && source > target) std::swap(source, target);
  return (std::uint64_t{source} << 32) | target;
}

/// The original's number of each vertex of the release, or nothing.
std::vector<std::optional<std::uint32_t>> numbers_in(const io::GraphTable& original,
                                                     const io::GraphTable& released) {
  std::vector<std::optional<std::uint32_t>> numbers;
  numbers.reserve(released.vertex_count());
  for (const std::string& name : released.vertices.names()) numbers.push_back(original.vertices.find(name));
  return numbers;
}

}  // namespace

std::vector<double> match_weights(const io::GraphTable& original, const io::GraphTable& released) {
  std::unordered_map<std::uint64_t, std::size_t> edge_of;
  edge_of.reserve(original.edge_count());
  for (std::size_t e = 0; e < original.edge_count(); ++e)
    edge_of.emplace(key_of(original.source[e], original.target[e], original.directed), e);

  const auto number = numbers_in(original, released);
  std::vector<double> weights(original.edge_count());
  std::vector<bool> is_found(original.edge_count());
  for (std::size_t e = 0; e < released.edge_count(); ++e) {
    const auto source = number[released.source[e]], target = number[released.target[e]];
    const auto found =
        source && target ? edge_of.find(key_of(*source, *target, original.directed)) : edge_of.end();
    if (found == edge_of.end())
      throw DataError({released.source_name, released.line[e]},
                      fmt::format("the edge is not in {}", original.source_name),
                      "give the release of that graph");
    weights[found->second] = released.weight[e];
    is_found[found->second] = true;
  }
  const auto missing = std::find(is_found.begin(), is_found.end(), false);
  if (missing != is_found.end())
    throw DataError(
        {original.source_name, original.line[static_cast<std::size_t>(missing - is_found.begin())]},
        fmt::format("the edge is not in {}", released.source_name), "give the release of that graph");
  return weights;
}

MatchedGraphs read_matched(const std::string& original, const std::string& released,
                           const MatchOptions& options) {
  io::GraphReadOptions reading = strict;
  reading.directed = options.directed;
  reading.columns = options.columns;
  const io::GraphTable first = io::read_graph(original, reading);
  reading.directed = first.directed;
  reading.columns = {};
  const io::GraphTable second = io::read_graph(released, reading);
  return {.shape = shape_of(first),
          .weight = first.weight,
          .released = match_weights(first, second),
          .columns = first.columns};
}

}  // namespace fogline::weights
