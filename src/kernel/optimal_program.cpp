// SPDX-License-Identifier: Apache-2.0
#include "kernel/optimal_program.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "kernel/interior_point.hpp"

namespace fogline::kernel {
namespace {

using Eigen::Index;

/// Blocks in a part of a parallel sum. Parts are added up in their order, and their size does not depend on the
/// number of threads, so that sums do not either.
constexpr std::size_t blocks_a_bound = 64;

}  // namespace

OptimalProgram::OptimalProgram(const OptimalProblem& problem, const OptimalOptions& options)
    : problem_(problem),
      options_(options),
      inputs_(problem.relation.inputs()),
      states_(inputs_ - problem.hubs),
      place_(elimination_order(problem.relation)),
      input_at_(inputs_) {
  for (InputId v = 0; v < inputs_; ++v) input_at_[place_[v]] = v;
  for (std::uint32_t p = 0; p < inputs_; ++p) {
    if (!is_hub(input_at_[p])) row_places_.push_back(p);
  }
  make_blocks();
  start();
}

OptimalProgram::Adjacency OptimalProgram::adjacency_of(const OptimalProblem& problem) {
  Adjacency result(problem.relation.inputs());
  for (const RelatedPair& pair : problem.relation.pairs()) {
    const double length = problem.epsilon_per_unit * pair.distance;
    result[pair.from].push_back({pair.to, length});
    result[pair.to].push_back({pair.from, length});
  }
  return result;
}

void OptimalProgram::make_blocks() {
  blocks_.resize(problem_.outputs);
  const Adjacency adjacency = adjacency_of(problem_);
  std::vector<std::uint32_t> places(inputs_);
  std::iota(places.begin(), places.end(), 0U);
  const auto whole = std::make_shared<const BlockPattern>(places, arcs_within(places, adjacency));
  std::vector<double> total(problem_.outputs);
  each_block([&](OptimalBlock& block, std::size_t o) {
    std::vector<double> cost(inputs_, 0.0);
    make_costs(o, cost);
    total[o] = std::accumulate(cost.begin(), cost.end(), 0.0);
    block.pattern = whole;
    block.cost.resize(inputs_);
    for (std::size_t p = 0; p < inputs_; ++p) block.cost[p] = cost[input_at_[p]];
  });
  // Costs near 1 keep all numbers of the method in a comfortable range.
  unit_ = std::accumulate(total.begin(), total.end(), 0.0) / static_cast<double>(states_ * problem_.outputs);
  if (!(unit_ > 0)) unit_ = 1;
  each_block([&](OptimalBlock& block, std::size_t) {
    for (double& cost : block.cost) cost /= unit_;
  });
}

/// The losses times the prior; 0 for hubs.
void OptimalProgram::make_costs(std::size_t output, std::vector<double>& cost) const {
  const auto loss = std::span(cost).first(states_);
  problem_.loss(output, loss);
  for (std::size_t v = 0; v < states_; ++v) {
    if (!(loss[v] >= 0) || !std::isfinite(loss[v]))
      throw InvalidOption("loss", "must be finite, and 0 or more");
    loss[v] *= problem_.prior[v];
  }
}

std::vector<BlockPattern::Arc> OptimalProgram::arcs_within(const std::vector<std::uint32_t>& places,
                                                           const Adjacency& adjacency) const {
  const double stretch = std::max(1.0, problem_.bound_epsilon_per_unit / problem_.epsilon_per_unit);
  std::vector<BlockPattern::Arc> arcs;
  for (std::uint32_t i = 0; i < places.size(); ++i) {
    for (const auto& [next, step] : adjacency[input_at_[places[i]]]) {
      const auto found = std::lower_bound(places.begin(), places.end(), place_[next]);
      if (found == places.end() || *found != place_[next]) continue;
      arcs.push_back({.i = i,
                      .j = static_cast<std::uint32_t>(found - places.begin()),
                      .p = std::exp(std::min(step, farthest_pair)),
                      .bound_p = step < farthest_pair ? std::exp(step * stretch) : 0});
    }
  }
  return arcs;
}

/// Every output alike from everywhere, and duals that make all products of slack and dual equal: the centre of the
/// method, from which steps are longest. Rows sum to 1 in the mean (exactly, without blocks), and the products add up
/// to about the loss at this point, costs being 1 in the mean: a gap as large as the loss, so that duals are neither
/// tiny nor huge.
void OptimalProgram::start() {
  std::vector<double> share(inputs_, 0);  // how many blocks an input is free in
  for (const OptimalBlock& block : blocks_) {
    for (const std::uint32_t p : block.pattern->places()) ++share[p];
  }
  const double level = static_cast<double>(inputs_) / std::accumulate(share.begin(), share.end(), 0.0);
  arcs_ = 0;
  for (const OptimalBlock& block : blocks_) arcs_ += block.pattern->arcs().size();
  const double product = level * static_cast<double>(inputs_) * static_cast<double>(problem_.outputs) /
                         static_cast<double>(arcs_);
  each_block([&](OptimalBlock& block, std::size_t) {
    block.x.assign(block.pattern->variables(), level);
    block.z.resize(block.pattern->arcs().size());
    for (std::size_t a = 0; a < block.z.size(); ++a)
      block.z[a] = product / slack(block.pattern->arcs()[a], block.x);
  });
}

double OptimalProgram::loss() const {
  double sum = 0;
  for (const OptimalBlock& block : blocks_) {
    sum += std::inner_product(block.x.begin(), block.x.end(), block.cost.begin(), 0.0);
  }
  return sum;
}

double OptimalProgram::mean_product() const {
  double sum = 0;
  for (const OptimalBlock& block : blocks_) {
    for (std::size_t a = 0; a < block.z.size(); ++a)
      sum += block.z[a] * slack(block.pattern->arcs()[a], block.x);
  }
  return sum / static_cast<double>(arcs_);
}

Eigen::VectorXd OptimalProgram::row_sums(const std::vector<double> OptimalBlock::*part) const {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(static_cast<Index>(inputs_));
  for (const OptimalBlock& block : blocks_) {
    const auto places = block.pattern->places();
    for (std::size_t i = 0; i < places.size(); ++i) sum[places[i]] += (block.*part)[i];
  }
  return sum;
}

Eigen::VectorXd OptimalProgram::missing() const {
  Eigen::VectorXd result = -row_sums(&OptimalBlock::x);
  for (std::size_t p = 0; p < inputs_; ++p) {
    double& lacking = result[static_cast<Index>(p)];
    lacking = is_hub(input_at_[p]) ? 0 : 1 + lacking;
  }
  return result;
}

/// Weak duality: docs/mechanisms/optimal.md has the argument. A minimum does not depend on the order it is taken in,
/// and the sum over rows is one loop.
double OptimalProgram::lower_bound(const Eigen::VectorXd& multiplier,
                                   double BlockPattern::Arc::*ratio) const {
  constexpr std::size_t chunk = blocks_a_bound;
  const std::size_t chunks = (blocks_.size() + chunk - 1) / chunk;
  std::vector<std::vector<double>> least(chunks);
  parallel_for(chunks, {.threads = options_.threads}, [&](std::size_t begin, std::size_t end) {
    std::vector<double> reduced;
    for (std::size_t k = begin; k < end; ++k) {
      least[k].assign(inputs_, std::numeric_limits<double>::infinity());
      for (std::size_t o = k * chunk; o < std::min(blocks_.size(), (k + 1) * chunk); ++o) {
        const auto places = blocks_[o].pattern->places();
        find_reduced_cost(blocks_[o], multiplier, ratio, reduced);
        for (std::size_t i = 0; i < places.size(); ++i)
          least[k][places[i]] = std::min(least[k][places[i]], reduced[i]);
      }
    }
  });
  double bound = 0;
  for (const std::uint32_t p : row_places_) {
    double lowest = least[0][p];
    for (std::size_t k = 1; k < chunks; ++k) lowest = std::min(lowest, least[k][p]);
    bound += multiplier[static_cast<Index>(p)] + lowest;
  }
  return bound;
}

/// What an entry costs beyond the multipliers. Hubs have no row whose multiplier could be lowered: balance_hubs()
/// sees to it that theirs is 0.
void OptimalProgram::find_reduced_cost(const OptimalBlock& block, const Eigen::VectorXd& multiplier,
                                       double BlockPattern::Arc::*ratio, std::vector<double>& reduced) const {
  reduced = block.cost;
  const auto places = block.pattern->places();
  for (std::size_t i = 0; i < places.size(); ++i) reduced[i] -= multiplier[places[i]];
  const auto arcs = block.pattern->arcs();
  std::vector<double> share;
  if (problem_.hubs > 0) balance_hubs(block, ratio, share);
  for (std::size_t a = 0; a < arcs.size(); ++a) {
    if (arcs[a].*ratio == 0) continue;  // a bound may leave out any pair
    const double z = problem_.hubs == 0 ? block.z[a] : block.z[a] * share[a];
    reduced[arcs[a].i] -= arcs[a].*ratio * z;
    reduced[arcs[a].j] += z;
  }
}

/// The share to keep of each arc's dual so that at every hub as much comes in as goes out: any duals that are not
/// negative prove a bound, and these are near the solver's own as it converges.
void OptimalProgram::balance_hubs(const OptimalBlock& block, double BlockPattern::Arc::*ratio,
                                  std::vector<double>& share) const {
  const auto arcs = block.pattern->arcs();
  const auto places = block.pattern->places();
  std::vector<double> in(places.size(), 0.0), out(places.size(), 0.0);
  for (std::size_t a = 0; a < arcs.size(); ++a) {
    if (arcs[a].*ratio == 0) continue;
    out[arcs[a].i] += arcs[a].*ratio * block.z[a];
    in[arcs[a].j] += block.z[a];
  }
  const auto hub = [&](std::uint32_t i) { return is_hub(input_at_[places[i]]); };
  share.assign(arcs.size(), 1.0);
  for (std::size_t a = 0; a < arcs.size(); ++a) {
    const auto& [i, j, p, bound_p, off_diagonal] = arcs[a];
    if (hub(i) && out[i] > in[i]) share[a] = in[i] / out[i];
    if (hub(j) && in[j] > out[j]) share[a] = out[j] / in[j];
  }
}

void OptimalProgram::take_columns(OptimalTable& result) const {
  for (const OptimalBlock& block : blocks_) {
    OptimalColumn column;
    const auto places = block.pattern->places();
    std::vector<std::pair<InputId, double>> entries;
    // A row sums to 1 up to rounding, so that a probability may stand a little above it.
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (!is_hub(input_at_[places[i]]))
        entries.emplace_back(input_at_[places[i]], std::min(block.x[i], 1.0));
    }
    std::sort(entries.begin(), entries.end());
    for (const auto& entry : entries) column.probability.push_back(entry.second);
    result.columns.push_back(std::move(column));
  }
}

}  // namespace fogline::kernel
