// SPDX-License-Identifier: Apache-2.0
#include "kernel/split_exponential.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "kernel/capped_drawer.hpp"
#include "kernel/log_interval.hpp"

namespace fogline::kernel {
namespace {

graph::Graph with_lengths(const graph::Graph& graph, const std::vector<graph::LengthMm>& length) {
  std::vector<graph::Edge> edges = graph.edges();
  if (length.size() != edges.size()) {
    throw InvalidOption("length", fmt::format("has {} numbers for {} roads", length.size(), edges.size()));
  }
  for (std::size_t i = 0; i < edges.size(); ++i) edges[i].length_mm = length[i];
  return graph::Graph::from_edges(graph.vertex_count(), edges);
}

// The rate is rounded once from two exact integers, multiplied and added: four factors within 1 +- 2^-64, covered by the step to the
// next double upwards, which leaves at least 2^-54 of the value. The logarithm carries its own margin.
double loss_per_mm(const Rational& rate_per_unit, const graph::Edge& road, graph::LengthMm shortened,
                   Real change) {
  const Real rate =
      static_cast<Real>(rate_per_unit.numerator()) / static_cast<Real>(rate_per_unit.denominator());
  const Real loss = (rate * static_cast<Real>(shortened) + change) / static_cast<Real>(road.length_mm);
  return std::nextafter(static_cast<double>(loss), std::numeric_limits<double>::infinity());
}

}  // namespace

bool holds(const SplitCertificate& certificate, const Rational& claimed_per_mm) {
  return at_most(certificate.loss_high, claimed_per_mm);
}

SplitExponential::SplitExponential(const graph::Graph& graph, const Options& options)
    : graph_(&graph),
      units_per_mm_(options.units_per_mm),
      rate_per_unit_(options.epsilon_per_mm / options.units_per_mm),
      shortened_(with_lengths(graph, options.length)),
      kernel_(shortened_,
              {.rate_per_mm = rate_per_unit_, .range = options.range, .handicap_mm = options.handicap}) {}

SplitExponential::SplitExponential(const graph::Graph& graph, Found found)
    : graph_(&graph),
      units_per_mm_(found.units_per_mm == 0 ? 1 : found.units_per_mm),
      rate_per_unit_(found.epsilon_per_mm / units_per_mm_),
      shortened_(std::move(found.shortened)),
      kernel_(shortened_, {.rate_per_mm = rate_per_unit_,
                           .range = std::move(found.range),
                           .handicap_mm = std::move(found.handicap),
                           .near_outputs = std::move(found.near_outputs),
                           .draw_bounds = std::move(found.draw_bounds)}) {
  if (shortened_.vertex_count() != graph.vertex_count() || shortened_.edge_count() != graph.edge_count())
    throw InvalidOption("shortened", "must have the vertices and edges of the map");
}

bool SplitExponential::is_as_found() const {
  if (!shortened_.is_sound()) return false;
  const std::vector<graph::Edge> roads = graph_->edges(), shortened = shortened_.edges();
  const bool has_same_edges = std::equal(
      roads.begin(), roads.end(), shortened.begin(), shortened.end(),
      [](const graph::Edge& a, const graph::Edge& b) { return a.tail == b.tail && a.head == b.head; });
  if (!has_same_edges || !std::ranges::equal(kernel_.near_outputs(), kernel_.find_near_outputs(shortened_)))
    return false;
  return kernel_.draw_bounds().empty() ||
         std::ranges::equal(kernel_.draw_bounds(), kernel::find_draw_bounds(kernel_, shortened_, {}));
}

void SplitExponential::find_draw_bounds(const CertifyOptions& options) {
  kernel_.keep_draw_bounds(kernel::find_draw_bounds(
      kernel_, shortened_, {.threads = options.threads, .progress = options.progress}));
}

double SplitExponential::mean_distance_m(graph::VertexId input, graph::Dijkstra& roads,
                                         graph::Dijkstra& shortened) const {
  // Beyond the cap outputs weigh 2^-36 of one at hand, a millionth of the mean in all: left out.
  std::vector<double> weight(graph_->vertex_count(), 0.0);
  std::size_t outputs = 0;
  for (const auto& [vertex, distance] : shortened.within(input, kernel_.rule().cap_mm() - 1)) {
    if (!kernel_.in_range(vertex)) continue;
    weight[vertex] = static_cast<double>(kernel_.weight(vertex, distance));
    ++outputs;
  }
  double moment = 0, total = 0;
  // Roads are at most about twice as long as shortened ones; farther where that does not reach.
  for (graph::DistanceMm radius = 2 * kernel_.rule().cap_mm() / units_per_mm_, before = 0;;) {
    const auto found = roads.within(input, radius);
    std::size_t reached = 0;
    moment = total = 0;
    for (const auto& [vertex, distance_mm] : found) {
      if (weight[vertex] == 0) continue;
      moment += weight[vertex] * static_cast<double>(distance_mm) / 1000;
      total += weight[vertex];
      ++reached;
    }
    if (reached == outputs || found.size() == before) return total > 0 ? moment / total : 0;
    before = found.size();
    radius *= 2;
  }
}

SplitCertificate SplitExponential::certify(const CertifyOptions& options) const {
  std::vector<Uint128> total(graph_->vertex_count());
  ProgressMeter meter(options.progress, "certifying the roads", total.size());
  // A thread's search has memory of the map's size to make first.
  constexpr std::size_t searches_a_task = 256;
  parallel_for(total.size(), {.threads = options.threads, .grain = searches_a_task},
               [&](std::size_t begin, std::size_t end) {
                 graph::Dijkstra search(shortened_);
                 for (std::size_t v = begin; v < end; ++v) {
                   total[v] = kernel_.total(static_cast<graph::VertexId>(v), search);
                   meter.advance();
                 }
               });
  meter.finish();
  const std::vector<graph::Edge> roads = graph_->edges(), shortened = shortened_.edges();
  SplitCertificate certificate{.roads = roads.size()};
  for (std::size_t i = 0; i < roads.size(); ++i) {
    const auto& [tail, head, length_mm] = roads[i];
    const double loss = loss_per_mm(rate_per_unit_, roads[i], shortened[i].length_mm,
                                    log_ratio(total[tail], total[head]).high);
    if (loss > certificate.loss_high) {
      certificate.loss_high = loss;
      certificate.at = {tail, head, length_mm};
    }
  }
  return certificate;
}

}  // namespace fogline::kernel
