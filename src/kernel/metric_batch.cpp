// SPDX-License-Identifier: Apache-2.0
#include "kernel/metric_batch.hpp"

#include <algorithm>

namespace fogline::kernel {
namespace {

using Edge = BatchPattern::Edge;

/// A diagonal so large that its inverse counts for nothing beside any other, and its square is still a number.
constexpr double stiff = 0x1p500;

/// A constraint, its slack and dual, and the steps of both: dz from the linear equation z ds + s dz = target - s z.
struct Constraint {
  Eight s, ds, z, dz;
};

inline __attribute__((always_inline)) Constraint constraint(double ratio, const Eight& x,
                                                            const Eight& other_x, const Eight& dx,
                                                            const Eight& other_dx, const Eight& z,
                                                            const Eight& target) {
  const Eight s = ratio * x - other_x, ds = ratio * dx - other_dx;
  return {s, ds, z, (target - z * ds) / s - z};
}

/// Calls body(constraint, index of its dual) for both constraints of each edge.
template <class Body>
inline __attribute__((always_inline)) void each_constraint(std::span<const Edge> edges, const double* ratio,
                                                           const Eight* x, const Eight* z, const Eight* dx,
                                                           const Eight* target, const Body& body) {
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const std::uint32_t i = edges[e].i, j = edges[e].j;
    body(constraint(ratio[e], x[i], x[j], dx[i], dx[j], z[2 * e], target[2 * e]), 2 * e);
    body(constraint(ratio[e], x[j], x[i], dx[j], dx[i], z[2 * e + 1], target[2 * e + 1]), 2 * e + 1);
  }
}

FOGLINE_WIDEST
void assemble_lanes(std::span<const Edge> edges, const double* ratio, const Eight* x, const Eight* z,
                    Eight* value) {
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto [i, j, pair, at] = edges[e];
    const Eight a = z[2 * e] / (ratio[e] * x[i] - x[j]), b = z[2 * e + 1] / (ratio[e] * x[j] - x[i]);
    const double square = ratio[e] * ratio[e];
    value[i] += square * a + b;
    value[j] += a + square * b;
    value[at] -= ratio[e] * (a + b);
  }
}

/// The right side of the Newton equations with slacks and duals eliminated, multipliers of rows left out: minus the cost, and what targets of products
/// pull, target / slack, through the constraints. Old duals cancel.
FOGLINE_WIDEST
void write_right_side_lanes(std::span<const Edge> edges, const double* ratio, std::size_t n,
                            const Eight* cost, const Eight* x, const Eight* target, Eight* right) {
  for (std::size_t i = 0; i < n; ++i) right[i] = -cost[i];
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const std::uint32_t i = edges[e].i, j = edges[e].j;
    const Eight a = target[2 * e] / (ratio[e] * x[i] - x[j]),
                b = target[2 * e + 1] / (ratio[e] * x[j] - x[i]);
    right[i] += ratio[e] * a - b;
    right[j] += ratio[e] * b - a;
  }
}

/// By the largest of -ds / s and -dz / z, which need no division but one each: 1 / s and 1 / z are parts of 1 / (s z).
FOGLINE_WIDEST
void find_steps_lanes(std::span<const Edge> edges, const double* ratio, const Eight* x, const Eight* z,
                      const Eight* dx, const Eight* target, Eight* primal, Eight* dual) {
  const Eight one = Eight{} + 1.0;
  Eight most_primal = one, most_dual = one;
  const auto look = [&](double factor, const Eight& mine, const Eight& other, const Eight& d_mine,
                        const Eight& d_other, const Eight& z_here, const Eight& target_here)
      __attribute__((always_inline)) {
    const Eight s = factor * mine - other, ds = factor * d_mine - d_other;
    const Eight inverse = 1.0 / (s * z_here), by_slack = ds * (z_here * inverse);
    const Eight of_primal = -by_slack, of_dual = one + by_slack - target_here * inverse;
    most_primal = most_primal < of_primal ? of_primal : most_primal;
    most_dual = most_dual < of_dual ? of_dual : most_dual;
  };
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const std::uint32_t i = edges[e].i, j = edges[e].j;
    look(ratio[e], x[i], x[j], dx[i], dx[j], z[2 * e], target[2 * e]);
    look(ratio[e], x[j], x[i], dx[j], dx[i], z[2 * e + 1], target[2 * e + 1]);
  }
  *primal = 1.0 / most_primal;
  *dual = 1.0 / most_dual;
}

FOGLINE_WIDEST
void add_products_lanes(std::span<const Edge> edges, const double* ratio, const Eight* x, const Eight* z,
                        const Eight* dx, const Eight* target, double primal, double dual, Eight* sum) {
  Eight total{};
  each_constraint(edges, ratio, x, z, dx, target, [&](const Constraint& c, std::size_t) {
    total += (c.s + primal * c.ds) * (c.z + dual * c.dz);
  });
  *sum = total;
}

FOGLINE_WIDEST
void aim_lanes(std::span<const Edge> edges, const double* ratio, const Eight* x, const Eight* z,
               const Eight* dx, double centring, Eight* target) {
  each_constraint(edges, ratio, x, z, dx, target,
                  [&](const Constraint& c, std::size_t at) { target[at] = centring - c.ds * c.dz; });
}

