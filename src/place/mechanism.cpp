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

bool is_near_figure(double found, double said) {
  constexpr double tolerance = 1e-4;  // a solver's last digits, and more than sums can be rounded by
  return std::abs(found - said) <= tolerance * (1 + std::abs(found));
}

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

}  // namespace fogline::place
