// SPDX-License-Identifier: Apache-2.0
#include "place/optimise.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "kernel/range_search.hpp"
#include "place/gem.hpp"
#include "place/tables.hpp"

namespace fogline::place {
namespace {

using Eigen::Index;
using kernel::Table;

/// GEM's own weights, as shares of the weight of distance 0.
Table gem_weights(const Table& metres, const OptimiseOptions& options) {
  const kernel::ExponentialRule rule = Gem::rule(options.epsilon);
  Table weights(metres.rows(), metres.cols());
  parallel_for(static_cast<std::size_t>(metres.size()), {.threads = options.threads, .grain = 4096},
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t i = begin; i < end; ++i) {
                   const auto distance_mm = static_cast<std::uint64_t>(std::llround(metres.data()[i] * 1000));
                   weights.data()[i] = std::ldexp(static_cast<double>(rule.weight(distance_mm)),
                                                  -kernel::ExponentialRule::head_bits);
                 }
               });
  return weights;
}

DistanceMeasures measure_range(std::span<const double> prior, const Table& weights, const Table& metres,
                               std::span<const graph::VertexId> range) {
  Table likelihood = weights(Eigen::all, std::vector<Index>(range.begin(), range.end()));
  likelihood.array().colwise() /= likelihood.rowwise().sum().array().eval();
  return measure(prior, likelihood, metres, range);
}

/// A range file has no quotes, so some names would be read as something else.
void require_readable(const std::string& name) {
  const bool plain = !name.empty() && name.find_first_of(",;\t\r\n\"") == std::string::npos &&
                     name.front() != '#' && name.front() != ' ' && name.back() != ' ' && name != "vertex";
  if (!plain)
    throw InvalidOption("network", "calls a vertex by a name that a file of one name a line cannot hold");
}

std::vector<graph::VertexId> all_vertices(std::size_t count) {
  std::vector<graph::VertexId> all(count);
  for (std::size_t v = 0; v < count; ++v) all[v] = static_cast<graph::VertexId>(v);
  return all;
}

}  // namespace

OptimisedRange optimise_range(const roads::RoadNetwork& map, const OptimiseOptions& options) {
  const std::vector<double> prior = prior_or_uniform(options.prior, map.vertex_count());
  const Table metres = road_table_m(map.graph, {.threads = options.threads, .progress = options.progress});
  const Table weights = gem_weights(metres, options);
  const kernel::RangeSearch found = kernel::search_range(
      {prior, weights, metres, metres}, {.most_q_loss = options.most_q_loss_m, .progress = options.progress});
  return {.range = found.range,
          .initial_vertices = found.initial.size(),
          .before = measure_range(prior, weights, metres, all_vertices(map.vertex_count())),
          .after = measure_range(prior, weights, metres, found.range)};
}

std::string range_text(const roads::RoadNetwork& map, std::span<const graph::VertexId> range) {
  std::string text;
  for (const graph::VertexId vertex : range) {
    const std::string name = roads::name_of(map, vertex);
    require_readable(name);
    text += name + '\n';
  }
  return text;
}

}  // namespace fogline::place
