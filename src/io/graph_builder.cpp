// SPDX-License-Identifier: Apache-2.0
#include "io/graph_builder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "io/numbers.hpp"

namespace fogline::io {

double weight_or_nan(std::string_view text) {
  return parse_double(text).value_or(std::numeric_limits<double>::quiet_NaN());
}

GraphBuilder::GraphBuilder(std::string source_name, const GraphReadOptions& options, bool directed_by_default)
    : options_(options) {
  if (options.bad_weights == OddEdge::keep) throw InvalidOption("bad_weights", "must be refuse or drop");
  if (options.missing_ends == OddEdge::keep) throw InvalidOption("missing_ends", "must be refuse or drop");
  if (options.unweighted == OddEdge::drop) throw InvalidOption("unweighted", "must be refuse or keep");
  table_.source_name = std::move(source_name);
  table_.directed = options.directed.value_or(directed_by_default);
}

bool GraphBuilder::passes(OddEdge policy, std::string_view what, std::string_view what_to_try,
                          std::uint64_t line) {
  const FileSpot spot{table_.source_name, line};
  if (policy == OddEdge::refuse) throw DataError(spot, what, what_to_try);
  const bool kept = policy == OddEdge::keep;
  table_.warnings.add(fmt::format("{} ({})", what, kept ? "kept" : "edge left out"), spot);
  return kept;
}

bool GraphBuilder::accept_weight(double weight, std::uint64_t line) {
  if (!std::isfinite(weight)) {
    return passes(options_.bad_weights, "the weight is not a finite number",
                  "write it with a decimal point, such as 2.5, or leave such edges out", line);
  }
  if (weight >= 0) return true;
  return passes(options_.negative_weights, "the weight is negative", "leave such edges out or allow them",
                line);
}

bool GraphBuilder::accept_repeat(std::uint32_t source, std::uint32_t target, double weight,
                                 std::uint64_t line) {
  if (options_.repeats == RepeatedEdge::keep) return true;
  const bool turned = !table_.directed && source > target;
  const std::uint64_t pair =
      turned ? std::uint64_t{target} << 32 | source : std::uint64_t{source} << 32 | target;
  const auto [entry, is_new] = edge_of_.try_emplace(pair, table_.edge_count());
  if (is_new) return true;
  double& first = table_.weight[entry->second];
  const FileSpot spot{table_.source_name, line};
  switch (options_.repeats) {
    case RepeatedEdge::drop_equal:
      if (weight == first) break;
      throw DataError(spot, "the edge was given before with another weight",
                      "say whether to drop later ones, to add the weights, or that the graph is directed");
    case RepeatedEdge::refuse:
      if (table_.source[entry->second] != source)
        throw DataError(spot, "the edge was given before, from its other end",
                        "edges go both ways here: remove one of them");
      throw DataError(spot, "the edge was given before", "remove one of them");
    case RepeatedEdge::sum:
      first += weight;
      if (!std::isfinite(first)) throw DataError(spot, "the sum of the weights is too large");
      table_.warnings.add("repeated edge added to the first", spot);
      return false;
    case RepeatedEdge::drop:
    case RepeatedEdge::keep:
      break;
  }
  table_.warnings.add("repeated edge left out", spot);
  return false;
}

void GraphBuilder::add(const EdgeRecord& record) {
  counter_.add([&] { return FileSpot{table_.source_name, record.line}; });
  if (record.source.empty() || record.target.empty()) {
    passes(options_.missing_ends, "an end of the edge is missing", "write source, target and weight",
           record.line);
    return;
  }
  if (!record.weight && options_.unweighted == OddEdge::refuse) {
    throw DataError({table_.source_name, record.line}, "the edge has no weight",
                    "add a third column, or name that of a CSV file with `columns` weight=NAME");
  }
  if (record.weight && !accept_weight(*record.weight, record.line)) return;
  const double weight = record.weight.value_or(1.0);
  any_weight_ = any_weight_ || record.weight.has_value();
  // Vertices count even if all their edges are left out.
  const std::uint32_t source = table_.vertices.intern(record.source);
  const std::uint32_t target = table_.vertices.intern(record.target);
  if (source == target &&
      !passes(options_.self_loops, "the edge is a self-loop", "leave such edges out", record.line)) {
    return;
  }
  if (!accept_repeat(source, target, weight, record.line)) return;
  table_.source.push_back(source);
  table_.target.push_back(target);
  table_.weight.push_back(weight);
  table_.line.push_back(record.line);
  if (record.length) table_.length.push_back(*record.length);
  if (record.free_flow_time) table_.free_flow_time.push_back(*record.free_flow_time);
  if (record.cost) table_.cost.push_back(*record.cost);
}

void GraphBuilder::sort_numbered_vertices() {
  const auto& names = table_.vertices.names();
  std::vector<std::uint64_t> value(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto number = parse_uint64(names[i]);
    if (!number) return;
    value[i] = *number;
  }
  std::vector<std::uint32_t> order(names.size());
  std::iota(order.begin(), order.end(), 0U);
  // "7" and "07" are different names; the order they appear in decides between them.
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return value[a] < value[b]; });
  std::vector<std::uint32_t> rank(names.size());
  NameTable sorted;
  for (const std::uint32_t old : order) rank[old] = sorted.intern(names[old]);
  for (auto* column : {&table_.source, &table_.target}) {
    std::transform(column->begin(), column->end(), column->begin(), [&](std::uint32_t v) { return rank[v]; });
  }
  table_.vertices = std::move(sorted);
}

GraphTable GraphBuilder::finish() && {
  if (table_.edge_count() == 0) {
    throw DataError({table_.source_name}, "holds no edges", "check that the file is complete");
  }
  table_.weighted = any_weight_;
  if (!any_weight_) {
    table_.warnings.add("edge without weight given weight 1", {table_.source_name, table_.line.front()},
                        table_.edge_count());
  }
  sort_numbered_vertices();
  return std::move(table_);
}

}  // namespace fogline::io
