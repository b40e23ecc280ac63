// SPDX-License-Identifier: Apache-2.0
#include "place/tight.hpp"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "graph/dijkstra.hpp"
#include "kernel/capped_drawer.hpp"
#include "place/capped_rows.hpp"
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

/// Numbers that are told of a kernel, as a file of a prepared mechanism has them.
nlohmann::ordered_json to_json(const kernel::TightKernel& tight) {
  return {{"form", to_string(tight.form)},        {"units_per_mm", tight.kernel->units_per_mm()},
          {"mean_share", tight.mean_share},       {"q_loss_m", tight.q_loss_m},
          {"half_q_loss_m", tight.half_q_loss_m}, {"loss_high_per_mm", tight.certificate.loss_high}};
}

kernel::TightForm form_from(const std::string& name, const std::string& file) {
  for (const auto form : {kernel::TightForm::full, kernel::TightForm::split, kernel::TightForm::half})
    if (to_string(form) == name) return form;
  throw DataError({file}, "holds a kernel of tight in no known form", "prepare it again");
}

std::vector<std::uint32_t> copy_of(std::span<const std::uint32_t> numbers) {
  return {numbers.begin(), numbers.end()};
}

std::vector<Uint128> draw_bounds_in(const io::SectionFile& file) {
  const auto found = file.numbers<Uint128>("draw_bounds");
  return {found.begin(), found.end()};
}

kernel::TightKernel found_in(const io::SectionFile& file, const graph::Graph& graph,
                             const Tight::Options& options) try {
  require_epsilon(options.epsilon);
  const auto told = nlohmann::ordered_json::parse(file.text("tight"));
  const graph::Graph::Rows rows = graph.rows();
  kernel::TightKernel result;
  result.form = form_from(told.at("form").get<std::string>(), file.path());
  auto shortened =
      graph::Graph::from_rows({rows.first_arc, file.numbers<graph::Arc>("tight_arc")}, file.mapping());
  // Searches run along them: one that leads nowhere would lead out of memory.
  if (!shortened.is_sound())
    throw DataError({file.path()}, "holds shortened roads that do not fit together", "prepare it again");
  result.kernel = std::make_unique<kernel::SplitExponential>(
      graph,
      kernel::SplitExponential::Found{.epsilon_per_mm = options.epsilon.value() / 1000,
                                      .units_per_mm = told.at("units_per_mm").get<std::uint32_t>(),
                                      .shortened = std::move(shortened),
                                      .range = options.range,
                                      .handicap = copy_of(file.numbers<std::uint32_t>("tight_handicap")),
                                      .near_outputs = near_outputs_in(file),
                                      .draw_bounds = draw_bounds_in(file)});
  result.certificate = {.loss_high = told.at("loss_high_per_mm").get<double>(), .roads = graph.edge_count()};
  result.mean_share = told.at("mean_share").get<double>();
  result.q_loss_m = told.at("q_loss_m").get<double>();
  result.half_q_loss_m = told.at("half_q_loss_m").get<double>();
  return result;
} catch (const nlohmann::json::exception&) {
  throw DataError({file.path()}, "does not hold a kernel of tight as this version writes it",
                  "prepare it again");
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

Tight::Tight(const graph::Graph& graph, const Options& options, const io::SectionFile& found)
    : VertexMechanism(graph),
      epsilon_(options.epsilon),
      unit_(options.unit),
      tight_(found_in(found, graph, options)) {}

void Tight::store(io::SectionWriter& file) const {
  file.add_text("tight", to_json(tight_).dump());
  file.add("near_outputs", kernel().near_outputs());
  file.add("draw_bounds", kernel().draw_bounds());
  file.add("tight_arc", tight_.kernel->shortened().rows().arcs);
  std::vector<std::uint32_t> handicap;  // in the order of the range
  if (!kernel().handicaps().empty()) {
    for (const graph::VertexId vertex : range()) handicap.push_back(kernel().handicaps()[vertex]);
  }
  file.add("tight_handicap", handicap);
}

bool Tight::fits(const WorkedOut& now) const {
  const auto range_of = kernel().range();
  const kernel::TightFigures found = kernel::figures_of(*tight_.kernel, graph(),
                                                        {.epsilon_per_mm = epsilon_.value() / 1000,
                                                         .range = {range_of.begin(), range_of.end()},
                                                         .prior = now.how.prior,
                                                         .threads = now.how.threads,
                                                         .progress = now.how.progress});
  return is_near_figure(found.mean_share, tight_.mean_share) &&
         is_near_figure(found.q_loss_m, tight_.q_loss_m) &&
         is_near_figure(found.half_q_loss_m, tight_.half_q_loss_m) &&
         is_near_figure(now.certificate.loss_high_per_metre, tight_.certificate.loss_high * 1000);
}

privacy::Guarantee Tight::guarantee() const {
  return privacy::Guarantee::metric(epsilon_, unit_, privacy::Exactness::exact);
}

std::unique_ptr<VertexMechanism::Sampler> Tight::sampler() const {
  return std::make_unique<ShortenedSampler>(*tight_.kernel);
}

std::unique_ptr<VertexMechanism::NearRows> Tight::near_rows() const {
  return std::make_unique<CappedRows>(kernel(), tight_.kernel->shortened());
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
      return {fmt::format("tight uses the full exponent on this map: {}.", against)};
    case kernel::TightForm::split:
      return {fmt::format("tight gives {:.0f} % of the budget to its weights on this map: {}.",
                          100 * tight_.mean_share, against)};
    case kernel::TightForm::half:
      break;
  }
  return {"tight is no better than gem on this map, and is the same kernel."};
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

}  // namespace fogline::place