FOGLINE_WIDEST
void hold_lanes(std::span<const Edge> edges, const double* ratio, const Eight* x, const Eight* z,
                const Eight* dx, Eight* target) {
  each_constraint(edges, ratio, x, z, dx, target,
                  [&](const Constraint& c, std::size_t at) { target[at] = c.s * c.z; });
}

FOGLINE_WIDEST
void pull_lanes(std::span<const Edge> edges, const double* ratio, const Eight* x, const Eight* z,
                const Eight* dx, double centring, double primal, double dual, Eight* target) {
  const Eight low = Eight{} + least_product * centring, high = Eight{} + most_product * centring;
  each_constraint(edges, ratio, x, z, dx, target, [&](const Constraint& c, std::size_t at) {
    const Eight product = (c.s + primal * c.ds) * (c.z + dual * c.dz);
    const Eight raised = product < low ? low : product;
    const Eight pull = (raised > high ? high : raised) - product;
    target[at] += pull < -high ? -high : pull;
  });
}

/// Duals first: their steps depend on the slacks as they were.
FOGLINE_WIDEST
void move_lanes(std::span<const Edge> edges, const double* ratio, std::size_t n, Eight* x, Eight* z,
                const Eight* dx, const Eight* target, double primal, double dual) {
  each_constraint(edges, ratio, x, z, dx, target,
                  [&](const Constraint& c, std::size_t at) { z[at] = c.z + dual * c.dz; });
  for (std::size_t i = 0; i < n; ++i) x[i] += primal * dx[i];
}

FOGLINE_WIDEST
void reduce_lanes(std::span<const Edge> edges, const double* ratio, const Eight* z, Eight* reduced) {
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (ratio[e] == 0) continue;  // a bound may leave out any constraint
    const Eight a = z[2 * e], b = z[2 * e + 1];
    reduced[edges[e].i] -= ratio[e] * a - b;
    reduced[edges[e].j] -= ratio[e] * b - a;
  }
}

/// `mine` and `theirs` are sorted by their pairs.
FOGLINE_WIDEST
void write_part_lanes(std::span<const Edge> mine, std::span<const Edge> theirs, const double* ratio,
                      const Eight* x, const Eight* z, Eight* value) {
  std::size_t e = 0;
  for (const Edge& edge : mine) {
    while (e < theirs.size() && theirs[e].pair < edge.pair) ++e;
    if (e == theirs.size()) break;
    if (theirs[e].pair != edge.pair) continue;
    const Eight xi = x[theirs[e].i], xj = x[theirs[e].j];
    const Eight a = z[2 * e] / (ratio[e] * xi - xj), b = z[2 * e + 1] / (ratio[e] * xj - xi);
    const double square = ratio[e] * ratio[e];
    value[edge.i] += square * a + b;
    value[edge.j] += a + square * b;
    value[edge.at] -= ratio[e] * (a + b);
  }
}

FOGLINE_WIDEST
void stiffen_lanes(std::size_t n, const Eight* counted, Eight* diagonal) {
  const Eight zero{}, large = zero + stiff, mask = *counted;
  for (std::size_t i = 0; i < n; ++i) {
    const Eight seen = diagonal[i] == zero ? large : diagonal[i];
    diagonal[i] = mask == zero ? large : seen;
  }
}

FOGLINE_WIDEST
void multiply_lanes(std::size_t n, const Eight* a, const Eight* b, Eight* sum) {
  Eight total{};
  for (std::size_t i = 0; i < n; ++i) total += a[i] * b[i];
  *sum = total;
}

FOGLINE_WIDEST
void add_lanes(std::size_t n, const Eight* column, const Eight* counted, double* sum) {
  const Eight mask = *counted;
  for (std::size_t i = 0; i < n; ++i) sum[i] = sum_of_lanes(column[i] * mask);
}

FOGLINE_WIDEST
void spread_lanes(std::size_t n, const double* numbers, Eight* column) {
  for (std::size_t i = 0; i < n; ++i) column[i] = Eight{} + numbers[i];
}

FOGLINE_WIDEST
void add_to_lanes(std::size_t n, const double* numbers, Eight* column) {
  for (std::size_t i = 0; i < n; ++i) column[i] += numbers[i];
}

/// The vector at the inputs of the block, each with what hangs on it, for which `outside` is taken.
std::vector<double> gathered(const MetricBatch& batch, std::span<const double> vector,
                             std::span<const double> outside) {
  const auto inputs = batch.pattern->inputs();
  std::vector<double> numbers(batch.tail.whole());
  for (std::size_t i = 0; i < inputs.size(); ++i) numbers[i] = vector[inputs[i]];
  for (std::size_t k = 0; k < batch.tail.size(); ++k)
    numbers[inputs.size() + k] = outside[batch.tail.input(k)];
  batch.tail.gather(numbers.data());
  return numbers;
}

double counted_sum(const MetricBatch& batch, const Eight& value) {
  return sum_of_lanes(value * *eights(batch.counted));
}

}  // namespace

