// SPDX-License-Identifier: Apache-2.0
#include "weights/release.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "io/csv.hpp"
#include "weights/estimates/estimate.hpp"
#include "weights/estimates/noisy_prior.hpp"
#include "weights/measures/measures.hpp"

namespace fogline::weights {
namespace {

EdgeGroups groups_of(const io::GraphTable& graph, const WeightTerms& terms, const std::string& file) {
  if (terms.finish == Finish::plain || terms.groups == "none") return one_group(graph.edge_count());
  if (terms.groups == "degrees") return degree_groups(graph);
  if (io::graph_format_of(file) == io::GraphFormat::tntp)
    return quantile_groups(free_flow_times(graph, io::read_graph(file, {})), usual_classes);
  return read_groups(file, graph);
}

std::vector<std::int64_t> histogram_of(std::span<const std::int64_t> points, const WeightGrid& grid) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(grid.points()));
  for (const std::int64_t point : points) ++counts[static_cast<std::size_t>(point)];
  return counts;
}

/// A mean of weights in the range may leave it by a rounding.
void keep_in_range(std::vector<double>& weights, const EdgeMechanism& mechanism) {
  const WeightGrid& grid = mechanism.grid();
  const double lowest = grid.value(mechanism.least_point());
  const double highest = grid.is_finite() ? grid.value(static_cast<std::int64_t>(grid.points()) - 1)
                                          : std::numeric_limits<double>::max();
  for (double& weight : weights) weight = std::clamp(weight, lowest, highest);
}

bool names_pairs(const std::string& file) {
  io::TextSource source = io::TextSource::from_file(file);
  io::CsvReader csv(source, {});
  constexpr std::size_t columns_of_ranks = 3;  // source, target, rank; a pair has four ends
  return csv.header().size() > columns_of_ranks;
}

}  // namespace

std::vector<std::int64_t> points_of(const io::GraphTable& graph, const WeightGrid& grid, Rounding rounding) {
  std::vector<std::int64_t> points;
  points.reserve(graph.edge_count());
  for (std::size_t e = 0; e < graph.edge_count(); ++e) {
    const auto found = grid.point_taken(graph.weight[e], rounding);
    if (found.fault != WeightGrid::Fault::none) {
      throw DataError({graph.source_name, graph.line[e]}, describe(found.fault, grid),
                      found.fault == WeightGrid::Fault::between
                          ? "declare a finer `step`, or add `round`, which costs a step of noise unless "
                            "whole edges are protected"
                          : "declare another `range`");
    }
    points.push_back(found.point);
  }
  return points;
}

std::vector<double> paid_prior(const WeightTerms& terms, std::span<const std::int64_t> counts,
                               const random::Key& key) {
  random::Stream noise = key.stream("weights-prior");
  return noisy_prior_of_counts(counts, split_budget(terms.epsilon, terms.prior_share).prior, noise);
}

GraphRelease::GraphRelease(const io::GraphTable& graph, const WeightTerms& terms, const Options& options)
    : terms_(terms),
      options_(options),
      points_(points_of(graph, terms.grid, terms.rounding)),
      groups_(groups_of(graph, terms, options.groups_file)),
      mechanism_(make_mechanism(terms.choice(options.prior))) {
  if (terms.order_file) {
    if (io::graph_format_of(options.order_file) == io::GraphFormat::tntp) {
      order_ = free_flow_times(graph, io::read_graph(options.order_file, {}));
    } else if (names_pairs(options.order_file)) {
      order_ = read_order(options.order_file, graph);
    } else {
      order_ = read_ranks(options.order_file, graph);
    }
  }
}

GraphRelease::Draw GraphRelease::draw_and_tell(const random::Key& key) const {
  std::unique_ptr<EdgeMechanism> paid;
  std::vector<double> learned = options_.prior;
  if (terms_.prior == PriorSource::noisy) {
    learned = paid_prior(terms_, histogram_of(points_, terms_.grid), key);
    paid = make_mechanism(terms_.choice(learned));
  }
  const EdgeMechanism& mechanism = paid ? *paid : *mechanism_;
  std::vector<std::int64_t> drawn(points_.size());
  draw_all(mechanism, points_, key, {.threads = options_.threads, .progress = options_.progress}, drawn);

  std::vector<double> safe(drawn.size());
  if (terms_.finish == Finish::plain) {
    std::ranges::transform(drawn, safe.begin(),
                           [&](std::int64_t number) { return mechanism.weight(number); });
  } else {
    safe = estimate_weights(mechanism, drawn, groups_,
                            {.estimate = terms_.finish == Finish::mean ? Estimate::mean : Estimate::median,
                             .prior = learned,
                             .threads = options_.threads,
                             .progress = options_.progress});
  }
  const std::vector<double> before = terms_.order_file ? safe : std::vector<double>();
  if (const auto* ranks = std::get_if<EdgeRanks>(&order_)) follow_ranks(*ranks, safe);
  if (const auto* pairs = std::get_if<std::vector<OrderPair>>(&order_)) follow_order(*pairs, safe);
  keep_in_range(safe, mechanism);
  const double moved = before.empty() ? 0 : mean_absolute_difference(before, safe);
  return {.weights = std::move(safe), .moved_by_order = moved};
}

}  // namespace fogline::weights
