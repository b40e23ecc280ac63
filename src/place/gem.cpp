// SPDX-License-Identifier: Apache-2.0
#include "place/gem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "graph/dijkstra.hpp"
#include "kernel/capped_drawer.hpp"
#include "kernel/step_certificate.hpp"
#include "place/capped_rows.hpp"
#include "privacy/mechanism.hpp"

namespace fogline::place {
namespace {

static_assert(privacy::WeightedMechanism<Gem>);

/// Half of epsilon, per millimetre.
Rational rate_per_mm(const privacy::EpsilonPerMetre& epsilon) {
  require_epsilon(epsilon);
  return epsilon.value() / 2000;
}

/// A search for each draw, except from the same vertex again.
class SearchingSampler : public VertexMechanism::Sampler {
 public:
  SearchingSampler(const kernel::CappedExponential& kernel, const graph::Graph& graph)
      : search_(graph), drawer_(kernel, search_) {}
  graph::VertexId draw(graph::VertexId truth, random::Stream& noise) override {
    return drawer_.draw(truth, noise);
  }

 private:
  graph::Dijkstra search_;
  kernel::CappedDrawer drawer_;
};

}  // namespace

Gem::Gem(const graph::Graph& graph, const Options& options)
    : VertexMechanism(graph),
      epsilon_(options.epsilon),
      unit_(options.unit),
      kernel_(graph, {.rate_per_mm = rate_per_mm(options.epsilon), .range = options.range}) {}

Gem::Gem(const graph::Graph& graph, const Options& options, const io::SectionFile& found)
    : VertexMechanism(graph),
      epsilon_(options.epsilon),
      unit_(options.unit),
      kernel_(graph, {.rate_per_mm = rate_per_mm(options.epsilon),
                      .range = options.range,
                      .near_outputs = near_outputs_in(found)}) {}

void Gem::store(io::SectionWriter& file) const {
  file.add("near_outputs", kernel_.near_outputs());
}

bool Gem::is_as_found() const {
  return std::ranges::equal(kernel_.near_outputs(), kernel_.find_near_outputs(graph()));
}

kernel::ExponentialRule Gem::rule(const privacy::EpsilonPerMetre& epsilon) {
  return kernel::ExponentialRule(rate_per_mm(epsilon));
}

nlohmann::ordered_json Gem::fixed_parameters(const privacy::EpsilonPerMetre& epsilon) {
  return {{"cap_m", static_cast<double>(rule(epsilon).cap_mm()) / 1000},
          {"tail_weight_log2", 64 - kernel::ExponentialRule::head_bits}};
}

RuleCertificate Gem::certify_rule(const RuleOptions& options) const {
  const kernel::ExponentialRule& rule = kernel_.rule();
  const std::uint64_t steps = rule.cap_mm() + 1;
  if (steps > options.largest_checks)
    return {.rule = fmt::format("its rule has {} steps, more than were to be checked", steps)};
  const auto certificate =
      kernel::certify_steps([&](std::uint64_t distance_mm) { return rule.weight(distance_mm); }, steps,
                            {.threads = options.threads, .progress = options.progress});
  // A weight and the total of the weights each change by at most this: twice, in metres, a step outwards for the product.
  const double loss = std::nextafter(2000 * certificate.high, std::numeric_limits<double>::infinity());
  return {.available = true,
          .holds = kernel::holds(certificate, rate_per_mm(epsilon_)),
          .loss_high_per_metre = loss,
          .rule = fmt::format(
              "the weight changes by at most {:.6g} per metre of distance, by its integers at all {} "
              "millimetres up to the cap, beyond which it is constant; so does the sum of all weights",
              1000 * certificate.high, steps)};
}

privacy::Guarantee Gem::guarantee() const {
  return privacy::Guarantee::metric(epsilon_, unit_, privacy::Exactness::exact);
}

std::unique_ptr<VertexMechanism::Sampler> Gem::sampler() const {
  return std::make_unique<SearchingSampler>(kernel_, graph());
}

std::unique_ptr<VertexMechanism::NearRows> Gem::near_rows() const {
  return std::make_unique<CappedRows>(kernel_, graph());
}

nlohmann::ordered_json Gem::parameters() const {
  return fixed_parameters(epsilon_);
}

kernel::WeightRow Gem::row(graph::VertexId input) const {
  check_vertex(input);
  graph::Dijkstra search(graph());
  return kernel_.row(input, search);
}

}  // namespace fogline::place
