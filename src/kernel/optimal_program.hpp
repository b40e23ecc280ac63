// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "base/parallel.hpp"
#include "kernel/optimal.hpp"
#include "kernel/optimal_blocks.hpp"

namespace fogline::kernel {

/// One output of kernel/optimal.hpp: its pattern, its unknowns and its duals.
struct OptimalBlock {
  std::shared_ptr<const BlockPattern> pattern = {};
  std::vector<double> cost = {};
  std::vector<double> x = {}, z = {};  // primal; dual of each arc
  std::vector<double> dx = {};         // the step, and the products of slack and dual it is aimed at
  std::vector<double> target = {};
  std::vector<double> old_dx = {}, old_target = {};
  BlockFactor factor = {};
};

inline double slack(const BlockPattern::Arc& arc, std::span<const double> x) {
  return arc.p * x[arc.i] - x[arc.j];
}

/// The linear program of kernel/optimal.hpp as one block per output, and what the blocks add up to. Vectors over
/// inputs are by place in the order of elimination; hubs have a place but no row, and their entries there are 0.
class OptimalProgram {
 public:
  OptimalProgram(const OptimalProblem& problem, const OptimalOptions& options);

  const OptimalOptions& options() const { return options_; }
  std::size_t places() const { return inputs_; }
  std::span<const std::uint32_t> row_places() const {
    return row_places_;
  }  ///< increasing; all but the hubs'
  std::vector<OptimalBlock>& blocks() { return blocks_; }
  std::size_t arcs() const { return arcs_; }
  double unit() const { return unit_; }  ///< all costs were divided by it

  template <class Body>
  void each_block(const Body& body) {
    constexpr std::size_t blocks_a_task = 4;  // each has the size of a map, or of a part of it
    parallel_for(blocks_.size(), {.threads = options_.threads, .grain = blocks_a_task},
                 [&](std::size_t begin, std::size_t end) {
                   for (std::size_t o = begin; o < end; ++o) body(blocks_[o], o);
                 });
  }

  double loss() const;
  double mean_product() const;  ///< of slacks and duals
  Eigen::VectorXd row_sums(const std::vector<double> OptimalBlock::*part) const;
  Eigen::VectorXd missing() const;  ///< what the rows lack of 1
  /// The sum of the multipliers, each lowered until no reduced cost is negative: see docs/mechanisms/optimal.md.
  double lower_bound(const Eigen::VectorXd& multiplier, double BlockPattern::Arc::*ratio) const;
  void take_columns(OptimalTable& result) const;

 private:
  struct Neighbour {
    InputId input = 0;
    double length = 0;  // epsilon times distance
  };
  using Adjacency = std::vector<std::vector<Neighbour>>;

  static Adjacency adjacency_of(const OptimalProblem& problem);
  bool is_hub(InputId input) const { return input >= states_; }
  void make_blocks();
  void make_costs(std::size_t output, std::vector<double>& cost) const;
  std::vector<BlockPattern::Arc> arcs_within(const std::vector<std::uint32_t>& places,
                                             const Adjacency& adjacency) const;
  void start();
  void find_reduced_cost(const OptimalBlock& block, const Eigen::VectorXd& multiplier,
                         double BlockPattern::Arc::*ratio, std::vector<double>& reduced) const;
  void balance_hubs(const OptimalBlock& block, double BlockPattern::Arc::*ratio,
                    std::vector<double>& share) const;

  const OptimalProblem& problem_;
  const OptimalOptions& options_;
  std::size_t inputs_;
  std::size_t states_;                // inputs that are not hubs; they come first
  std::vector<std::uint32_t> place_;  // in the order of elimination, of each input
  std::vector<InputId> input_at_;     // the inverse
  std::vector<std::uint32_t> row_places_;
  std::vector<OptimalBlock> blocks_;
  std::size_t arcs_ = 0;
  double unit_ = 1;
};

}  // namespace fogline::kernel
