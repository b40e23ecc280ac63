// SPDX-License-Identifier: Apache-2.0
#include "stream/inference/median.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace fogline::stream {
namespace {

// At most eight coordinates: no allocation per point.
using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 8, 1>;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 8, 8>;

/// The points that count, with their weights divided by the sum.
struct Cloud {
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 8, Eigen::Dynamic> points;  // a column each
  Eigen::VectorXd weights;
};

Cloud cloud_of(std::span<const double> points, std::size_t dimension, std::span<const double> weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  const double least = sum * 1e-9 / static_cast<double>(weights.size());
  const auto kept =
      static_cast<Eigen::Index>(std::ranges::count_if(weights, [&](double w) { return w > least; }));
  Cloud cloud;
  cloud.points.resize(static_cast<Eigen::Index>(dimension), kept);
  cloud.weights.resize(kept);
  Eigen::Index next = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] > least)) continue;
    for (std::size_t k = 0; k < dimension; ++k)
      cloud.points(static_cast<Eigen::Index>(k), next) = points[i * dimension + k];
    cloud.weights(next++) = weights[i];
  }
  cloud.weights /= cloud.weights.sum();
  return cloud;
}

double weighted_median(const Cloud& cloud) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(cloud.weights.size()));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  std::ranges::sort(order, {}, [&](Eigen::Index i) { return cloud.points(0, i); });
  double below = 0;
  for (const Eigen::Index i : order) {
    below += cloud.weights(i);
    if (below >= 0.5) return cloud.points(0, i);
  }
  return cloud.points(0, order.back());
}

double cost(const Cloud& cloud, const Vector& at) {
  return (cloud.points.colwise() - at).colwise().norm().dot(cloud.weights);
}

/// Slope and curvature of the cost at a point; `held` is the weight that lies on the point itself.
struct Shape {
  Vector slope;
  Matrix curvature;
  double pull = 0;  // sum of weight / distance
  double held = 0;
};

Shape shape_at(const Cloud& cloud, const Vector& at, double tiny) {
  const auto dimension = cloud.points.rows();
  Shape shape{Vector::Zero(dimension), Matrix::Zero(dimension, dimension), 0, 0};
  for (Eigen::Index i = 0; i < cloud.weights.size(); ++i) {
    const Vector away = at - cloud.points.col(i);
    const double distance = away.norm();
    if (distance <= tiny) {
      shape.held += cloud.weights(i);
      continue;
    }
    const double pull = cloud.weights(i) / distance;
    shape.slope += pull * away;
    shape.curvature.diagonal().array() += pull;
    shape.curvature.noalias() -= pull / (distance * distance) * away * away.transpose();
    shape.pull += pull;
  }
  return shape;
}

/// The best of the points themselves is the answer if no direction leads down from it; at least it is where to begin.
Vector start(const Cloud& cloud) {
  Eigen::Index heaviest = 0;
  cloud.weights.maxCoeff(&heaviest);
  const Vector mean = cloud.points * cloud.weights;
  const Vector heavy = cloud.points.col(heaviest);
  return cost(cloud, heavy) < cost(cloud, mean) ? heavy : mean;
}

/// Where the least cost lies on one of the points, steps towards it become ever smaller: this goes there at once.
void try_nearest_point(const Cloud& cloud, Vector& at, double& here) {
  Eigen::Index nearest = 0;
  (cloud.points.colwise() - at).colwise().squaredNorm().minCoeff(&nearest);
  const Vector point = cloud.points.col(nearest);
  if (const double there = cost(cloud, point); there < here) {
    at = point;
    here = there;
  }
}

Vector descend(const Cloud& cloud) {
  const double spread = (cloud.points.rowwise().maxCoeff() - cloud.points.rowwise().minCoeff()).norm();
  const double tiny = 1e-12 * spread;
  Vector at = start(cloud);
  double here = cost(cloud, at);
  for (int pass = 0; pass < 100 && spread > 0; ++pass) {
    try_nearest_point(cloud, at, here);
    Shape shape = shape_at(cloud, at, tiny);
    const double steep = shape.slope.norm();
    if (steep <= shape.held || steep < 1e-12) return at;  // no direction leads down
    // On a point of its own weight the slope is what remains beyond that weight.
    if (shape.held > 0) shape.slope *= 1 - shape.held / steep;
    const Vector weiszfeld = -shape.slope / shape.pull;
    shape.curvature.diagonal().array() += 1e-9 * shape.pull;
    Vector move = -shape.curvature.ldlt().solve(shape.slope);
    if (shape.held > 0 || !move.allFinite() || cost(cloud, at + move) >= here) move = weiszfeld;
    const double there = cost(cloud, at + move);
    if (!(there < here)) return at;
    at += move;
    here = there;
    if (move.norm() < 1e-7 * spread) return at;
  }
  return at;
}

}  // namespace

std::vector<double> geometric_median(std::span<const double> points, std::size_t dimension,
                                     std::span<const double> weights) {
  const Cloud cloud = cloud_of(points, dimension, weights);
  if (dimension == 1) return {weighted_median(cloud)};
  const Vector at = descend(cloud);
  return {at.data(), at.data() + at.size()};
}

double mean_distance(std::span<const double> points, std::size_t dimension, std::span<const double> weights,
                     std::span<const double> to) {
  double sum = 0, weight = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    double squares = 0;
    for (std::size_t k = 0; k < dimension; ++k) {
      const double away = points[i * dimension + k] - to[k];
      squares += away * away;
    }
    sum += weights[i] * std::sqrt(squares);
    weight += weights[i];
  }
  return sum / weight;
}

}  // namespace fogline::stream
