// SPDX-License-Identifier: Apache-2.0
#include "traces/paper/pair_distances.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "kernel/dense.hpp"
#include "kernel/widest.hpp"

namespace fogline::traces {
namespace {

using Eigen::Index;

constexpr Index most_panel_rows = 512, least_panel_rows = 32;
constexpr Index panel_numbers = Index{1} << 23;
constexpr Index piece_columns =
    1024;  // of a panel, for one thread: its part of a row stays in the nearest cache
constexpr float close_share = 1e-3F;    // of |a|^2 + |b|^2, below which the short formula is not trusted
constexpr float least_square = 1e-30F;  // in the place of the square of a distance of 0

using Row = Eigen::Map<Eigen::Array<float, 1, Eigen::Dynamic>>;

// Plain loops over a part of a row, which compilers turn into whatever registers there are.

/// From products to distances; tells whether a pair is too close for that.
FOGLINE_WIDEST bool to_distances(float own, const float* others, float* part, Index count) {
  int close = 0;
  for (Index k = 0; k < count; ++k) {
    const float both = own + others[k], square = both - 2 * part[k];
    close |= static_cast<int>(square < close_share * both);
    part[k] = std::sqrt(square > 0 ? square : 0);
  }
  return close != 0;
}

/// From distances to weights; a distance of 0 has none.
FOGLINE_WIDEST void to_weights(float own, const float* others, float* part, Index count) {
  for (Index k = 0; k < count; ++k) {
    const float square = part[k] * part[k];
    part[k] *= (own + others[k]) / (square > least_square ? square : least_square);
  }
}

FOGLINE_WIDEST float add_up(const float* part, float* below, Index count) {
  float lanes[16] = {};  // sums side by side, since addition may not be reordered
  Index k = 0;
  for (; k + 16 <= count; k += 16) {
    for (Index lane = 0; lane < 16; ++lane) {
      lanes[lane] += part[k + lane];
      below[k + lane] += part[k + lane];
    }
  }
  float sum = 0;
  for (const float lane : lanes) sum += lane;
  for (; k < count; ++k) {
    sum += part[k];
    below[k] += part[k];
  }
  return sum;
}

/// Few enough rows that a panel fits its memory and that its square, which is computed whole, is a small part of it.
Index panel_height(Index rows) {
  return std::clamp(std::min(panel_numbers / std::max<Index>(rows, 1), rows / 8), least_panel_rows,
                    most_panel_rows);
}

/// A pair too close for the short formulas, where it stands in a panel, and its weight.
struct ClosePair {
  Index row = 0, column = 0;
  float weight = 0;
};

/// The distances of rows first, first + 1, ... to row `first` and all later ones, panel by panel: each pair is met once, but for those within a panel's first square.
class Panels {
 public:
  Panels(const Vectors& rows, const ParallelOptions& parallel)
      : rows_(rows),
        parallel_{.threads = parallel.threads, .grain = 1},
        squares_(rows.rowwise().squaredNorm()),
        height_(panel_height(rows.rows())) {}

  const Vectors& rows() const { return rows_; }
  const Vectors& table() const { return table_; }
  const ParallelOptions& parallel() const { return parallel_; }
  Index height(Index first) const { return std::min(height_, rows_.rows() - first); }

  /// Makes the panel that begins at a row: the products of its vectors, not yet distances.
  void begin(Index first) {
    first_ = first;
    kernel::set_product(rows_.middleRows(first, height(first)),
                        rows_.bottomRows(rows_.rows() - first).transpose(), table_,
                        {.threads = parallel_.threads});
  }

  /// Turns a part of a row, counted from the panel's corner, into distances; adds pairs that had to be measured again to `close`.
  Row distances(Index row, Index from, Index count, std::vector<ClosePair>& close) {
    Row part(table_.row(row).data() + from, count);
    if (to_distances(squares_[first_ + row], squares_.data() + first_ + from, part.data(), count))
      measure_again(row, from, part, close);
    return part;
  }

  Index pieces() const { return (table_.cols() + piece_columns - 1) / piece_columns; }

  /// Calls body(piece, from, count) for pieces of the panel's columns, on several threads.
  template <class Body>
  void for_each_piece(const Body& body) const {
    parallel_for(static_cast<std::size_t>(pieces()), parallel_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t piece = begin; piece < end; ++piece) {
        const Index from = static_cast<Index>(piece) * piece_columns;
        body(piece, from, std::min(piece_columns, table_.cols() - from));
      }
    });
  }

