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
  require_epsilon(epsilon);
  return epsilon.value() / 2000;
}

/// A search for each draw.
class SearchingSampler : public VertexMechanism::Sampler {
 public:
  SearchingSampler(const kernel::CappedExponential& kernel, const graph::Graph& graph)
      : kernel_(kernel), search_(graph) {}
  graph::VertexId draw(graph::VertexId truth, random::Stream& noise) override {
    return kernel_.draw(truth, search_, noise);
  }

 private:
  const kernel::CappedExponential& kernel_;
  graph::Dijkstra search_;
};

}  // namespace

Gem::Gem(const graph::Graph& graph, const Options& options)
    : VertexMechanism(graph),
      epsilon_(options.epsilon),
      unit_(options.unit),
      kernel_(graph, {.rate_per_mm = rate_per_mm(options.epsilon), .range = options.range}) {}

kernel::ExponentialRule Gem::rule(const privacy::EpsilonPerMetre& epsilon) {
  return kernel::ExponentialRule(rate_per_mm(epsilon));
}

nlohmann::ordered_json Gem::fixed_parameters(const privacy::EpsilonPerMetre& epsilon) {
  return {{"cap_m", static_cast<double>(rule(epsilon).cap_mm()) / 1000},
          {"tail_weight_log2", 64 - kernel::ExponentialRule::head_bits}};
}

privacy::Guarantee Gem::guarantee() const {
  return privacy::Guarantee::metric(epsilon_, unit_, privacy::Exactness::exact);
}

std::unique_ptr<VertexMechanism::Sampler> Gem::sampler() const {
  return std::make_unique<SearchingSampler>(kernel_, graph());
}

kernel::WeightRow Gem::row(graph::VertexId input) const {
  check_vertex(input);
  graph::Dijkstra search(graph());
  return kernel_.row(input, search);
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

}  // namespace fogline::place
