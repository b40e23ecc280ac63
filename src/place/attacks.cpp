// SPDX-License-Identifier: Apache-2.0
#include "place/attacks.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

#include "base/error.hpp"
#include "place/measures.hpp"
#include "random/key.hpp"

namespace fogline::place {
namespace {

using Eigen::Index;
using kernel::Table;

/// Vertices of positive prior: all, or a sample of them from a fixed public seed.
std::vector<Index> centres_of(std::span<const double> prior, std::size_t most) {
  std::vector<Index> centres;
  for (std::size_t v = 0; v < prior.size(); ++v) {
    if (prior[v] > 0) centres.push_back(static_cast<Index>(v));
  }
  if (centres.size() <= most) return centres;
  random::Stream choice = random::SeededKey(0).stream("place informed attack centres");
  for (std::size_t i = 0; i < most; ++i) std::swap(centres[i], centres[i + choice.below(centres.size() - i)]);
  centres.resize(most);
  return centres;
}

struct Neighbourhood {
  std::vector<double> prior;  // restricted to it, in all 1
  Table likelihood, metres;
  double diameter_m = 0;
};

Neighbourhood neighbourhood(Index centre, double radius_m, std::span<const double> prior,
                            const Table& likelihood, const Table& metres) {
  std::vector<Index> members;
  double total = 0;
  for (Index v = 0; v < metres.cols(); ++v) {
    if (metres(centre, v) > radius_m || !(prior[static_cast<std::size_t>(v)] > 0)) continue;
    members.push_back(v);
    total += prior[static_cast<std::size_t>(v)];
  }
  Neighbourhood result;
  for (const Index v : members) result.prior.push_back(prior[static_cast<std::size_t>(v)] / total);
  result.likelihood = likelihood(members, Eigen::all);
  result.metres = metres(members, members);
  result.diameter_m = result.metres.maxCoeff();
  return result;
}

/// Largest |ln(posterior / prior)| of a vertex given an output: ln of P(o|v) over its mean under the prior.
double largest_ratio_log(const Neighbourhood& known) {
  const Eigen::Map<const Eigen::RowVectorXd> share(known.prior.data(),
                                                   static_cast<Index>(known.prior.size()));
  const Eigen::RowVectorXd mean = share * known.likelihood;
  double largest = 0;
  for (Index o = 0; o < mean.size(); ++o) {
    if (!(mean[o] > 0)) continue;
    const double most = known.likelihood.col(o).maxCoeff(), least = known.likelihood.col(o).minCoeff();
    largest = std::max({largest, std::log(most / mean[o]), std::log(mean[o] / least)});
  }
  return largest;
}

void require_options(const InformedOptions& options) {
  if (!(options.radius_m > 0 && options.radius_m <= 1e7))
    throw InvalidOption("informed-radius", "must be above 0 and at most 10,000,000 metres");
  if (options.most_centres < 1) throw InvalidOption("most_centres", "must be at least 1");
}

}  // namespace

std::vector<Attacker> attackers(std::span<const double> prior, const Table& likelihood, const Table& metres,
                                std::span<const graph::VertexId> range) {
  const kernel::AttackMeasures with = kernel::measure_attacks(prior, likelihood, metres);
  const kernel::AttackMeasures without =
      kernel::measure_attacks(prior, Table::Ones(likelihood.rows(), 1), metres);
  double believed_hits = 0;
  for (std::size_t o = 0; o < range.size(); ++o)
    believed_hits += prior[range[o]] * likelihood(static_cast<Index>(range[o]), static_cast<Index>(o));
  return {{"prior only", without.optimal_loss, without.optimal_hits},
          {"believes", mean_loss_m(prior, likelihood, metres, range), believed_hits},
          {"most likely", with.most_likely_loss, with.most_likely_hits},
          {"posterior", with.posterior_loss, with.posterior_hits},
          {"optimal", with.optimal_loss, with.optimal_hits}};
}

InformedAttack informed_attack(std::span<const double> prior, const Table& likelihood, const Table& metres,
                               double epsilon_per_m, const InformedOptions& options) {
  require_options(options);
  const std::vector<Index> centres = centres_of(prior, options.most_centres);
  ProgressMeter meter(options.progress, "informed attack", centres.size());
  InformedAttack result;
  double total = 0;
  for (const Index centre : centres) {
    const Neighbourhood known = neighbourhood(centre, options.radius_m, prior, likelihood, metres);
    const auto size = static_cast<Index>(known.prior.size());
    const auto before = kernel::measure_attacks(known.prior, Table::Ones(size, 1), known.metres);
    const auto after = kernel::measure_attacks(known.prior, known.likelihood, known.metres);
    const double share = prior[static_cast<std::size_t>(centre)];
    total += share;
    result.vertices += share * static_cast<double>(size);
    result.error_before_m += share * before.optimal_loss;
    result.error_m += share * after.optimal_loss;
    result.tp_before += share * before.most_likely_hits;
    result.tp += share * after.most_likely_hits;
    const double learnt = largest_ratio_log(known), bound = epsilon_per_m * known.diameter_m;
    if (learnt > result.largest_ratio_log) {
      result.largest_ratio_log = learnt;
      result.bound_there = bound;
    }
    if (bound > 0) result.largest_share_of_bound = std::max(result.largest_share_of_bound, learnt / bound);
    meter.advance();
  }
  meter.finish();
  result.centres = centres.size();
  for (double* mean :
       {&result.vertices, &result.error_before_m, &result.error_m, &result.tp_before, &result.tp})
    *mean /= total;
  return result;
}

}  // namespace fogline::place
