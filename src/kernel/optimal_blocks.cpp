// SPDX-License-Identifier: Apache-2.0
#include "kernel/optimal_blocks.hpp"

#include <algorithm>

#include <Eigen/OrderingMethods>

#include "kernel/widest.hpp"

namespace fogline::kernel {
namespace {

/// Registers of eight numbers that hold a row of a panel: four, which substitute_back() keeps in hand while it goes
/// down a column, so that each number of the factor is read once for 32 right sides.
constexpr std::size_t register_width = widest_numbers, eights = panel_width / register_width;

/// rows[j] -= sum of lower * rows[row] over the entries of column j, from the last column up to `first`.
FOGLINE_WIDEST
void substitute_back(const std::uint32_t* begin, const std::uint32_t* row, const double* lower,
                     std::uint32_t first, std::uint32_t count, double* rows) {
  for (std::uint32_t j = count; j-- > first;) {
    auto* target = reinterpret_cast<Eight*>(rows + static_cast<std::size_t>(j) * panel_width);
    Eight a = target[0], b = target[1], c = target[2], d = target[3];
    for (std::uint32_t at = begin[j]; at < begin[j + 1]; ++at) {
      const double factor = lower[at];
      const auto* source =
          reinterpret_cast<const Eight*>(rows + static_cast<std::size_t>(row[at]) * panel_width);
      a -= factor * source[0];
      b -= factor * source[1];
      c -= factor * source[2];
      d -= factor * source[3];
    }
    target[0] = a;
    target[1] = b;
    target[2] = c;
    target[3] = d;
  }
}
static_assert(eights == 4);

/// The same forwards, from one column, whose row is then divided by its pivot.
FOGLINE_WIDEST
void substitute_forward(const std::uint32_t* begin, const std::uint32_t* row, const double* lower,
                        double inverse_pivot, std::uint32_t j, double* rows) {
  auto* source = reinterpret_cast<Eight*>(rows + static_cast<std::size_t>(j) * panel_width);
  for (std::uint32_t at = begin[j]; at < begin[j + 1]; ++at) {
    const double factor = lower[at];
    auto* target = reinterpret_cast<Eight*>(rows + static_cast<std::size_t>(row[at]) * panel_width);
    for (std::size_t c = 0; c < eights; ++c) target[c] -= factor * source[c];
  }
  for (std::size_t c = 0; c < eights; ++c) source[c] *= inverse_pivot;
}

/// panel[places[j] - first] += rows[j] for all rows from `begin` on.
FOGLINE_WIDEST
void add_rows(const double* rows, std::size_t begin, std::span<const std::uint32_t> places,
              std::uint32_t first, double* panel) {
  for (std::size_t j = begin; j < places.size(); ++j) {
    const auto* source = reinterpret_cast<const Eight*>(rows + j * panel_width);
    auto* target =
        reinterpret_cast<Eight*>(panel + static_cast<std::size_t>(places[j] - first) * panel_width);
    for (std::size_t c = 0; c < eights; ++c) target[c] += source[c];
  }
}

}  // namespace

BlockPattern::BlockPattern(std::vector<std::uint32_t> places, std::vector<Arc> arcs)
    : places_(std::move(places)), arcs_(std::move(arcs)) {
  const auto n = static_cast<int>(variables());
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(arcs_.size() + static_cast<std::size_t>(n));
  // Values do not matter yet: an identity with zeros where arcs are is positive definite, and its factor has room for
  // all that any weights can fill.
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i, 1.0);
  for (const Arc& arc : arcs_) {
    entries.emplace_back(static_cast<int>(std::min(arc.i, arc.j)), static_cast<int>(std::max(arc.i, arc.j)),
                         0.0);
  }
  shape_.resize(n, n);
  shape_.setFromTriplets(entries.begin(), entries.end());
  shape_.makeCompressed();
  const int* row = shape_.innerIndexPtr();
  const int* column = shape_.outerIndexPtr();
  const auto position = [&](std::uint32_t a, std::uint32_t b) {
    const int* found = std::lower_bound(row + column[b], row + column[b + 1], static_cast<int>(a));
    return static_cast<std::int32_t>(found - row);
  };
  for (std::uint32_t i = 0; i < variables(); ++i) diagonal_.push_back(position(i, i));
  for (Arc& arc : arcs_) arc.off_diagonal = position(std::min(arc.i, arc.j), std::max(arc.i, arc.j));

  // In natural order, since places are already in an order of little fill, and one that all blocks share: row sums of
  // several blocks meet at the same places.
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Upper, Eigen::NaturalOrdering<int>> ldlt;
  ldlt.analyzePattern(shape_);
  ldlt.factorize(shape_);
  const auto& factor = ldlt.matrixL().nestedExpression();
  factor_begin_.assign(factor.outerIndexPtr(), factor.outerIndexPtr() + n + 1);
  factor_row_.assign(factor.innerIndexPtr(), factor.innerIndexPtr() + factor_begin_.back());
}

