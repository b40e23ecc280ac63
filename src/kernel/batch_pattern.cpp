// SPDX-License-Identifier: Apache-2.0
#include "kernel/batch_pattern.hpp"

#include <algorithm>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

namespace fogline::kernel {
namespace {

/// Column by column, each taken off what is right of it at once. `update` says where its products go, so that nothing is searched for.
FOGLINE_WIDEST
bool factor_lanes(std::size_t n, const std::uint32_t* begin, const std::uint32_t* update, Eight* value,
                  Eight* scaled) {
  Eight* lower = value + n;
  for (std::size_t j = 0; j < n; ++j) {
    // A pivot of 0 or less means that rounding has eaten what was left of the matrix.
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
      if (!(value[j][lane] > 0)) return false;
    }
    const Eight inverse_pivot = 1 / value[j];
    value[j] = inverse_pivot;
    Eight* column = lower + begin[j];
    const std::size_t count = begin[j + 1] - begin[j];
    for (std::size_t a = 0; a < count; ++a) scaled[a] = column[a] * inverse_pivot;
    for (std::size_t a = 0; a < count; ++a) {
      const Eight factor = column[a];
      for (std::size_t b = a; b < count; ++b) value[*update++] -= factor * scaled[b];
    }
    for (std::size_t a = 0; a < count; ++a) column[a] = scaled[a];
  }
  return true;
}

FOGLINE_WIDEST
void solve_lanes(std::size_t n, const std::uint32_t* begin, const std::uint32_t* row, const Eight* value,
                 Eight* x) {
  const Eight* lower = value + n;
  for (std::size_t j = 0; j < n; ++j) {
    const Eight known = x[j];
    for (std::uint32_t at = begin[j]; at < begin[j + 1]; ++at) x[row[at]] -= lower[at] * known;
  }
  for (std::size_t j = n; j-- > 0;) {
    Eight sum = x[j] * value[j];
    for (std::uint32_t at = begin[j]; at < begin[j + 1]; ++at) sum -= lower[at] * x[row[at]];
    x[j] = sum;
  }
}

/// From the last column to the first: a column of the inverse below its diagonal is minus the factor's column times what of the inverse is there already.
/// Both halves are written, so that a row of it can be read in one run.
FOGLINE_WIDEST
void invert_lanes(std::size_t n, std::size_t first, const std::uint32_t* begin, const std::uint32_t* row,
                  const Eight* value, Eight* inverse, Eight* sum) {
  const Eight* lower = value + n;
  const std::size_t m = n - first;
  for (std::size_t j = m; j-- > 0;) {
    const std::uint32_t from = begin[first + j], to = begin[first + j + 1];
    Eight* target = inverse + j * m;
    for (std::size_t i = j + 1; i < m; ++i) target[i] = Eight{};
    for (std::uint32_t at = from; at < to; ++at) {
      const Eight factor = lower[at];
      const Eight* source = inverse + (row[at] - first) * m;
      for (std::size_t i = j + 1; i < m; ++i) target[i] -= factor * source[i];
    }
    Eight diagonal = value[first + j];
    for (std::uint32_t at = from; at < to; ++at) diagonal -= lower[at] * target[row[at] - first];
    target[j] = diagonal;
    for (std::size_t i = j + 1; i < m; ++i) inverse[i * m + j] = target[i];
    Eight* total = sum + j * m;
    for (std::size_t i = j; i < m; ++i) total[i] += target[i];
  }
}

}  // namespace

BatchPattern::BatchPattern(const Relation& relation, std::span<const InputId> inputs,
                           std::span<const std::uint32_t> pairs, std::span<const InputId> last) {
  order(relation, inputs, pairs, last);
  fill();
}

