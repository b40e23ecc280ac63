// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "base/parallel.hpp"

namespace fogline::kernel {

/// Products and Cholesky factors of dense matrices whose every bit is the same on every processor and on any number of threads.
///
///     Eigen::MatrixXd cost(loss.rows(), joint.cols());
///     set_product(loss, joint, cost, {.threads = 2});
///
/// An entry of a product is c = 0 or what stood there, then c = c + a_k b_k for k = 0, 1, 2, ..., each multiplication and each addition rounded:
/// the plain triple loop. Entries, not terms, lie side by side in registers, so their width decides speed and never a sum; nothing is
/// fused, since -ffp-contract=off holds everywhere in this project. A BLAS picks width and
/// order by processor, and with them last bits, which a table's integers are then rounded from: the same seed gave other bytes elsewhere.
///
/// Cost: two thirds of OpenBLAS's speed for products and half of it for factors (32 and 16 Gflop a second on a core with 512-bit registers). Products
/// keep copies of a and b, 256 terms at a time.
template <class Number>
struct DenseView {
  const Number* data;
  Eigen::Index rows, columns;
  Eigen::Index row_step, column_step;  ///< from an entry to the one below, and to the one beside

  /// A matrix, map, block, or the transpose of one.
  template <class Matrix>
  DenseView(const Matrix& matrix)  // NOLINT(google-explicit-constructor): an argument only
      : data(matrix.data()),
        rows(matrix.rows()),
        columns(matrix.cols()),
        row_step(matrix.rowStride()),
        column_step(matrix.colStride()) {}
  DenseView(const Number* first, Eigen::Index row_count, Eigen::Index column_count, Eigen::Index down,
            Eigen::Index beside)
      : data(first), rows(row_count), columns(column_count), row_step(down), column_step(beside) {}
  DenseView transposed() const { return {data, columns, rows, column_step, row_step}; }
};

/// How a product meets what stood in the result.
enum class Meeting { add, subtract };
/// What of the result is wanted. With `lower` the entries above the diagonal are left as they were or set to something without meaning.
enum class Part { all, lower };

struct ProductOptions {
  int threads = 0;  ///< 0 (all cores) to 1,024
  Meeting meeting = Meeting::add;
  Part part = Part::all;
};

/// c += a b, or c -= a b. The result's columns or its rows are whole runs of memory, and it overlaps neither argument.
void add_product(const DenseView<double>& a, const DenseView<double>& b, Eigen::Ref<Eigen::MatrixXd> c,
                 const ProductOptions& options = {});
using RowMajorFloats = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
void add_product(const DenseView<float>& a, const DenseView<float>& b, Eigen::Ref<RowMajorFloats> c,
                 const ProductOptions& options = {});

/// c = a b, resized to fit.
template <class Matrix>
void set_product(const DenseView<typename Matrix::Scalar>& a, const DenseView<typename Matrix::Scalar>& b,
                 Matrix& c, const ProductOptions& options = {}) {
  c.setZero(a.rows, b.columns);
  add_product(a, b, c, options);
}
inline Eigen::MatrixXd product(const DenseView<double>& a, const DenseView<double>& b) {
  Eigen::MatrixXd c;
  set_product(a, b, c);
  return c;
}

/// The lower triangular factor L of a symmetric positive definite matrix L L^T.
class DenseCholesky {
 public:
  /// Takes the matrix, of which only the lower triangle is read. False if it is not positive definite, as far as floating point can tell.
  bool factor(Eigen::MatrixXd matrix, int threads = 0);
  /// right := (L L^T)^-1 right. Only after factor() said true.
  void solve(Eigen::VectorXd& right) const;

 private:
  Eigen::MatrixXd lower_;  // above the diagonal: nothing that means something
};

}  // namespace fogline::kernel