void BlockPattern::assemble(std::span<const double> arc_weight, Eigen::SparseMatrix<double>& normal) const {
  double* value = normal.valuePtr();
  std::fill(value, value + normal.nonZeros(), 0.0);
  for (std::size_t a = 0; a < arcs_.size(); ++a) {
    const Arc& arc = arcs_[a];
    value[diagonal_[arc.i]] += arc.p * arc.p * arc_weight[a];
    value[diagonal_[arc.j]] += arc_weight[a];
    value[arc.off_diagonal] -= arc.p * arc_weight[a];
  }
}

bool BlockFactoriser::factor(const BlockPattern& pattern, std::span<const double> arc_weight,
                             BlockFactor& factor) {
  if (pattern_ != &pattern) {
    pattern_ = &pattern;
    normal_ = pattern.normal_matrix();
    ldlt_.analyzePattern(normal_);
  }
  pattern.assemble(arc_weight, normal_);
  ldlt_.factorize(normal_);
  if (ldlt_.info() != Eigen::Success) return false;
  const double* lower = ldlt_.matrixL().nestedExpression().valuePtr();
  factor.lower.assign(lower, lower + pattern.factor_row().size());
  const Eigen::VectorXd pivot = ldlt_.vectorD();
  factor.inverse_pivot.resize(pattern.variables());
  for (std::size_t i = 0; i < factor.inverse_pivot.size(); ++i) {
    // A pivot of 0 or less means that rounding has eaten what was left of the matrix: the iterate is at the boundary.
    const double value = pivot[static_cast<Eigen::Index>(i)];
    if (!(value > 0)) return false;
    factor.inverse_pivot[i] = 1 / value;
  }
  return true;
}

void BlockFactor::solve(const BlockPattern& pattern, std::span<double> x) const {
  const auto begin = pattern.factor_begin();
  const auto row = pattern.factor_row();
  const std::size_t n = x.size();
  for (std::size_t j = 0; j < n; ++j) {
    for (std::uint32_t at = begin[j]; at < begin[j + 1]; ++at) x[row[at]] -= lower[at] * x[j];
  }
  for (std::size_t j = n; j-- > 0;) {
    double value = x[j] * inverse_pivot[j];
    for (std::uint32_t at = begin[j]; at < begin[j + 1]; ++at) value -= lower[at] * x[row[at]];
    x[j] = value;
  }
}

/// Columns of an inverse are solutions for unit vectors, and 32 of them are solved for together. The inverse is
/// symmetric, so that only rows from the first of these columns on are computed.
void PanelAdder::add(const BlockPattern& pattern, const BlockFactor& factor,
                     std::span<const std::uint32_t> columns, std::span<double> panel) {
  const auto places = pattern.places();
  const auto from = std::lower_bound(places.begin(), places.end(), columns.front());
  if (from == places.end() || *from > columns.back()) return;
  const auto begin_row = static_cast<std::uint32_t>(from - places.begin());
  const auto count = static_cast<std::uint32_t>(pattern.variables());
  rows_.assign(static_cast<std::size_t>(count) * panel_width, 0.0);
  active_.assign(static_cast<std::size_t>(count), 0);
  auto found = from;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    found = std::lower_bound(found, places.end(), columns[c]);
    if (found == places.end() || *found != columns[c]) continue;
    const auto local = static_cast<std::size_t>(found - places.begin());
    rows_[local * panel_width + c] = 1;
    active_[local] = 1;
  }
  const auto begin = pattern.factor_begin();
  const auto row = pattern.factor_row();
  // A unit vector reaches only its ancestors in the elimination tree, so that all other columns of the factor are
  // left out.
  for (std::uint32_t j = begin_row; j < count; ++j) {
    if (!active_[j]) continue;
    substitute_forward(begin.data(), row.data(), factor.lower.data(), factor.inverse_pivot[j], j,
                       rows_.data());
    for (std::uint32_t at = begin[j]; at < begin[j + 1]; ++at) active_[row[at]] = 1;
  }
  substitute_back(begin.data(), row.data(), factor.lower.data(), begin_row, count, rows_.data());
  add_rows(rows_.data(), begin_row, places, columns.front(), panel.data());
}

std::vector<std::uint32_t> elimination_order(const Relation& relation) {
  const auto n = static_cast<int>(relation.inputs());
  std::vector<Eigen::Triplet<double>> entries;
  for (const RelatedPair& pair : relation.pairs()) {
    entries.emplace_back(static_cast<int>(pair.from), static_cast<int>(pair.to), 1.0);
    entries.emplace_back(static_cast<int>(pair.to), static_cast<int>(pair.from), 1.0);
  }
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i, 1.0);
  Eigen::SparseMatrix<double> adjacency(n, n);
  adjacency.setFromTriplets(entries.begin(), entries.end());
  // Approximate minimum degree: fill on road networks is little, and its cost next to nothing.
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(adjacency, order);
  std::vector<std::uint32_t> place(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i)
    place[static_cast<std::size_t>(order.indices()[i])] = static_cast<std::uint32_t>(i);
  return place;
}

}  // namespace fogline::kernel
