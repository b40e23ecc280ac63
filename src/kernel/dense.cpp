// SPDX-License-Identifier: Apache-2.0
#include "kernel/dense.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "kernel/widest.hpp"

namespace fogline::kernel {
namespace {

using Eigen::Index;

// A tile of one 64-byte row by six columns needs twelve of sixteen 256-bit registers for its sums, and the rest for what is multiplied.
constexpr Index tile_columns = 6;
constexpr Index most_terms = 256;  // of a sum at a time: a strip of either side then fits the nearest cache
constexpr Index block_rows =
    128;  // of a block, for one thread; its strips of both sides fit the second cache
constexpr Index block_columns = 96;  // a multiple of tile_columns
/// A corner so wide, 32 KiB, is factored column by column; all the rest of a factor are products. As every number above
/// that sums are cut by, it decides their last digits: whoever changes one changes the bytes of a release.
constexpr Index factor_columns = 64;
/// Strips that are packed, and rows that are divided, are worth a thread's while by so many.
constexpr std::size_t strips_a_task = 16, rows_a_task = 256;

template <class Number>
struct Lanes;
template <>
struct Lanes<double> {
  using Type = Eight;
};
template <>
struct Lanes<float> {
  using Type = float __attribute__((vector_size(widest_bytes), aligned(alignof(float))));
};
template <class Number>
constexpr Index lane_count = widest_bytes / sizeof(Number);

/// sums[column] += or -= the terms' products. `a` holds a row of lanes a term, `b` six numbers a term; a column of `sums` is a run of lanes.
template <class Number, Meeting meeting>
inline __attribute__((always_inline)) void add_terms(const Number* a, const Number* b, Index terms,
                                                     Number* sums) {
  using Row = typename Lanes<Number>::Type;
  constexpr Index lanes = lane_count<Number>;
  Row sum[tile_columns];
  for (Index j = 0; j < tile_columns; ++j) sum[j] = *reinterpret_cast<const Row*>(sums + j * lanes);
  for (Index k = 0; k < terms; ++k) {
    const Row row = *reinterpret_cast<const Row*>(a + k * lanes);
#pragma GCC unroll 6
    for (Index j = 0; j < tile_columns; ++j) {
      if constexpr (meeting == Meeting::add)
        sum[j] += row * b[k * tile_columns + j];
      else
        sum[j] -= row * b[k * tile_columns + j];
    }
  }
  for (Index j = 0; j < tile_columns; ++j) *reinterpret_cast<Row*>(sums + j * lanes) = sum[j];
}

FOGLINE_WIDEST void tile_plus(const double* a, const double* b, Index terms, double* sums) {
  add_terms<double, Meeting::add>(a, b, terms, sums);
}
FOGLINE_WIDEST void tile_minus(const double* a, const double* b, Index terms, double* sums) {
  add_terms<double, Meeting::subtract>(a, b, terms, sums);
}
FOGLINE_WIDEST void tile_plus(const float* a, const float* b, Index terms, float* sums) {
  add_terms<float, Meeting::add>(a, b, terms, sums);
}
FOGLINE_WIDEST void tile_minus(const float* a, const float* b, Index terms, float* sums) {
  add_terms<float, Meeting::subtract>(a, b, terms, sums);
}

template <class Number>
using Store = Eigen::Array<Number, Eigen::Dynamic, 1>;  // begins where the widest registers read it fastest

/// Strips of `width` rows each, a row of a strip per term; rows that are missing in the last strip are 0.
template <class Number>
void pack(const DenseView<Number>& from, Index first_term, Index terms, Index width, int threads,
          Store<Number>& to) {
  const Index strips = (from.rows + width - 1) / width;
  if (to.size() < strips * width * terms) to.resize(strips * width * terms);
  parallel_for(static_cast<std::size_t>(strips), {.threads = threads, .grain = strips_a_task},
               [&](std::size_t begin, std::size_t end) {
                 for (Index strip = static_cast<Index>(begin); strip < static_cast<Index>(end); ++strip) {
                   Number* out = to.data() + strip * width * terms;
                   const Index kept = std::min(width, from.rows - strip * width);
                   const Number* in =
                       from.data + strip * width * from.row_step + first_term * from.column_step;
                   for (Index k = 0; k < terms; ++k) {
                     for (Index i = 0; i < kept; ++i)
                       out[k * width + i] = in[i * from.row_step + k * from.column_step];
                     for (Index i = kept; i < width; ++i) out[k * width + i] = 0;
                   }
                 }
               });
}

/// A product whose result has its columns in runs of memory.
template <class Number>
class Product {
 public:
  Product(const DenseView<Number>& a, const DenseView<Number>& b, Number* c, Index c_step,
          const ProductOptions& options)
      : a_(a), b_(b.transposed()), c_(c), c_step_(c_step), options_(options) {}

  void run() {
    const Index down = (a_.rows + block_rows - 1) / block_rows,
                beside = (b_.rows + block_columns - 1) / block_columns;
    for (Index first = 0; first < a_.columns; first += most_terms) {
      terms_ = std::min(most_terms, a_.columns - first);
      pack(a_, first, terms_, lanes, options_.threads, a_strips_);
      pack(b_, first, terms_, tile_columns, options_.threads, b_strips_);
      parallel_for(static_cast<std::size_t>(down * beside), {.threads = options_.threads},
                   [&](std::size_t begin, std::size_t end) {
                     for (std::size_t at = begin; at < end; ++at)
                       add_block(static_cast<Index>(at) % down, static_cast<Index>(at) / down);
                   });
    }
  }

