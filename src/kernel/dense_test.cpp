// SPDX-License-Identifier: Apache-2.0
#include "kernel/dense.hpp"

#include <cstring>

#include <gtest/gtest.h>

#include "random/key.hpp"

namespace fogline::kernel::dense_test {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

template <class Matrix>
Matrix random_matrix(Index rows, Index columns, std::uint64_t number) {
  random::Stream stream = random::SeededKey(1).stream("dense test", number);
  Matrix result(rows, columns);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j)
      result(i, j) = static_cast<typename Matrix::Scalar>(
          std::ldexp(static_cast<double>(stream.next64() >> 11), -52) - 1);
  }
  return result;
}

/// The loop that kernel/dense.hpp promises the bits of.
template <class Matrix>
Matrix plain_product(const Matrix& a, const Matrix& b, Matrix c, double sign = 1) {
  for (Index i = 0; i < c.rows(); ++i) {
    for (Index j = 0; j < c.cols(); ++j) {
      typename Matrix::Scalar sum = c(i, j);
      for (Index k = 0; k < a.cols(); ++k)
        sum += static_cast<typename Matrix::Scalar>(sign) * a(i, k) * b(k, j);
      c(i, j) = sum;
    }
  }
  return c;
}

template <class Matrix>
bool same_bits(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(*a.data())) == 0;
}

struct Size {
  Index rows, terms, columns;
};
constexpr Size sizes[] = {{1, 1, 1}, {8, 3, 6}, {7, 300, 5}, {129, 257, 97}, {33, 513, 200}, {3, 0, 4}};

// Only an order of sums that no register and no thread decides has the bits of the plain loop, whatever processor runs this.
TEST(Dense, ProductsHaveTheBitsOfThePlainLoop) {
  for (const Size& size : sizes) {
    const auto a = random_matrix<MatrixXd>(size.rows, size.terms, 1);
    const auto b = random_matrix<MatrixXd>(size.terms, size.columns, 2);
    const auto start = random_matrix<MatrixXd>(size.rows, size.columns, 3);
    for (const int threads : {1, 2, 5}) {
      MatrixXd sum = start, difference = start, anew;
      add_product(a, b, sum, {.threads = threads});
      add_product(a, b, difference, {.threads = threads, .meeting = Meeting::subtract});
      set_product(a, b, anew, {.threads = threads});
      EXPECT_TRUE(same_bits(sum, plain_product(a, b, start))) << size.rows << ' ' << threads;
      EXPECT_TRUE(same_bits(difference, plain_product(a, b, start, -1))) << size.rows << ' ' << threads;
      const MatrixXd zero = MatrixXd::Zero(size.rows, size.columns);
      EXPECT_TRUE(same_bits(anew, plain_product(a, b, zero))) << size.rows << ' ' << threads;
    }
  }
}

TEST(Dense, FloatsByRowsToo) {
  for (const Size& size : sizes) {
    const auto a = random_matrix<RowMajorFloats>(size.rows, size.terms, 4);
    const auto b = random_matrix<RowMajorFloats>(size.terms, size.columns, 5);
    RowMajorFloats result;
    set_product(a, b, result, {.threads = 2});
    const RowMajorFloats zero = RowMajorFloats::Zero(size.rows, size.columns);
    EXPECT_TRUE(same_bits(result, plain_product(a, b, zero))) << size.rows;
  }
}

TEST(Dense, TakesTransposesAndBlocks) {
  const auto whole = random_matrix<MatrixXd>(60, 50, 6);
  const MatrixXd a = whole.block(3, 4, 20, 30), b = whole.block(5, 7, 20, 11);
  const MatrixXd turned = a.transpose(), zero = MatrixXd::Zero(30, 11);
  EXPECT_TRUE(same_bits(product(whole.block(3, 4, 20, 30).transpose(), whole.block(5, 7, 20, 11)),
                        plain_product(turned, b, zero)));
}

TEST(Dense, TheLowerPartAlone) {
  const auto a = random_matrix<MatrixXd>(150, 40, 7);
  const MatrixXd turned = a.transpose();
  MatrixXd half = MatrixXd::Zero(150, 150);
  add_product(a, turned, half, {.part = Part::lower});
  const MatrixXd whole = product(a, turned);
  for (Index j = 0; j < 150; ++j) {
    for (Index i = j; i < 150; ++i) ASSERT_EQ(half(i, j), whole(i, j));
  }
}

MatrixXd positive_definite(Index n) {
  const auto a = random_matrix<MatrixXd>(n, n, 8);
  return product(a, a.transpose()) + MatrixXd::Identity(n, n);
}

TEST(Dense, FactorsSolveWhatTheyWereMadeOf) {
  for (const Index n : {1, 5, 64, 65, 200}) {
    const MatrixXd matrix = positive_definite(n);
    Eigen::VectorXd one, two, ones = Eigen::VectorXd::Ones(n);
    for (const int threads : {1, 3}) {
      DenseCholesky cholesky;
      ASSERT_TRUE(cholesky.factor(matrix, threads)) << n;
      Eigen::VectorXd& solution = threads == 1 ? one : two;
      solution = ones;
      cholesky.solve(solution);
    }
    EXPECT_LT((matrix * one - ones).cwiseAbs().maxCoeff(), 1e-9) << n;
    EXPECT_TRUE(same_bits(one, two)) << n;
  }
}

TEST(Dense, SaysWhenAMatrixIsNotPositiveDefinite) {
  MatrixXd matrix = positive_definite(130);
  matrix(100, 100) = -1;
  EXPECT_FALSE(DenseCholesky().factor(matrix));
  matrix(100, 100) = std::nan("");
  EXPECT_FALSE(DenseCholesky().factor(matrix));
  EXPECT_FALSE(DenseCholesky().factor(MatrixXd::Zero(3, 3)));
}

}  // namespace
}  // namespace fogline::kernel::dense_test