bool factor_batch(MetricBatch& batch) {
  batch.factor.assign(batch.pattern->values() * lane_count, 0.0);
  assemble_lanes(batch.pattern->edges(), batch.ratio.data(), eights(batch.x), eights(batch.z),
                 eights(batch.factor));
  return batch.pattern->factor(batch.factor);
}

void write_direction(MetricBatch& batch, std::span<const double> multiplier) {
  const auto inputs = batch.pattern->inputs();
  write_right_side_lanes(batch.pattern->edges(), batch.ratio.data(), inputs.size(), eights(batch.cost),
                         eights(batch.x), eights(batch.target), eights(batch.dx));
  add_to_lanes(inputs.size(), gathered(batch, multiplier, multiplier).data(), eights(batch.dx));
  batch.pattern->solve(batch.factor, batch.dx);
}

LaneSteps longest_steps(const MetricBatch& batch) {
  LaneSteps steps{Lanes(lane_count), Lanes(lane_count)};
  find_steps_lanes(batch.pattern->edges(), batch.ratio.data(), eights(batch.x), eights(batch.z),
                   eights(batch.dx), eights(batch.target), eights(steps.primal), eights(steps.dual));
  return steps;
}

StepLengths shortest(const LaneSteps& steps) {
  return {*std::min_element(steps.primal.begin(), steps.primal.end()),
          *std::min_element(steps.dual.begin(), steps.dual.end())};
}

double loss_of(const MetricBatch& batch) {
  alignas(sizeof(Eight)) Eight sum{};
  multiply_lanes(batch.pattern->size(), eights(batch.x), eights(batch.cost), &sum);
  return counted_sum(batch, sum);
}

double product_after(const MetricBatch& batch, const StepLengths& steps) {
  alignas(sizeof(Eight)) Eight sum{};
  add_products_lanes(batch.pattern->edges(), batch.ratio.data(), eights(batch.x), eights(batch.z),
                     eights(batch.dx), eights(batch.target), steps.primal, steps.dual, &sum);
  return counted_sum(batch, sum);
}

void aim_at_centre(MetricBatch& batch, double centring) {
  aim_lanes(batch.pattern->edges(), batch.ratio.data(), eights(batch.x), eights(batch.z), eights(batch.dx),
            centring, eights(batch.target));
}

void hold_products(MetricBatch& batch) {
  hold_lanes(batch.pattern->edges(), batch.ratio.data(), eights(batch.x), eights(batch.z), eights(batch.dx),
             eights(batch.target));
}

void pull_outliers(MetricBatch& batch, double centring, const StepLengths& wished) {
  pull_lanes(batch.pattern->edges(), batch.ratio.data(), eights(batch.x), eights(batch.z), eights(batch.dx),
             centring, wished.primal, wished.dual, eights(batch.target));
}

void move(MetricBatch& batch, const StepLengths& steps) {
  move_lanes(batch.pattern->edges(), batch.ratio.data(), batch.pattern->size(), eights(batch.x),
             eights(batch.z), eights(batch.dx), eights(batch.target), steps.primal, steps.dual);
}

void add_column(const MetricBatch& batch, const Lanes& column, std::span<double> sum) {
  const auto inputs = batch.pattern->inputs();
  std::vector<double> numbers(batch.tail.whole());
  add_lanes(inputs.size(), eights(column), eights(batch.counted), numbers.data());
  batch.tail.scatter(numbers);
  for (std::size_t i = 0; i < inputs.size(); ++i) sum[inputs[i]] += numbers[i];
  for (std::size_t k = 0; k < batch.tail.size(); ++k) sum[batch.tail.input(k)] += numbers[inputs.size() + k];
}

void spread(const MetricBatch& batch, std::span<const double> vector, Lanes& column) {
  column.resize(batch.pattern->size() * lane_count);
  spread_lanes(batch.pattern->size(), gathered(batch, vector, vector).data(), eights(column));
}

void lower_to_reduced_costs(const MetricBatch& batch, std::span<const double> multiplier,
                            std::span<const double> outside, std::vector<double> MetricBatch::*ratio,
                            Lanes& scratch, std::span<double> least) {
  scratch = batch.cost;
  const auto inputs = batch.pattern->inputs();
  Eight* reduced = eights(scratch);
  const std::vector<double> charged = gathered(batch, multiplier, outside);
  for (std::size_t i = 0; i < inputs.size(); ++i) reduced[i] -= charged[i];
  reduce_lanes(batch.pattern->edges(), (batch.*ratio).data(), eights(batch.z), reduced);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    least[inputs[i]] = lower_of(least[inputs[i]], least_of_lanes(reduced[i]));
}

void write_part(const MetricBatch& batch, const BatchPattern& tile, Lanes& values) {
  values.assign(tile.values() * lane_count, 0.0);
  write_part_lanes(tile.edges(), batch.pattern->edges(), batch.ratio.data(), eights(batch.x), eights(batch.z),
                   eights(values));
  stiffen_lanes(tile.size(), eights(batch.counted), eights(values));
}

}  // namespace fogline::kernel
