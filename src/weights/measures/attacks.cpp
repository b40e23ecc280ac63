// SPDX-License-Identifier: Apache-2.0
#include "weights/measures/attacks.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace fogline::weights {
namespace {

using kernel::Table;

constexpr std::int64_t most_points = 2000;  // a table of them has 32 MB, 64 MB with the drawn numbers outside
constexpr std::int64_t most_outside = 1000;  // drawn numbers told apart beyond each end of the range
constexpr double negligible = 1e-15;         // probability that no sum of so many shows

std::int64_t points_of(const EdgeMechanism& mechanism) {
  const WeightGrid& grid = mechanism.grid();
  if (!grid.is_finite() || grid.points() > most_points)
    throw InvalidOption(
        "range",
        "must have both ends and at most 2,000 points to compute attacks; a larger `step` has fewer");
  return static_cast<std::int64_t>(grid.points());
}

std::vector<double> prior_of(std::span<const double> prior, std::int64_t points) {
  const auto size = static_cast<std::size_t>(points);
  if (prior.empty()) return std::vector<double>(size, 1.0 / static_cast<double>(size));
  if (prior.size() != size)
    throw InvalidOption("prior", "must have a probability for each weight of the range");
  double total = 0;
  for (const double share : prior) {
    if (!(share >= 0 && std::isfinite(share)))
      throw InvalidOption("prior", "must be finite and not negative");
    total += share;
  }
  if (!(total > 0)) throw InvalidOption("prior", "must not be 0 everywhere");
  std::vector<double> result(prior.begin(), prior.end());
  for (double& share : result) share /= total;
  return result;
}

Table from_rows(const EdgeMechanism& mechanism, std::int64_t points) {
  Table table(points, static_cast<Eigen::Index>(mechanism.outputs()));
  for (std::int64_t p = 0; p < points; ++p) {
    const kernel::WeightRow row = mechanism.row(p);
    for (Eigen::Index o = 0; o < table.cols(); ++o)
      table(p, o) =
          static_cast<double>(row.weights[static_cast<std::size_t>(o)]) / static_cast<double>(row.total);
  }
  return table;
}

bool is_geometric(const EdgeMechanism& mechanism) {
  return mechanism.name() == "geometric";
}

/// Noise is added to the point, so one column of probabilities by distance is enough.
Table from_noise(const EdgeMechanism& mechanism, std::int64_t points) {
  const std::int64_t outside = is_geometric(mechanism) ? 0 : std::min(points - 1, most_outside);
  const std::int64_t first = -outside, last = points - 1 + outside;
  std::vector<double> at;  // P(noise = d), d = 0, 1, ...
  for (std::int64_t d = 0; d <= last - first || at.back() > negligible; ++d)
    at.push_back(std::exp(mechanism.log_weight(d, 0)));
  std::vector<double> beyond(at.size() + 1);  // P(noise >= d)
  for (std::size_t d = at.size(); d-- > 0;) beyond[d] = beyond[d + 1] + at[d];

  Table table(points, last - first + 1);
  for (std::int64_t p = 0; p < points; ++p) {
    for (std::int64_t o = first + 1; o < last; ++o)
      table(p, o - first) = at[static_cast<std::size_t>(std::abs(o - p))];
    table(p, 0) = beyond[static_cast<std::size_t>(p - first)];
    table(p, last - first) = beyond[static_cast<std::size_t>(last - p)];
  }
  return table;
}

/// The most that moving one edge's weight within the range can cost.
double largest_loss(const EdgeMechanism& mechanism) {
  const double epsilon = mechanism.guarantee().epsilon().to_double();
  const Protection& protection = mechanism.protection();
  const double range = mechanism.grid().step() * static_cast<double>(mechanism.grid().points() - 1);
  switch (protection.unit) {
    case ProtectedUnit::edge:
      return epsilon;
    case ProtectedUnit::change:
      return epsilon * std::ceil(range / protection.most.to_double());
    case ProtectedUnit::trip:
      return epsilon * std::ceil(range);
  }
  throw InvalidOption("unit", "is edge, change or trip");
}

/// e^loss odds / (1 + e^loss odds), without overflow.
double after(double loss, double odds) {
  return 1 / (1 + std::exp(-loss) / odds);
}

/// Rows scaled by one number each.
Table scaled(const Table& table, const std::vector<double>& by) {
  return Eigen::Map<const Eigen::VectorXd>(by.data(), static_cast<Eigen::Index>(by.size())).asDiagonal() *
         table;
}

YesNoAttack order_attack(const std::vector<double>& prior, const Table& likelihood, double loss) {
  const Table joint = scaled(likelihood, prior);
  Table lighter = Table::Zero(joint.rows(), joint.cols());  // P(output, weight below this one)
  for (Eigen::Index p = 1; p < joint.rows(); ++p) lighter.row(p) = lighter.row(p - 1) + joint.row(p - 1);
  // P(first output, second output, the first edge is the heavier); exchanged, that the second is.
  const Table heavier = joint.transpose() * lighter;
  double equal = 0;
  for (const double share : prior) equal += share * share;
  const double differ = 1 - equal;
  if (differ <= 0) throw InvalidOption("prior", "must have two weights");
  return {.success = heavier.cwiseMax(heavier.transpose()).sum() / differ,
          .without = 0.5,
          .bound = after(2 * loss, 1)};
}

YesNoAttack equality_attack(const std::vector<double>& prior, const Table& likelihood, double loss) {
  const Eigen::RowVectorXd any = scaled(likelihood, prior).colwise().sum();
  std::vector<double> spread(prior.size()), itself(prior.size());
  for (std::size_t p = 0; p < prior.size(); ++p) {
    // A weight of probability 1 has no other to differ from; order_attack has refused such a prior.
    spread[p] = prior[p] / (1 - prior[p]);
    itself[p] = spread[p] * prior[p];
  }
  const Table equal = likelihood.transpose() * scaled(likelihood, prior);
  const Table differ = scaled(likelihood, spread).colwise().sum().transpose() * any -
                       likelihood.transpose() * scaled(likelihood, itself);
  return {.success = equal.cwiseMax(differ).sum() / 2, .without = 0.5, .bound = after(loss, 1)};
}

OneEdgeAttack one_edge_attack(const EdgeMechanism& mechanism, const std::vector<double>& prior,
                              const Table& likelihood, double loss) {
  const auto points = static_cast<Eigen::Index>(prior.size());
  Table difference(points, points);
  for (Eigen::Index a = 0; a < points; ++a)
    for (Eigen::Index b = 0; b < points; ++b)
      difference(a, b) = mechanism.grid().step() * static_cast<double>(std::abs(a - b));
  const kernel::AttackMeasures found = kernel::measure_attacks(prior, likelihood, difference);
  const double likeliest = *std::max_element(prior.begin(), prior.end());
  return {.error = found.optimal_loss,
          .error_without = best_constant_error(mechanism.grid(), prior),
          .floor = mechanism.predict(prior).floor,
          .hits = found.most_likely_hits,
          .hits_without = likeliest,
          .hits_bound = likeliest >= 1 ? 1 : after(loss, likeliest / (1 - likeliest))};
}

}  // namespace

Table likelihood_table(const EdgeMechanism& mechanism) {
  const std::int64_t points = points_of(mechanism);
  return mechanism.outputs() > 0 ? from_rows(mechanism, points) : from_noise(mechanism, points);
}

WeightAttacks attack(const EdgeMechanism& mechanism, std::span<const double> prior) {
  const std::vector<double> shares = prior_of(prior, points_of(mechanism));
  const Table likelihood = likelihood_table(mechanism);
  const double loss = largest_loss(mechanism);
  return {.order = order_attack(shares, likelihood, loss),
          .equality = equality_attack(shares, likelihood, loss),
          .one_edge = one_edge_attack(mechanism, shares, likelihood, loss),
          .exact = mechanism.outputs() > 0 || is_geometric(mechanism)};
}

}  // namespace fogline::weights
