// SPDX-License-Identifier: Apache-2.0
#include "kernel/metric_rows.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

namespace fogline::kernel {
namespace {

using Eigen::Index;

/// Tiles' blocks are made for every second iteration: S changes little from one to the next, and they cost as much as a dozen or two products. Sooner, if solves took more steps than that.
constexpr std::size_t kept_iterations = 2, many_steps = 60;
/// Conjugate gradients stop after so many steps at the latest; what rows then lack is made up for in later iterations.
constexpr std::size_t most_steps_of_a_solve = 200;
/// On the diagonal of a tile's block for an input that none of its outputs reaches: the solution there is 0, and other tiles see to it. Below `unseen` nothing is seen.
constexpr double apart = 0x1p500, unseen = 0x1p-400;

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double largest_of(std::span<const double> vector) {
  double largest = 0;
  for (const double each : vector) largest = std::max(largest, std::abs(each));
  return largest;
}

/// The block of S on the inputs that a tile keeps.
Eigen::MatrixXd block_of(const MetricTile& tile, std::span<const MetricBatch> batches, Lanes& values,
                         Lanes& inverse, Lanes& sum, std::atomic<bool>& fine) {
  const std::size_t m = tile.kept().size();
  sum.assign(m * m * lane_count, 0.0);
  inverse.resize(sum.size());
  for (const std::uint32_t b : tile.batches) {
    write_part(batches[b], *tile.pattern, values);
    if (!tile.pattern->factor(values)) {
      fine = false;
      continue;
    }
    tile.pattern->add_inverse(values, tile.first_kept, inverse, sum);
  }
  Eigen::MatrixXd block(static_cast<Index>(m), static_cast<Index>(m));
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t i = j; i < m; ++i)
      block(static_cast<Index>(i), static_cast<Index>(j)) = sum_of_lanes(eights(sum)[j * m + i]);
    double& diagonal = block(static_cast<Index>(j), static_cast<Index>(j));
    if (diagonal < unseen) diagonal = apart;
  }
  return block;
}

}  // namespace

bool MetricRows::factor() {
  std::atomic<bool> fine{true};
  program_.each_batch([&](MetricBatch& batch) {
    if (!factor_batch(batch)) fine = false;
  });
  if (!fine) return false;
  ++kept_for_;
  if (!blocks_.empty() && kept_for_ < kept_iterations && most_steps_ <= many_steps) return true;
  kept_for_ = 0;
  most_steps_ = 0;
  return factor_tiles();
}

bool MetricRows::factor_tiles() {
  std::atomic<bool> fine{true};
  const auto tiles = program_.tiles();
  blocks_.resize(tiles.size());
  parallel_for(tiles.size(), {.threads = program_.threads()}, [&](std::size_t begin, std::size_t end) {
    Lanes values, inverse, sum;
    for (std::size_t k = begin; k < end; ++k) {
      if (!blocks_[k].factor(block_of(tiles[k], program_.batches(), values, inverse, sum, fine), 1))
        fine = false;
    }
  });
  return fine;
}

std::vector<double> MetricRows::direction_sums(std::span<const double> multiplier) {
  product_done_();
  return program_.sum_of_columns([&](MetricBatch& batch, Lanes&) -> const Lanes& {
    write_direction(batch, multiplier);
    return batch.dx;
  });
}

std::vector<double> MetricRows::multiply(std::span<const double> vector) {
  product_done_();
  return program_.sum_of_columns([&](MetricBatch& batch, Lanes& scratch) -> const Lanes& {
    spread(batch, vector, scratch);
    batch.pattern->solve(batch.factor, scratch);
    return scratch;
  });
}

std::vector<double> MetricRows::precondition(std::span<const double> vector) const {
  const auto tiles = program_.tiles();
  std::vector<Eigen::VectorXd> solution(tiles.size());
  constexpr std::size_t tiles_a_task = 4;  // each is a dense solve
  parallel_for(tiles.size(), {.threads = program_.threads(), .grain = tiles_a_task},
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t k = begin; k < end; ++k) {
                   const auto kept = tiles[k].kept();
                   solution[k].resize(static_cast<Index>(kept.size()));
                   for (std::size_t i = 0; i < kept.size(); ++i)
                     solution[k][static_cast<Index>(i)] = vector[kept[i]];
                   blocks_[k].solve(solution[k]);
                 }
               });
  std::vector<double> result(vector.size(), 0.0);
  for (std::size_t k = 0; k < tiles.size(); ++k) {
    const auto kept = tiles[k].kept();
    for (std::size_t i = 0; i < kept.size(); ++i) result[kept[i]] += solution[k][static_cast<Index>(i)];
  }
  return result;
}

/// What the multipliers of the guess leave of the rows is solved for, so that nothing but small numbers is rounded. The step is made from the multipliers in the end, so
/// that the dual equations hold exactly whatever conjugate gradients leave.
std::vector<double> MetricRows::solve(std::span<const double> missing, std::vector<double> guess,
                                      const Accuracy& accuracy) {
  std::vector<double> multiplier = std::move(guess);
  std::vector<double> residual = direction_sums(multiplier);
  for (std::size_t v = 0; v < residual.size(); ++v) residual[v] = missing[v] - residual[v];
  std::vector<double> preconditioned = precondition(residual), direction = preconditioned;
  double size = dot(residual, preconditioned);
  const double wanted = accuracy.share * accuracy.share * size;
  std::size_t steps = 0;
  while (steps < most_steps_of_a_solve && size > 0 &&
         (size > wanted || largest_of(residual) > accuracy.row)) {
    const std::vector<double> product = multiply(direction);
    const double curvature = dot(direction, product);
    if (!(curvature > 0) || !std::isfinite(curvature)) break;
    const double length = size / curvature;
    for (std::size_t v = 0; v < residual.size(); ++v) {
      multiplier[v] += length * direction[v];
      residual[v] -= length * product[v];
    }
    preconditioned = precondition(residual);
    const double next = dot(residual, preconditioned);
    for (std::size_t v = 0; v < residual.size(); ++v)
      direction[v] = preconditioned[v] + next / size * direction[v];
    size = next;
    ++steps;
  }
  most_steps_ = std::max(most_steps_, steps);
  if (steps > 0) direction_sums(multiplier);
  return multiplier;
}

}  // namespace fogline::kernel
