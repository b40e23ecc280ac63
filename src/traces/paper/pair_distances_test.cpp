// SPDX-License-Identifier: Apache-2.0
#include "traces/paper/pair_distances.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "random/key.hpp"
#include "random/published_noise.hpp"

namespace fogline::traces::pair_distances_test {
namespace {

using Eigen::Index;

/// Vectors about 0, numbers in -size..size.
Vectors drawn_vectors(Index rows, Index columns, std::uint64_t seed, double size = 1) {
  random::Stream stream = random::SeededKey(seed).stream("vectors");
  Vectors vectors(rows, columns);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j)
      vectors(i, j) = static_cast<float>(size * (2 * random::published::uniform(stream) - 1));
  return vectors;
}

double exact_distance(const Vectors& rows, Index i, Index j) {
  return (rows.row(i).cast<double>() - rows.row(j).cast<double>()).norm();
}

std::vector<double> exact_sums(const Vectors& rows) {
  std::vector<double> sums(static_cast<std::size_t>(rows.rows()));
  for (Index i = 0; i < rows.rows(); ++i)
    for (Index j = 0; j < rows.rows(); ++j) sums[static_cast<std::size_t>(i)] += exact_distance(rows, i, j);
  return sums;
}

/// Number by number, in double.
Misfit exact_misfit(const Vectors& rows, const std::vector<double>& goal) {
  const std::vector<double> sums = exact_sums(rows);
  const auto m = static_cast<double>(rows.rows());
  Eigen::MatrixXd gradient = Eigen::MatrixXd::Zero(rows.rows(), rows.cols());
  Misfit misfit;
  for (std::size_t i = 0; i < goal.size(); ++i) misfit.loss += std::pow((sums[i] - goal[i]) / (2 * m), 2);
  for (Index i = 0; i < rows.rows(); ++i)
    for (Index j = 0; j < rows.rows(); ++j) {
      const double distance = exact_distance(rows, i, j);
      if (distance == 0) continue;
      const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
      gradient.row(i) += 1 / (2 * m * m) * (sums[a] - goal[a] + sums[b] - goal[b]) / distance *
                         (rows.row(i) - rows.row(j)).cast<double>();
    }
  misfit.gradient = gradient.cast<float>();
  return misfit;
}

TEST(PairDistances, SumsByHand) {
  Vectors rows(3, 3);
  rows << 0, 0, 0, 3, 4, 0, 0, 0, 12;
  const std::vector<double> sums = distance_sums(rows, {});
  EXPECT_NEAR(sums[0], 5 + 12, 1e-5);
  EXPECT_NEAR(sums[1], 5 + 13, 1e-5);
  EXPECT_NEAR(sums[2], 12 + 13, 1e-5);
}

TEST(PairDistances, AgreeWithTheExactOnesAcrossPanelsAndPieces) {
  for (const Index rows : {1, 2, 511, 512, 513, 1100}) {
    const Vectors vectors = drawn_vectors(rows, 5, 3);
    const std::vector<double> sums = distance_sums(vectors, {}), exact = exact_sums(vectors);
    for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_NEAR(sums[i], exact[i], 2e-6 * exact[i] + 1e-9);
  }
}

TEST(PairDistances, CloseTripsAreMeasuredAgain) {
  // 1 mm apart, 30 km from the mean: the short formula would see 0, or metres.
  Vectors rows(4, 2);
  rows << 30'000, 0, 30'000, 0.001953125F, -30'000, 0, -30'000, 0;
  const std::vector<double> goal(4, 0.0);
  const std::vector<double> sums = distance_sums(rows, {});
  EXPECT_NEAR(sums[0], 120'000.002, 0.02);
  Misfit misfit;
  rows.conservativeResize(2, 2);
  misfit_of_sums(rows, std::vector<double>{1, 1}, {}, misfit);
  // r = -0.998 each; 1/8 * (r + r) * (a - b) / |a - b|
  EXPECT_NEAR(misfit.gradient(0, 1), 0.2495, 1e-4);
  EXPECT_NEAR(misfit.gradient(1, 1), -0.2495, 1e-4);
}

TEST(PairDistances, CloseTripsInACrowdKeepTheirDirection) {
  // Among 600 trips far apart, pairs a millimetre apart: the one with the other's first number, and a bit more.
  Vectors vectors = drawn_vectors(600, 4, 2, 1000);
  for (const Index i : {0, 100, 550}) {
    vectors.row(i + 20) = vectors.row(i);
    vectors(i + 20, 3) += 0.001F;
  }
  const std::vector<double> goal(600, 1e6);
  Misfit misfit;
  misfit_of_sums(vectors, goal, {}, misfit);
  const Misfit exact = exact_misfit(vectors, goal);
  for (const Index i : {0, 20, 100, 120, 550, 570})
    EXPECT_LT((misfit.gradient.row(i) - exact.gradient.row(i)).norm(), 1e-4F * exact.gradient.row(i).norm());
}

TEST(PairDistances, EqualTripsHaveNoDirection) {
  Vectors rows(3, 2);
  rows << 1, 1, 1, 1, -2, -2;
  Misfit misfit;
  misfit_of_sums(rows, std::vector<double>{9, 9, 9}, {}, misfit);
  EXPECT_TRUE(misfit.gradient.allFinite());
  EXPECT_TRUE(misfit.gradient.row(0).isApprox(misfit.gradient.row(1), 1e-5F));
}

TEST(PairDistances, GradientOfSumsIsTheExactOne) {
  EXPECT_TRUE(rc::check("gradient", [] {
    const auto rows = *rc::gen::inRange<Index>(2, 30);
    const auto columns = *rc::gen::inRange<Index>(1, 12);
    const Vectors vectors = drawn_vectors(rows, columns, *rc::gen::inRange<std::uint64_t>(0, 1000), 50);
    std::vector<double> goal = exact_sums(vectors);
    for (std::size_t i = 0; i < goal.size(); ++i) goal[i] *= i % 2 == 0 ? 1.2 : 0.5;
    Misfit misfit;
    misfit_of_sums(vectors, goal, {}, misfit);
    const Misfit exact = exact_misfit(vectors, goal);
    RC_ASSERT(std::abs(misfit.loss - exact.loss) <= 1e-4 * exact.loss);
    RC_ASSERT((misfit.gradient - exact.gradient).norm() <= 1e-3F * exact.gradient.norm());
  }));
}

TEST(PairDistances, GradientOfSumsAcrossPanels) {
  const Vectors vectors = drawn_vectors(600, 3, 8);
  std::vector<double> goal = exact_sums(vectors);
  for (std::size_t i = 0; i < goal.size(); ++i) goal[i] *= i % 3 == 0 ? 1.2 : 0.9;
  Misfit misfit;
  misfit_of_sums(vectors, goal, {.threads = 2}, misfit);
  const Misfit exact = exact_misfit(vectors, goal);
  EXPECT_LT((misfit.gradient - exact.gradient).norm(), 1e-4F * exact.gradient.norm());
}

TEST(PairDistances, StepsOfLessThanTheGradientConverge) {
  // One vector far from all others is the worst: its sum changes by m for a move of 1.
  Vectors vectors = drawn_vectors(50, 3, 4);
  vectors.row(7) *= 1000;
  std::vector<double> goal = exact_sums(vectors);
  for (double& sum : goal) sum *= 1.05;
  Misfit misfit;
  double first = 0;
  for (int i = 0; i < 60; ++i) {
    misfit_of_sums(vectors, goal, {}, misfit);
    if (i == 0) first = misfit.loss;
    vectors -= 0.95F * misfit.gradient;
  }
  EXPECT_LT(misfit.loss, 0.01 * first);
}

TEST(PairDistances, GradientOfPairsIsTheSlopeOfTheLoss) {
  const Vectors vectors = drawn_vectors(7, 3, 1), goal = drawn_vectors(7, 4, 2);
  Misfit misfit;
  misfit_of_pairs(vectors, goal, {}, misfit);
  const auto loss = [&](const Vectors& rows) {
    double sum = 0;
    for (Index i = 0; i < 7; ++i)
      for (Index j = 0; j < 7; ++j)
        sum += std::pow(exact_distance(rows, i, j) - exact_distance(goal, i, j), 2);
    return sum / 7;
  };
  EXPECT_NEAR(misfit.loss, loss(vectors), 1e-4);
  for (Index i = 0; i < 7; ++i)
    for (Index j = 0; j < 3; ++j) {
      Vectors up = vectors, down = vectors;
      up(i, j) += 1.0F / 512;
      down(i, j) -= 1.0F / 512;
      EXPECT_NEAR(misfit.gradient(i, j), (loss(up) - loss(down)) * 256, 1e-3);
    }
}

TEST(PairDistances, LossOfPairsAcrossPanels) {
  const Vectors vectors = drawn_vectors(700, 2, 5), goal = drawn_vectors(700, 2, 6);
  Misfit misfit, itself;
  misfit_of_pairs(vectors, goal, {}, misfit);
  misfit_of_pairs(vectors, vectors, {}, itself);
  double sum = 0;
  for (Index i = 0; i < 700; ++i)
    for (Index j = 0; j < 700; ++j)
      sum += std::pow(exact_distance(vectors, i, j) - exact_distance(goal, i, j), 2);
  EXPECT_NEAR(misfit.loss, sum / 700, 1e-2);
  EXPECT_EQ(itself.loss, 0);
  EXPECT_EQ(itself.gradient.norm(), 0);
}

TEST(PairDistances, RefuseGoalsThatDoNotFit) {
  const Vectors rows = drawn_vectors(3, 2, 1);
  Misfit misfit;
  EXPECT_THROW(misfit_of_sums(rows, std::vector<double>{1, 2}, {}, misfit), InvalidOption);
  EXPECT_THROW(misfit_of_pairs(rows, drawn_vectors(2, 2, 1), {}, misfit), InvalidOption);
}

}  // namespace
}  // namespace fogline::traces::pair_distances_test
