// SPDX-License-Identifier: Apache-2.0
#include "place/tight.hpp"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "graph/dijkstra.hpp"
#include "kernel/capped_drawer.hpp"
#include "privacy/mechanism.hpp"

namespace fogline::place {
namespace {

static_assert(privacy::WeightedMechanism<Tight>);

kernel::TightKernel calibrated(const graph::Graph& graph, const Tight::Options& options) {
  require_epsilon(options.epsilon);
  return kernel::calibrate_tight(graph, {.epsilon_per_mm = options.epsilon.value() / 1000,
                                         .range = options.range,
                                         .prior = options.prior,
                                         .threads = options.threads,
                                         .progress = options.progress});
}

std::string_view to_string(kernel::TightForm form) {
  switch (form) {
    case kernel::TightForm::full:
      return "full";
    case kernel::TightForm::split:
      return "split";
    case kernel::TightForm::half:
      break;
  }
  return "half";
}

/// Searches along the shortened roads, except from the same vertex again.
class ShortenedSampler : public VertexMechanism::Sampler {
 public:
  explicit ShortenedSampler(const kernel::SplitExponential& split)
      : search_(split.shortened()), drawer_(split.kernel(), search_) {}
  graph::VertexId draw(graph::VertexId truth, random::Stream& noise) override {
    return drawer_.draw(truth, noise);
  }

 private:
  graph::Dijkstra search_;
  kernel::CappedDrawer drawer_;
};

/// To four digits: built again elsewhere, the last ones may differ.
double rounded(double share) {
  return std::round(share * 10'000) / 10'000;
}

}  // namespace

Tight::Tight(const graph::Graph& graph, const Options& options)
    : VertexMechanism(graph),
      epsilon_(options.epsilon),
      unit_(options.unit),
      tight_(place::calibrated(graph, options)) {}

privacy::Guarantee Tight::guarantee() const {
  return privacy::Guarantee::metric(epsilon_, unit_, privacy::Exactness::exact);
}

std::unique_ptr<VertexMechanism::Sampler> Tight::sampler() const {
  return std::make_unique<ShortenedSampler>(*tight_.kernel);
}

kernel::WeightRow Tight::row(graph::VertexId input) const {
  check_vertex(input);
  graph::Dijkstra search(tight_.kernel->shortened());
  return kernel().row(input, search);
}

nlohmann::ordered_json Tight::parameters() const {
  return {{"form", to_string(tight_.form)},
          {"weight_share", rounded(tight_.mean_share)},
          {"certified_share", rounded(tight_.certificate.loss_high * 1000 / epsilon_.value().to_double())}};
}

std::vector<std::string> Tight::remarks() const {
  const std::string against =
      fmt::format("mean distance {:.1f} m, where gem has {:.1f} m", tight_.q_loss_m, tight_.half_q_loss_m);
  switch (tight_.form) {
    case kernel::TightForm::full:
      return {fmt::format("tight uses the full exponent on this map: {}", against)};
    case kernel::TightForm::split:
      return {fmt::format("tight gives {:.0f} % of the budget to its weights on this map: {}",
                          100 * tight_.mean_share, against)};
    case kernel::TightForm::half:
      break;
  }
  return {"tight is no better than gem on this map, and is the same kernel"};
}

RuleCertificate Tight::certify_rule(const RuleOptions& options) const {
  const auto found = tight_.kernel->certify({.threads = options.threads, .progress = options.progress});
  return {.available = true,
          .holds = kernel::holds(found, epsilon_.value() / 1000),
          .loss_high_per_metre = std::nextafter(found.loss_high * 1000, HUGE_VAL),
          .rule = fmt::format(
              "on each of the {} roads, the weights' rate on its shortened length plus the change of "
              "the exact total between its ends",
              found.roads)};
}

double Tight::mean_displacement_m(graph::VertexId input, graph::Dijkstra& search) const {
  graph::Dijkstra shortened(tight_.kernel->shortened());
  return tight_.kernel->mean_distance_m(input, search, shortened);
}

}  // namespace fogline::place
