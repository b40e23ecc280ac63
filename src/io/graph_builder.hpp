// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "io/graph_file.hpp"

namespace fogline::io {

/// One edge as a reader found it. No weight: the file has none. Not a number: the weight could not be read.
struct EdgeRecord {
  std::string_view source;
  std::string_view target;
  std::optional<double> weight{};
  std::uint64_t line = 0;
  std::optional<double> length{};
  std::optional<double> free_flow_time{};
  std::optional<double> cost{};
};

/// Applies the options to edges one by one and gathers them into a GraphTable: what every reader of graphs
/// shares.
///
///     GraphBuilder builder(source.name(), options, false);
///     builder.add({.source = "a", .target = "b", .weight = 2.0, .line = 1});
///     return std::move(builder).finish();
class GraphBuilder {
 public:
  GraphBuilder(std::string source_name, const GraphReadOptions& options, bool directed_by_default);

  void add(const EdgeRecord& record);
  GraphTable finish() &&;  ///< DataError if there is no edge
  Warnings& warnings() { return table_.warnings; }

 private:
  bool passes(OddEdge policy, std::string_view what, std::string_view what_to_try, std::uint64_t line);
  bool accept_weight(double weight, std::uint64_t line);
  bool accept_repeat(std::uint32_t source, std::uint32_t target, double weight, std::uint64_t line);
  void sort_numbered_vertices();

  GraphTable table_;
  GraphReadOptions options_;
  RecordCounter counter_;
  std::unordered_map<std::uint64_t, std::size_t> edge_of_;  // the first edge of each pair
  bool any_weight_ = false;
};

/// A weight as written, or not-a-number if it is not one finite number.
double weight_or_nan(std::string_view text);

}  // namespace fogline::io
