// SPDX-License-Identifier: Apache-2.0
#include "place/measures.hpp"

#include "base/error.hpp"

namespace fogline::place {
namespace {

using Eigen::Index;

double ratio(double error_m, double loss_m) {
  return loss_m > 0 ? error_m / loss_m : 1;
}

}  // namespace

double mean_loss_m(std::span<const double> prior, const kernel::Table& likelihood,
                   const kernel::Table& metres, std::span<const graph::VertexId> range) {
  double sum = 0;
  for (Index v = 0; v < likelihood.rows(); ++v) {
    double of_vertex = 0;
    for (Index o = 0; o < likelihood.cols(); ++o)
      of_vertex += likelihood(v, o) * metres(v, range[static_cast<std::size_t>(o)]);
    sum += prior[static_cast<std::size_t>(v)] * of_vertex;
  }
  return sum;
}

DistanceMeasures with_q_loss(const kernel::AttackMeasures& attacks, double q_loss_m) {
  DistanceMeasures result;
  result.q_loss_m = q_loss_m;
  result.ae_m = attacks.optimal_loss;
  result.pc = ratio(result.ae_m, result.q_loss_m);
  result.tp = attacks.optimal_hits;
  result.ae_posterior_m = attacks.posterior_loss;
  result.pc_posterior = ratio(result.ae_posterior_m, result.q_loss_m);
  result.tp_posterior = attacks.posterior_hits;
  result.tp_most_likely = attacks.most_likely_hits;
  return result;
}

DistanceMeasures measure(std::span<const double> prior, const kernel::Table& likelihood,
                         const kernel::Table& metres, std::span<const graph::VertexId> range) {
  return with_q_loss(kernel::measure_attacks(prior, likelihood, metres),
                     mean_loss_m(prior, likelihood, metres, range));
}

PlaceMeasures measure(const VertexMechanism& mechanism, const roads::RoadNetwork& map,
                      const MeasureOptions& options) {
  const std::vector<double> prior = prior_or_uniform(options.prior, map.vertex_count());
  const TableOptions tables{.threads = options.threads, .progress = options.progress};
  const kernel::Table likelihood = likelihood_table(mechanism, tables);
  PlaceMeasures result;
  result.road = measure(prior, likelihood, road_table_m(map.graph, tables), mechanism.range());
  result.euclidean = measure(prior, likelihood, straight_table_m(map, tables), mechanism.range());
  return result;
}

}  // namespace fogline::place
