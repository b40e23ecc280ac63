// SPDX-License-Identifier: Apache-2.0
#include "weights/distances/distance_file.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "io/csv.hpp"

namespace fogline::weights {
namespace {

/// Decimals that a whole number of units needs: at most 9, as the grid has.
int decimals_of(double unit) {
  constexpr int most_decimals = 9;
  constexpr double rounding = 1e-6;  // of a double that was scaled, with room to spare
  int decimals = 0;
  for (double scaled = unit; decimals < most_decimals && std::abs(scaled - std::nearbyint(scaled)) > rounding;
       ++decimals)
    scaled *= 10;
  return decimals;
}

struct Lines {
  std::string text = {};
  std::uint64_t records = 0, unreachable = 0;
};

Lines lines_of(const io::GraphTable& table, const Distances& distances,
               const WantedDistances::FromOne& wanted, int decimals) {
  const std::vector<double> found = distances.from(wanted.source);
  Lines lines;
  for (const Topology::Vertex target : wanted.targets) {
    if (!std::isfinite(found[target])) {
      ++lines.unreachable;
      continue;
    }
    io::append_csv_field(lines.text, table.vertices.name(wanted.source));
    lines.text += ',';
    io::append_csv_field(lines.text, table.vertices.name(target));
    lines.text += fmt::format(",{:.{}f}\n", found[target], decimals);
    ++lines.records;
  }
  return lines;
}

}  // namespace

std::uint64_t WantedDistances::pairs() const {
  std::uint64_t count = 0;
  for (const FromOne& from : sources) count += from.targets.size();
  return count;
}

WantedDistances all_distances(const Topology& graph) {
  WantedDistances wanted;
  const auto count = static_cast<Topology::Vertex>(graph.vertex_count());
  for (Topology::Vertex v = 0; v < count; ++v) {
    auto& from = wanted.sources.emplace_back(WantedDistances::FromOne{.source = v});
    for (Topology::Vertex u = graph.directed() ? 0 : v + 1; u < count; ++u)
      if (u != v) from.targets.push_back(u);
  }
  return wanted;
}

WantedDistances distances_from(const io::GraphTable& table, std::span<const std::string> names) {
  WantedDistances wanted;
  for (const std::string& name : names) {
    const auto source = table.vertices.find(name);
    if (!source) throw InvalidOption("from", fmt::format("{} is no vertex of the graph", name));
    auto& from = wanted.sources.emplace_back(WantedDistances::FromOne{.source = *source});
    for (Topology::Vertex u = 0; u < table.vertex_count(); ++u)
      if (u != *source) from.targets.push_back(u);
  }
  return wanted;
}

WantedDistances read_wanted(const std::string& file, const io::GraphTable& table) {
  constexpr std::array<std::string_view, 3> source_names{"source", "from", "u"},
      target_names{"target", "to", "v"};
  io::TextSource text = io::TextSource::from_file(file);
  io::CsvReader csv(text, {});
  const std::size_t source = csv.require_column("source", source_names, "source,target");
  const std::size_t target = csv.require_column("target", target_names, "source,target");
  const auto vertex = [&](std::size_t column) {
    const auto found = table.vertices.find(csv.trimmed(column));
    if (!found) csv.fail(column, "is no vertex of the graph", "name vertices as the graph's file does");
    return *found;
  };
  WantedDistances wanted;
  while (csv.next()) {
    const Topology::Vertex from = vertex(source), to = vertex(target);
    if (wanted.sources.empty() || wanted.sources.back().source != from)
      wanted.sources.push_back({.source = from});
    wanted.sources.back().targets.push_back(to);
  }
  if (wanted.sources.empty())
    throw DataError({file}, "names no pair of vertices", "add a line source,target");
  return wanted;
}

std::vector<std::int64_t> whole_weights(const io::GraphTable& table, const WeightGrid& grid,
                                        Rounding rounding) {
  const WholeWeights whole(grid);
  std::vector<std::int64_t> weights;
  weights.reserve(table.edge_count());
  for (std::size_t e = 0; e < table.edge_count(); ++e) {
    const WeightGrid::Found found = grid.point_taken(table.weight[e], rounding);
    if (found.fault != WeightGrid::Fault::none)
      throw DataError({table.source_name, table.line[e]}, describe(found.fault, grid),
                      "declare a wider `range`, another `step`, or `round`");
    weights.push_back(whole.of_point(found.point));
    if (weights.back() > WholeWeights::most_units)
      throw DataError({table.source_name, table.line[e]},
                      "the weight is too large for distances: more than 2^40 steps",
                      "declare a larger `step`");
  }
  return weights;
}

DistanceText distance_text(const io::GraphTable& table, const Distances& distances,
                           const WantedDistances& wanted, const WeightGrid& grid,
                           const DistanceTextOptions& options) {
  const int decimals = decimals_of(WholeWeights(grid).unit);
  std::vector<Lines> parts(wanted.sources.size());
  ProgressMeter meter(options.progress, "distances", parts.size());
  constexpr std::size_t searches_a_task = 4;  // each goes over the whole graph
  parallel_for(parts.size(), {.threads = options.threads, .grain = searches_a_task},
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t i = begin; i < end; ++i)
                   parts[i] = lines_of(table, distances, wanted.sources[i], decimals);
                 meter.advance(end - begin);
               });
  meter.finish();
  DistanceText result{.csv = "source,target,distance\n"};
  for (Lines& part : parts) {
    result.csv += part.text;
    part.text = {};
    result.records += part.records;
    result.unreachable += part.unreachable;
  }
  return result;
}

}  // namespace fogline::weights
