// SPDX-License-Identifier: Apache-2.0
#include "place/mechanism.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/parallel.hpp"

namespace fogline::place {
namespace {

/// The vertices to average over: all that can be the truth, or a sample of them drawn from a fixed public seed.
struct AveragingSample {
  std::vector<graph::VertexId> vertices;
  bool complete = true;
};

AveragingSample averaging_sample(std::size_t vertex_count, const ErrorOptions& options) {
  std::vector<graph::VertexId> vertices;
  for (graph::VertexId v = 0; v < vertex_count; ++v) {
    if (options.prior.empty() || options.prior[v] > 0) vertices.push_back(v);
  }
  if (vertices.size() <= options.all_up_to || vertices.size() <= options.largest_sample)
    return {vertices, true};
  random::Stream choice = random::SeededKey(0).stream("place expected error sample");
  for (std::size_t i = 0; i < options.largest_sample; ++i) {
    std::swap(vertices[i], vertices[i + choice.below(vertices.size() - i)]);
  }
  vertices.resize(options.largest_sample);
  return {vertices, false};
}

/// The mean of `values` under `shares`, which need not add up to 1, and its standard error.
ExpectedError weighted_mean(std::span<const double> values, std::span<const double> shares, bool complete) {
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (!(total > 0)) throw InvalidOption("prior", "is 0 at every vertex it was averaged over");
  const double mean = std::inner_product(values.begin(), values.end(), shares.begin(), 0.0) / total;
  double squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    squares += shares[i] * shares[i] * (values[i] - mean) * (values[i] - mean);
  }
  const auto n = static_cast<double>(values.size());
  const double spread = std::sqrt(squares * n / std::max(1.0, n - 1)) / total;
  return {mean, complete ? 0 : spread, values.size()};
}

/// The records in order of their vertex, by counting, so that a sampler meets each vertex once.
std::vector<std::size_t> ordered_by_vertex(std::span<const graph::VertexId> truth, std::size_t vertex_count) {
  std::vector<std::size_t> next(vertex_count + 1);
  for (const graph::VertexId vertex : truth) ++next[vertex + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::size_t> order(truth.size());
  for (std::size_t i = 0; i < truth.size(); ++i) order[next[truth[i]]++] = i;
  return order;
}

}  // namespace

void require_epsilon(const privacy::EpsilonPerMetre& epsilon) {
  if (epsilon.value() < Rational(1, 100'000) || epsilon.value() > Rational(1000)) {
    throw InvalidOption("epsilon", "must be a number from 0.00001 to 1000, written like 0.01 or 1/100");
  }
}

void PlaceMechanism::check_vertex(graph::VertexId vertex) const {
  // The number is private: the message does not hold it.
  if (vertex >= graph_->vertex_count()) {
    throw InvalidOption("vertex", fmt::format("is not on the network, whose vertices are 0 to {}",
                                              graph_->vertex_count() - 1));
  }
}

void PlaceMechanism::check_bulk(std::span<const graph::VertexId> truth, std::size_t room) const {
  if (truth.size() != room) throw InvalidOption("output", "must have room for as many records as the input");
  for (const graph::VertexId vertex : truth) check_vertex(vertex);
}

nlohmann::ordered_json PlaceMechanism::parameters() const {
  return nlohmann::ordered_json::object();
}

void VertexMechanism::probabilities(graph::VertexId input, std::span<double> result) const {
  if (result.size() != range().size()) throw InvalidOption("result", "must have room for the whole range");
  const kernel::WeightRow weights = row(input);
  const auto total = static_cast<double>(weights.total);
  std::transform(weights.weights.begin(), weights.weights.end(), result.begin(),
                 [&](const Uint128& weight) { return static_cast<double>(weight) / total; });
}

RuleCertificate PlaceMechanism::certify_rule(const RuleOptions& /*options*/) const {
  return {.rule = fmt::format("{} has no local rule to certify", name())};
}

graph::VertexId VertexMechanism::release(const Input& truth, random::Stream& noise) const {
  check_vertex(truth);
  std::unique_ptr<Sampler> drawer;
  {
    const std::lock_guard lock(idle_lock_);
    if (!idle_.empty()) {
      drawer = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (!drawer) drawer = sampler();
  const graph::VertexId safe = drawer->draw(truth, noise);
  const std::lock_guard lock(idle_lock_);
  idle_.push_back(std::move(drawer));
  return safe;
}

void VertexMechanism::release(std::span<const Input> truth, const random::Key& key,
                              const BulkOptions& options, std::span<Output> output) const {
  check_bulk(truth, output.size());
  const std::vector<std::size_t> order = ordered_by_vertex(truth, graph().vertex_count());
  ProgressMeter meter(options.progress, "releasing", truth.size());
  const random::StreamFamily streams = key.streams("place");
  parallel_for(order.size(), {.threads = options.threads, .grain = 64},
               [&](std::size_t begin, std::size_t end) {
                 const auto drawer = sampler();
                 for (std::size_t i = begin; i < end; ++i) {
                   const std::size_t record = order[i];
                   random::Stream noise = streams.stream(options.first_record + record);
                   output[record] = drawer->draw(truth[record], noise);
                   meter.advance();
                 }
               });
  meter.finish();
}

SafePlaces VertexMechanism::release_all(std::span<const Input> truth, const random::Key& key,
                                        const BulkOptions& options) const {
  std::vector<Output> safe(truth.size());
  release(truth, key, options, safe);
  return safe;
}

double VertexMechanism::log_weight(const Output& output, const Input& input) const {
  check_vertex(input);
  const auto at = std::find(range().begin(), range().end(), output);
  if (at == range().end()) return -std::numeric_limits<double>::infinity();
  std::vector<double> all(range().size());
  probabilities(input, all);
  return std::log(all[static_cast<std::size_t>(at - range().begin())]);
}

double VertexMechanism::mean_displacement_m(graph::VertexId input, graph::Dijkstra& search) const {
  const auto distance = search.one_to_all(input);
  std::vector<double> all(range().size());
  probabilities(input, all);
  double moment = 0, reached = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (distance[range()[i]] == graph::unreachable) continue;
    moment += all[i] * static_cast<double>(distance[range()[i]]) / 1000;
    reached += all[i];
  }
  return reached > 0 ? moment / reached : 0;
}

ExpectedError VertexMechanism::expected_error(const ErrorOptions& options) const {
  if (options.largest_sample < 1) throw InvalidOption("largest_sample", "must be at least 1");
  const std::size_t count = graph().vertex_count();
  if (!options.prior.empty() && options.prior.size() != count)
    throw InvalidOption("prior", "must give every vertex a probability");
  const auto [vertices, complete] = averaging_sample(count, options);
  std::vector<double> displacement(vertices.size()), share(vertices.size(), 1);
  ProgressMeter meter(options.progress, "estimating the error", vertices.size());
  parallel_for(vertices.size(), {.threads = options.threads, .grain = 4},
               [&, &truths = vertices](std::size_t begin, std::size_t end) {
                 graph::Dijkstra search(graph());
                 for (std::size_t i = begin; i < end; ++i) {
                   if (!options.prior.empty()) share[i] = options.prior[truths[i]];
                   displacement[i] = mean_displacement_m(truths[i], search);
                   meter.advance();
                 }
               });
  meter.finish();
  return weighted_mean(displacement, share, complete);
}

}  // namespace fogline::place