 private:
  void measure_again(Index row, Index from, Row& part, std::vector<ClosePair>& close) const {
    const Index i = first_ + row;
    for (Index k = 0; k < part.size(); ++k) {
      const Index j = first_ + from + k;
      if (part[k] * part[k] > 1.01F * close_share * (squares_[i] + squares_[j])) continue;
      part[k] = i == j ? 0 : (rows_.row(i) - rows_.row(j)).norm();
      if (part[k] > 0) close.push_back({.row = row, .column = from + k});
    }
  }

  const Vectors& rows_;
  ParallelOptions parallel_;
  Eigen::VectorXf squares_;
  Index height_, first_ = 0;
  Vectors table_;
};

/// Sums over the pairs of a panel, for both ends of a pair.
class PairSums {
 public:
  PairSums(Index size, Index height)
      : sums_(Eigen::VectorXd::Zero(size)),
        partial_(Eigen::MatrixXd::Zero(height, (size + piece_columns - 1) / piece_columns)) {}

  void add(Index row, Index from, const Row& part, Eigen::VectorXf& below) {
    partial_(row, from / piece_columns) = static_cast<double>(add_up(part.data(), below.data(), part.size()));
  }
  /// Columns within the panel's square are left out: they are rows of their own.
  void end_piece(Index first, Index square, Index from, const Eigen::VectorXf& below) {
    const Index count = below.size() - std::clamp<Index>(square - from, 0, below.size());
    sums_.segment(first + from + below.size() - count, count) += below.tail(count).cast<double>();
  }
  void end_panel(Index first, Index rows) {
    for (Index i = 0; i < rows; ++i) sums_[first + i] += partial_.row(i).sum();
    partial_.setZero();
  }
  const Eigen::VectorXd& sums() const { return sums_; }

 private:
  Eigen::VectorXd sums_;
  Eigen::MatrixXd partial_;  // by row of the panel and piece: threads do not meet
};

using ClosePairs = std::vector<std::vector<ClosePair>>;  // per piece, rising by row

/// How a panel is worked on.
template <class Begin, class Change, class Finish>
struct Work {
  Begin begin;    ///< begin(first): another panel
  Change change;  ///< change(first, row, from, part, close): makes something else of distances
  Finish finish;  ///< finish(first, close): the panel is complete
};

template <class Begin, class Change, class Finish>
Work(Begin, Change, Finish) -> Work<Begin, Change, Finish>;

/// Sums what the work leaves of the distances, over all pairs of each vector.
template <class... Parts>
Eigen::VectorXd sweep(Panels& panels, const Work<Parts...>& work) {
  const Index size = panels.rows().rows();
  PairSums sums(size, panels.height(0));
  for (Index first = 0; first < size; first += panels.height(0)) {
    panels.begin(first);
    work.begin(first);
    const Index height = panels.height(first);
    ClosePairs close(static_cast<std::size_t>(panels.pieces()));
    panels.for_each_piece([&](std::size_t piece, Index from, Index count) {
      Eigen::VectorXf below = Eigen::VectorXf::Zero(count);
      for (Index row = 0; row < height; ++row) {
        const std::size_t before = close[piece].size();
        Row part = panels.distances(row, from, count, close[piece]);
        work.change(first, row, from, part, std::span(close[piece]).subspan(before));
        sums.add(row, from, part, below);
      }
      sums.end_piece(first, height, from, below);
    });
    sums.end_panel(first, height);
    work.finish(first, close);
  }
  return sums.sums();
}

constexpr auto nothing = [](auto&&...) {};

Eigen::VectorXd sums_of_distances(Panels& panels) {
  return sweep(panels, Work{nothing, nothing, nothing});
}

/// Moves the weights of close pairs from a part of a row into their list. In W A a large weight would be multiplied with all that two close vectors share.
void take_out(Index from, Row& part, std::span<ClosePair> close) {
  for (ClosePair& pair : close) pair.weight = std::exchange(part[pair.column - from], 0.0F);
}

/// gradient -= w (a_i - a_j), the difference first; for both ends, or for that of the row within the panel's square.
void subtract_close(const Panels& panels, Index first, const ClosePairs& close, Vectors& gradient) {
  const Vectors& rows = panels.rows();
  const Index height = panels.height(first);
  const auto away = [&](const ClosePair& pair) {
    return pair.weight * (rows.row(first + pair.row) - rows.row(first + pair.column));
  };
  panels.for_each_piece([&](std::size_t piece, Index, Index) {
    for (const ClosePair& pair : close[piece])
      if (pair.column >= height) gradient.row(first + pair.column) += away(pair);
  });
  parallel_for(static_cast<std::size_t>(height), panels.parallel(), [&](std::size_t begin, std::size_t end) {
    for (const auto& pairs : close) {
      const auto at = std::ranges::lower_bound(pairs, static_cast<Index>(begin), {}, &ClosePair::row);
      for (auto pair = at; pair != pairs.end() && pair->row < static_cast<Index>(end); ++pair)
        gradient.row(first + pair->row) -= away(*pair);
    }
  });
}