 private:
  static constexpr Index lanes = lane_count<Number>;

  void add_block(Index block_row, Index block_column) const {
    const Index end_row = std::min(a_.rows, (block_row + 1) * block_rows),
                end_column = std::min(b_.rows, (block_column + 1) * block_columns);
    for (Index column = block_column * block_columns; column < end_column; column += tile_columns) {
      for (Index row = block_row * block_rows; row < end_row; row += lanes) {
        if (options_.part == Part::all || row + lanes > column)
          add_tile(row, std::min(lanes, end_row - row), column, std::min(tile_columns, end_column - column));
      }
    }
  }

  void add_tile(Index row, Index rows, Index column, Index columns) const {
    alignas(widest_bytes) Number sums[static_cast<std::size_t>(tile_columns * lanes)] = {};
    for (Index j = 0; j < columns; ++j)
      std::copy_n(c_ + row + (column + j) * c_step_, rows, sums + j * lanes);
    const Number* a = a_strips_.data() + row * terms_;
    const Number* b = b_strips_.data() + column * terms_;
    if (options_.meeting == Meeting::add)
      tile_plus(a, b, terms_, sums);
    else
      tile_minus(a, b, terms_, sums);
    for (Index j = 0; j < columns; ++j)
      std::copy_n(sums + j * lanes, rows, c_ + row + (column + j) * c_step_);
  }

  DenseView<Number> a_, b_;  // b by rows of its transpose
  Number* c_;
  Index c_step_;
  ProductOptions options_;
  Index terms_ = 0;
  Store<Number> a_strips_, b_strips_;
};

static_assert(block_columns % tile_columns == 0);

/// The factor of a small matrix in place: column by column, each less what those before it hold.
bool factor_corner(Eigen::Ref<Eigen::MatrixXd> block) {
  for (Index j = 0; j < block.cols(); ++j) {
    const Index below = block.rows() - j - 1;
    if (!(block(j, j) > 0) || !std::isfinite(block(j, j))) return false;
    block(j, j) = std::sqrt(block(j, j));
    block.col(j).tail(below) /= block(j, j);
    for (Index k = j + 1; k < block.cols(); ++k)
      block.col(k).tail(block.rows() - k) -= block(k, j) * block.col(j).tail(block.rows() - k);
  }
  return true;
}

/// rows := rows * corner^-T, for as many rows as there are below a corner.
void divide_by_corner(const Eigen::Ref<const Eigen::MatrixXd>& corner, Eigen::Ref<Eigen::MatrixXd> rows,
                      int threads) {
  parallel_for(static_cast<std::size_t>(rows.rows()), {.threads = threads, .grain = rows_a_task},
               [&](std::size_t begin, std::size_t end) {
                 auto some = rows.middleRows(static_cast<Index>(begin), static_cast<Index>(end - begin));
                 for (Index j = 0; j < corner.cols(); ++j) {
                   some.col(j) /= corner(j, j);
                   for (Index k = j + 1; k < corner.cols(); ++k) some.col(k) -= corner(k, j) * some.col(j);
                 }
               });
}

}  // namespace

void add_product(const DenseView<double>& a, const DenseView<double>& b, Eigen::Ref<Eigen::MatrixXd> c,
                 const ProductOptions& options) {
  assert(a.columns == b.rows && c.rows() == a.rows && c.cols() == b.columns);
  Product<double>(a, b, c.data(), c.outerStride(), options).run();
}

void add_product(const DenseView<float>& a, const DenseView<float>& b, Eigen::Ref<RowMajorFloats> c,
                 const ProductOptions& options) {
  assert(a.columns == b.rows && c.rows() == a.rows && c.cols() == b.columns);
  assert(options.part == Part::all);
  // Multiplication commutes, also when it is rounded: the transposed product is the same.
  Product<float>(b.transposed(), a.transposed(), c.data(), c.outerStride(), options).run();
}

bool DenseCholesky::factor(Eigen::MatrixXd matrix, int threads) {
  lower_ = std::move(matrix);
  const Index n = lower_.rows();
  for (Index first = 0; first < n; first += factor_columns) {
    const Index width = std::min(factor_columns, n - first), below = n - first - width;
    auto corner = lower_.block(first, first, width, width);
    if (!factor_corner(corner)) return false;
    if (below == 0) break;
    auto rows = lower_.block(first + width, first, below, width);
    divide_by_corner(corner, rows, threads);
    add_product(rows, rows.transpose(), lower_.bottomRightCorner(below, below),
                {.threads = threads, .meeting = Meeting::subtract, .part = Part::lower});
  }
  return true;
}

void DenseCholesky::solve(Eigen::VectorXd& right) const {
  lower_.triangularView<Eigen::Lower>().solveInPlace(right);
  lower_.triangularView<Eigen::Lower>().transpose().solveInPlace(right);
}

}  // namespace fogline::kernel
