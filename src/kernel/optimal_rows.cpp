// SPDX-License-Identifier: Apache-2.0
#include "kernel/optimal_rows.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

namespace fogline::kernel {
namespace {

using Eigen::Index;

/// The right side of a block's Newton equations with slacks and duals eliminated, multipliers of rows left out: minus
/// the cost, and what targets of products pull, target / slack, through the arcs. Old duals cancel.
void write_right_side(OptimalBlock& block) {
  block.dx.resize(block.x.size());
  for (std::size_t i = 0; i < block.dx.size(); ++i) block.dx[i] = -block.cost[i];
  const auto arcs = block.pattern->arcs();
  for (std::size_t a = 0; a < arcs.size(); ++a) {
    const double pull = block.target[a] / slack(arcs[a], block.x);
    block.dx[arcs[a].i] += arcs[a].p * pull;
    block.dx[arcs[a].j] -= pull;
  }
}

}  // namespace

bool OptimalRows::factor(const std::function<void()>& panel_done) {
  return factor_blocks() && factor_rows(panel_done);
}

std::size_t OptimalRows::pieces() const {
  return (program_.row_places().size() + panel_width - 1) / panel_width;
}

bool OptimalRows::factor_blocks() {
  std::atomic<bool> fine{true};
  std::vector<OptimalBlock>& blocks = program_.blocks();
  constexpr std::size_t blocks_a_task = 4;  // each is a sparse factorisation
  parallel_for(blocks.size(), {.threads = program_.options().threads, .grain = blocks_a_task},
               [&](std::size_t begin, std::size_t end) {
                 BlockFactoriser factoriser;
                 std::vector<double> weight;
                 for (std::size_t o = begin; o < end; ++o) {
                   OptimalBlock& block = blocks[o];
                   const auto arcs = block.pattern->arcs();
                   weight.resize(arcs.size());
                   for (std::size_t a = 0; a < arcs.size(); ++a)
                     weight[a] = block.z[a] / slack(arcs[a], block.x);  // the diagonal of the eliminated part
                   if (!factoriser.factor(*block.pattern, weight, block.factor)) fine = false;
                 }
               });
  return fine;
}

/// The dense matrix of the row sums: the sum of the blocks' inverses, the Schur complement of the blocks, in panels
/// of columns. A panel is made by one thread that adds up all blocks in their order, so that sums do not depend on
/// threads.
bool OptimalRows::factor_rows(const std::function<void()>& panel_done) {
  const auto places = program_.row_places();
  rows_.resize(static_cast<Index>(places.size()), static_cast<Index>(places.size()));
  parallel_for(pieces(), {.threads = program_.options().threads}, [&](std::size_t begin, std::size_t end) {
    PanelAdder adder;
    std::vector<double> panel;
    for (std::size_t k = begin; k < end; ++k) {
      const std::size_t first = k * panel_width;
      const auto columns = places.subspan(first, std::min(panel_width, places.size() - first));
      panel.assign((program_.places() - columns.front()) * panel_width, 0.0);
      for (const OptimalBlock& block : program_.blocks())
        adder.add(*block.pattern, block.factor, columns, panel);
      write_panel(panel, columns, first);
      panel_done();
    }
  });
  return cholesky_.factor(std::move(rows_), program_.options().threads);
}

void OptimalRows::write_panel(std::span<const double> panel, std::span<const std::uint32_t> columns,
                              std::size_t first) {
  const auto places = program_.row_places();
  for (std::size_t row = first; row < places.size(); ++row) {
    const std::size_t at = (places[row] - columns.front()) * panel_width;
    for (std::size_t c = 0; c < columns.size() && first + c <= row; ++c)
      rows_(static_cast<Index>(row), static_cast<Index>(first + c)) = panel[at + c];
  }
}

Eigen::VectorXd OptimalRows::solved(const Eigen::VectorXd& right) const {
  const auto places = program_.row_places();
  Eigen::VectorXd rows(static_cast<Index>(places.size()));
  for (std::size_t r = 0; r < places.size(); ++r) rows[static_cast<Index>(r)] = right[places[r]];
  cholesky_.solve(rows);
  Eigen::VectorXd result = Eigen::VectorXd::Zero(right.size());
  for (std::size_t r = 0; r < places.size(); ++r) result[places[r]] = rows[static_cast<Index>(r)];
  return result;
}

/// Block elimination: the blocks by themselves, then the multipliers that make what the rows still lack, then the
/// blocks with these multipliers on their right side.
Eigen::VectorXd OptimalRows::solve(const Eigen::VectorXd& missing) {
  program_.each_block([](OptimalBlock& block, std::size_t) {
    write_right_side(block);
    block.factor.solve(*block.pattern, block.dx);
  });
  Eigen::VectorXd aimed = solved(missing - program_.row_sums(&OptimalBlock::dx));
  program_.each_block([&](OptimalBlock& block, std::size_t) {
    write_right_side(block);
    const auto places = block.pattern->places();
    for (std::size_t i = 0; i < places.size(); ++i) block.dx[i] += aimed[places[i]];
    block.factor.solve(*block.pattern, block.dx);
  });
  refine(missing, aimed);
  return aimed;
}

/// Near the optimum the dense matrix is nearly singular: what its solution leaves of the row sums is solved for again
/// (iterative refinement). Rows must sum to 1 to nine digits, and an error here is never made up for later.
void OptimalRows::refine(const Eigen::VectorXd& missing, Eigen::VectorXd& aimed) {
  // Nothing is left to win below the rounding of a sum of probabilities, nor once a round does not even halve the rest.
  constexpr int most_rounds = 5;
  constexpr double rounding = 1e-14, least_gain = 2;
  double before = std::numeric_limits<double>::infinity();
  const auto rows = program_.row_places();
  for (int round = 0; round < most_rounds; ++round) {
    const Eigen::VectorXd left = missing - program_.row_sums(&OptimalBlock::dx);
    double size = 0;
    for (const std::uint32_t p : rows) size = std::max(size, std::abs(left[p]));
    if (size < rounding || size > before / least_gain) return;
    before = size;
    const Eigen::VectorXd more = solved(left);
    aimed += more;
    program_.each_block([&](OptimalBlock& block, std::size_t) {
      std::vector<double> extra(block.x.size(), 0.0);
      const auto places = block.pattern->places();
      for (std::size_t i = 0; i < places.size(); ++i) extra[i] = more[places[i]];
      block.factor.solve(*block.pattern, extra);
      for (std::size_t i = 0; i < extra.size(); ++i) block.dx[i] += extra[i];
    });
  }
}

}  // namespace fogline::kernel