/// gradient += W A for the panel's rows and, as W is symmetric, for those beyond its square.
void add_products(const Panels& panels, Index first, const ClosePairs& close, Vectors& gradient) {
  const Vectors& rows = panels.rows();
  const Index height = panels.height(first), beyond = rows.rows() - first - height;
  const kernel::ProductOptions options{.threads = panels.parallel().threads};
  kernel::add_product(panels.table(), rows.bottomRows(rows.rows() - first),
                      gradient.middleRows(first, height), options);
  if (beyond > 0) {
    kernel::add_product(panels.table().rightCols(beyond).transpose(), rows.middleRows(first, height),
                        gradient.bottomRows(beyond), options);
  }
  subtract_close(panels, first, close, gradient);
}

/// From W A to share (diag(W 1) - W) A.
void complete(const Vectors& rows, const Eigen::VectorXd& weight_sums, double share_of_all,
              Vectors& gradient) {
  const auto share = static_cast<float>(share_of_all);
  const Eigen::VectorXf weights = weight_sums.cast<float>();
  gradient = share * (weights.asDiagonal() * rows - gradient);
}

void restart(const Vectors& rows, Misfit& misfit) {
  misfit.loss = 0;
  misfit.gradient.setZero(rows.rows(), rows.cols());
}

}  // namespace

std::vector<double> distance_sums(const Vectors& rows, const ParallelOptions& parallel) {
  Panels panels(rows, parallel);
  const Eigen::VectorXd sums = sums_of_distances(panels);
  return {sums.begin(), sums.end()};
}

void misfit_of_sums(const Vectors& rows, std::span<const double> goal, const ParallelOptions& parallel,
                    Misfit& misfit) {
  if (goal.size() != static_cast<std::size_t>(rows.rows()))
    throw InvalidOption("goal", "must have one sum per row");
  restart(rows, misfit);
  Panels panels(rows, parallel);
  const Eigen::VectorXd missing =
      sums_of_distances(panels) - Eigen::Map<const Eigen::VectorXd>(goal.data(), rows.rows());
  const auto m = static_cast<double>(rows.rows());
  misfit.loss = missing.squaredNorm() / (4 * m * m);
  const Eigen::VectorXf wrong = missing.cast<float>();
  const auto weigh = [&](Index first, Index row, Index from, Row& part, std::span<ClosePair> close) {
    to_weights(wrong[first + row], wrong.data() + first + from, part.data(), part.size());
    take_out(from, part, close);
  };
  const auto multiply = [&](Index first, const ClosePairs& close) {
    add_products(panels, first, close, misfit.gradient);
  };
  complete(rows, sweep(panels, Work{nothing, weigh, multiply}), 1 / (2 * m * m), misfit.gradient);
}

void misfit_of_pairs(const Vectors& rows, const Vectors& goal, const ParallelOptions& parallel,
                     Misfit& misfit) {
  if (goal.rows() != rows.rows()) throw InvalidOption("goal", "must have as many rows");
  restart(rows, misfit);
  Panels panels(rows, parallel), wanted(goal, parallel);
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(rows.rows());  // by column: threads do not meet
  const auto begin = [&](Index first) { wanted.begin(first); };
  const auto weigh = [&](Index first, Index row, Index from, Row& part, std::span<ClosePair> close) {
    std::vector<ClosePair> unused;
    Row wrong = wanted.distances(row, from, part.size(), unused);
    wrong = part - wrong;
    const Index once = std::clamp<Index>(panels.height(first) - from, 0, part.size());
    squares[first + from] += static_cast<double>(wrong.head(once).square().sum()) +
                             2 * static_cast<double>(wrong.tail(part.size() - once).square().sum());
    part = wrong * part / part.square().max(least_square);
    take_out(from, part, close);
  };
  const auto multiply = [&](Index first, const ClosePairs& close) {
    add_products(panels, first, close, misfit.gradient);
  };
  const auto m = static_cast<double>(rows.rows());
  complete(rows, sweep(panels, Work{begin, weigh, multiply}), 4 / m, misfit.gradient);
  misfit.loss = squares.sum() / m;
}

}  // namespace fogline::traces
