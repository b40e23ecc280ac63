// SPDX-License-Identifier: Apache-2.0
#include "place/gem.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "graph/dijkstra.hpp"
#include "privacy/mechanism.hpp"

namespace fogline::place {
namespace {

static_assert(privacy::WeightedMechanism<Gem>);

/// Half of epsilon, per millimetre.
Rational rate_per_mm(const privacy::EpsilonPerMetre& epsilon) {
  if (epsilon.value() < Rational(1, 100'000) || epsilon.value() > Rational(1000)) {
    throw InvalidOption("--epsilon", "must be a number from 0.00001 to 1000, written like 0.01 or 1/100");
  }
  return epsilon.value() / 2000;
}

void check_vertex(graph::VertexId vertex, const graph::Graph& graph) {
  // The number is private: the message does not hold it.
  if (vertex >= graph.vertex_count()) {
    throw InvalidOption(
        "vertex", fmt::format("is not on the network, whose vertices are 0 to {}", graph.vertex_count() - 1));
  }
}

/// The vertices to average over: all, or a sample drawn from a fixed public seed.
std::vector<graph::VertexId> averaging_sample(std::size_t vertex_count, const Gem::ErrorOptions& options) {
  std::vector<graph::VertexId> vertices(vertex_count);
  std::iota(vertices.begin(), vertices.end(), graph::VertexId{0});
  if (vertex_count <= options.all_up_to || vertex_count <= options.largest_sample) return vertices;
  random::Stream choice = random::SeededKey(0).stream("place expected error sample");
  for (std::size_t i = 0; i < options.largest_sample; ++i) {
    std::swap(vertices[i], vertices[i + choice.below(vertex_count - i)]);
  }
  vertices.resize(options.largest_sample);
  return vertices;
}

}  // namespace

Gem::Gem(const graph::Graph& graph, const Options& options)
    : graph_(&graph),
      epsilon_(options.epsilon),
      unit_(options.unit),
      kernel_(graph, {.rate_per_mm = rate_per_mm(options.epsilon), .range = options.range}) {}

kernel::ExponentialRule Gem::rule(const privacy::EpsilonPerMetre& epsilon) {
  return kernel::ExponentialRule(rate_per_mm(epsilon));
}

privacy::Guarantee Gem::guarantee() const {
  return privacy::Guarantee::metric(epsilon_, unit_, privacy::Exactness::exact);
}

graph::VertexId Gem::release(const Input& truth, random::Stream& noise) const {
  check_vertex(truth, *graph_);
  graph::Dijkstra search(*graph_);
  return kernel_.draw(truth, search, noise);
}

void Gem::release(std::span<const Input> truth, const random::Key& key, const BulkOptions& options,
                  std::span<Output> output) const {
  if (truth.size() != output.size())
    throw InvalidOption("output", "must have room for as many records as the input");
  // Everything that could fail for one record is checked before the first draw.
  for (const graph::VertexId vertex : truth) check_vertex(vertex, *graph_);
  ProgressMeter meter(options.progress, "releasing", truth.size());
  const random::StreamFamily streams = key.streams("place");
  parallel_for(truth.size(), {.threads = options.threads, .grain = 16},
               [&](std::size_t begin, std::size_t end) {
                 graph::Dijkstra search(*graph_);
                 for (std::size_t i = begin; i < end; ++i) {
                   random::Stream noise = streams.stream(options.first_record + i);
                   output[i] = kernel_.draw(truth[i], search, noise);
                   meter.advance();
                 }
               });
  meter.finish();
}

kernel::WeightRow Gem::row(graph::VertexId input) const {
  check_vertex(input, *graph_);
  graph::Dijkstra search(*graph_);
  return kernel_.row(input, search);
}

double Gem::log_weight(const Output& output, const Input& input) const {
  const kernel::WeightRow weights = row(input);
  const auto at = std::find(range().begin(), range().end(), output);
  if (at == range().end()) return -std::numeric_limits<double>::infinity();
  const Uint128 weight = weights.weights[static_cast<std::size_t>(at - range().begin())];
  return std::log(static_cast<double>(weight)) - std::log(static_cast<double>(weights.total));
}

double Gem::mean_displacement_m(graph::VertexId input, graph::Dijkstra& search) const {
  const auto distance = search.one_to_all(input);
  double moment = 0, total = 0;
  for (const graph::VertexId output : range()) {
    if (distance[output] == graph::unreachable) continue;
    const auto weight = static_cast<double>(kernel_.rule().weight(distance[output]));
    moment += weight * static_cast<double>(distance[output]) / 1000;
    total += weight;
  }
  return total > 0 ? moment / total : 0;
}

Gem::ExpectedError Gem::expected_error(const ErrorOptions& options) const {
  if (options.largest_sample < 1) throw InvalidOption("largest_sample", "must be at least 1");
  const auto vertices = averaging_sample(graph_->vertex_count(), options);
  std::vector<double> displacement(vertices.size());
  ProgressMeter meter(options.progress, "estimating the error", vertices.size());
  parallel_for(vertices.size(), {.threads = options.threads, .grain = 4},
               [&](std::size_t begin, std::size_t end) {
                 graph::Dijkstra search(*graph_);
                 for (std::size_t i = begin; i < end; ++i) {
                   displacement[i] = mean_displacement_m(vertices[i], search);
                   meter.advance();
                 }
               });
  meter.finish();

  const auto n = static_cast<double>(vertices.size());
  const double mean = std::accumulate(displacement.begin(), displacement.end(), 0.0) / n;
  double squares = 0;
  for (const double value : displacement) squares += (value - mean) * (value - mean);
  const bool complete = vertices.size() == graph_->vertex_count();
  return {mean, complete ? 0 : std::sqrt(squares / std::max(1.0, n - 1) / n), vertices.size()};
}

}  // namespace fogline::place