/// Approximate minimum degree: fill on road networks is little, and its cost next to nothing.
void BatchPattern::order(const Relation& relation, std::span<const InputId> inputs,
                         std::span<const std::uint32_t> pairs, std::span<const InputId> last) {
  std::vector<InputId> sorted(inputs.begin(), inputs.end());
  std::sort(sorted.begin(), sorted.end());
  const auto index = [&](InputId input) {
    return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), input) - sorted.begin());
  };
  const auto n = static_cast<int>(sorted.size());
  std::vector<Eigen::Triplet<char>> entries;
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i, 1);
  for (const std::uint32_t pair : pairs) {
    const auto a = static_cast<int>(index(relation.pairs()[pair].from));
    const auto b = static_cast<int>(index(relation.pairs()[pair].to));
    entries.emplace_back(a, b, 1);
    entries.emplace_back(b, a, 1);
  }
  Eigen::SparseMatrix<char> adjacency(n, n);
  adjacency.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::AMDOrdering<int>()(adjacency, permutation);
  std::vector<std::size_t> eliminated(permutation.indices().data(), permutation.indices().data() + n);
  std::vector<char> is_last(sorted.size(), 0);
  for (const InputId input : last) is_last[index(input)] = 1;
  std::stable_partition(eliminated.begin(), eliminated.end(), [&](std::size_t k) { return !is_last[k]; });
  std::vector<std::uint32_t> place(sorted.size());
  for (std::uint32_t k = 0; k < eliminated.size(); ++k) {
    place[eliminated[k]] = k;
    inputs_.push_back(sorted[eliminated[k]]);
  }
  for (const std::uint32_t pair : pairs) {
    const RelatedPair& ends = relation.pairs()[pair];
    edges_.push_back({.i = place[index(ends.from)], .j = place[index(ends.to)], .pair = pair});
  }
}

/// A column has what the matrix has there, and what the columns whose first row it is leave behind.
void BatchPattern::fill() {
  std::vector<std::vector<std::uint32_t>> column(size()), leaves_to(size());
  for (const Edge& edge : edges_) column[std::min(edge.i, edge.j)].push_back(std::max(edge.i, edge.j));
  begin_.push_back(0);
  for (std::uint32_t j = 0; j < size(); ++j) {
    std::vector<std::uint32_t>& rows = column[j];
    for (const std::uint32_t earlier : leaves_to[j])
      rows.insert(rows.end(), row_.begin() + begin_[earlier] + 1, row_.begin() + begin_[earlier + 1]);
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    if (!rows.empty()) leaves_to[rows.front()].push_back(j);
    row_.insert(row_.end(), rows.begin(), rows.end());
    begin_.push_back(static_cast<std::uint32_t>(row_.size()));
    longest_column_ = std::max(longest_column_, rows.size());
    std::vector<std::uint32_t>().swap(rows);
  }
  for (Edge& edge : edges_) edge.at = position(std::max(edge.i, edge.j), std::min(edge.i, edge.j));
  for (std::size_t j = 0; j < size(); ++j) {
    for (std::uint32_t a = begin_[j]; a < begin_[j + 1]; ++a) {
      update_.push_back(row_[a]);  // its square, to the diagonal
      for (std::uint32_t b = a + 1; b < begin_[j + 1]; ++b) update_.push_back(position(row_[b], row_[a]));
    }
  }
}

std::uint32_t BatchPattern::position(std::uint32_t row, std::uint32_t column) const {
  const auto found = std::lower_bound(row_.begin() + begin_[column], row_.begin() + begin_[column + 1], row);
  return static_cast<std::uint32_t>(size() + static_cast<std::size_t>(found - row_.begin()));
}

bool BatchPattern::factor(Lanes& values) const {
  Lanes scaled(longest_column_ * lane_count);
  return factor_lanes(size(), begin_.data(), update_.data(), eights(values), eights(scaled));
}

void BatchPattern::solve(const Lanes& values, Lanes& x) const {
  solve_lanes(size(), begin_.data(), row_.data(), eights(values), eights(x));
}

void BatchPattern::add_inverse(const Lanes& values, std::size_t first, Lanes& inverse, Lanes& sum) const {
  invert_lanes(size(), first, begin_.data(), row_.data(), eights(values), eights(inverse), eights(sum));
}

}  // namespace fogline::kernel
