// SPDX-License-Identifier: Apache-2.0
#define EIGEN_USE_BLAS
#include "kernel/optimal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <queue>

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "kernel/extension.hpp"
#include "kernel/optimal_blocks.hpp"

namespace fogline::kernel {
namespace {

using Eigen::Index;

/// Pairs closer than this (epsilon times distance) are not separated by the edge of a block: the probability lost there must be small
/// beside what the promise allows between them.
constexpr double shortest_cut = 0.05;

/// What is allowed on a pair farther apart than this (epsilon times distance) is more than any table of kernel/sparse_table.hpp can use,
/// whose weights span 36 bits. The solver allows no more than this, and its numbers stay in range.
constexpr double farthest_pair = 25;

/// Probabilities below this are not followed outside a block.
constexpr double negligible = 0x1p-36;

struct Neighbour {
  InputId input = 0;
  double length = 0;  // epsilon times distance
};
using Adjacency = std::vector<std::vector<Neighbour>>;

Adjacency adjacency_of(const OptimalProblem& problem) {
  Adjacency result(problem.relation.inputs());
  for (const RelatedPair& pair : problem.relation.pairs()) {
    const double length = problem.epsilon_per_unit * pair.distance;
    result[pair.from].push_back({pair.to, length});
    result[pair.to].push_back({pair.from, length});
  }
  return result;
}

/// epsilon times distance from `source` to every input.
std::vector<double> lengths_from(InputId source, const Adjacency& adjacency) {
  std::vector<double> length(adjacency.size(), std::numeric_limits<double>::infinity());
  using Entry = std::pair<double, InputId>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  length[source] = 0;
  queue.emplace(0.0, source);
  while (!queue.empty()) {
    const auto [reached, input] = queue.top();
    queue.pop();
    if (reached > length[input]) continue;
    for (const auto& [next, step] : adjacency[input]) {
      if (reached + step >= length[next]) continue;
      length[next] = reached + step;
      queue.emplace(length[next], next);
    }
  }
  return length;
}

void require_valid(const OptimalProblem& problem, const OptimalOptions& options) {
  const std::size_t inputs = problem.relation.inputs();
  if (problem.relation.kind() != Relation::Kind::metric && problem.relation.kind() != Relation::Kind::policy)
    throw InvalidOption("relation", "must be a metric or a policy");
  if (!(problem.epsilon_per_unit > 0) || !std::isfinite(problem.epsilon_per_unit))
    throw InvalidOption("epsilon", "must be a number above 0");
  if (problem.outputs < 1) throw InvalidOption("outputs", "must be at least 1");
  if (problem.prior.size() != inputs) throw InvalidOption("prior", "must give every input a probability");
  double sum = 0;
  for (const double probability : problem.prior) {
    if (!(probability >= 0)) throw InvalidOption("prior", "must be 0 or more everywhere");
    sum += probability;
  }
  if (!(std::abs(sum - 1) < 1e-6)) throw InvalidOption("prior", "must sum to 1");
  if (!(options.gap >= 1e-9 && options.gap <= 1)) throw InvalidOption("gap", "must lie between 1e-9 and 1");
  if (options.iterations < 1 || options.iterations > 1000)
    throw InvalidOption("iterations", "must lie between 1 and 1,000");
}

/// One output: its pattern, its unknowns and its duals.
struct Block {
  std::shared_ptr<const BlockPattern> pattern;
  std::vector<double> cost;
  std::vector<InputId> nearest_outside;
  std::vector<double> x, z;  // primal; dual of each arc
  std::vector<double> dx;    // the step, and the products of slack and dual it is aimed at
  std::vector<double> target;
  std::vector<double> old_dx, old_target;
  BlockFactor factor;
  InputId centre = 0;
};

/// Shares of a step that keep slacks and duals positive.
struct Steps {
  double primal = 1;
  double dual = 1;
};
constexpr int corrections = 3;

double slack(const BlockPattern::Arc& arc, std::span<const double> x) {
  return arc.p * x[arc.i] - x[arc.j];
}

class Solver {
 public:
  Solver(const OptimalProblem& problem, const OptimalOptions& options)
      : problem_(problem),
        options_(options),
        inputs_(problem.relation.inputs()),
        place_(elimination_order(problem.relation)),
        input_at_(inputs_),
        lambda_(Eigen::VectorXd::Zero(static_cast<Index>(inputs_))) {
    for (InputId v = 0; v < inputs_; ++v) input_at_[place_[v]] = v;
    make_blocks();
    start();
  }

  OptimalTable run() {
    OptimalTable result;
    ProgressMeter meter(options_.progress, "solving", options_.iterations);
    for (std::size_t iteration = 0;; ++iteration) {
      result.loss = loss();
      const double bound = lower_bound(&BlockPattern::Arc::p);
      const double gap = std::isfinite(bound) ? (result.loss - bound) / result.loss : 1;
      look_at_rows(gap < 10 * options_.gap);
      result.iterations = iteration;
      result.converged = gap <= options_.gap && row_error() < (is_local() ? 1e-6 : 1e-9);
      if (result.converged || iteration == options_.iterations || !step()) break;
      meter.advance();
    }
    meter.finish();
    result.loss *= unit_;
    const double bound = lower_bound(&BlockPattern::Arc::bound_p) * unit_;
    result.lower_bound = std::isfinite(bound) ? std::clamp(bound, 0.0, result.loss) : 0;
    take_columns(result);
    return result;
  }

 private:
  bool is_local() const { return options_.free_inputs > 0 && options_.free_inputs < inputs_; }

  template <class Body>
  void each_block(const Body& body) {
    parallel_for(blocks_.size(), {.threads = options_.threads, .grain = 4},
                 [&](std::size_t begin, std::size_t end) {
                   for (std::size_t o = begin; o < end; ++o) body(blocks_[o], o);
                 });
  }

  void make_blocks() {
    blocks_.resize(problem_.outputs);
    const Adjacency adjacency = adjacency_of(problem_);
    std::shared_ptr<const BlockPattern> whole;
    if (!is_local()) {
      std::vector<std::uint32_t> places(inputs_);
      std::iota(places.begin(), places.end(), 0U);
      whole = std::make_shared<BlockPattern>(places, arcs_within(places, adjacency));
    }
    escape_.assign(inputs_, std::numeric_limits<double>::infinity());
    std::vector<double> total(problem_.outputs);
    each_block([&](Block& block, std::size_t o) {
      std::vector<double> loss(inputs_);
      problem_.loss(o, loss);
      block.centre = static_cast<InputId>(std::min_element(loss.begin(), loss.end()) - loss.begin());
      for (std::size_t v = 0; v < inputs_; ++v) {
        if (!(loss[v] >= 0) || !std::isfinite(loss[v]))
          throw InvalidOption("loss", "must be finite, and 0 or more");
        loss[v] *= problem_.prior[v];
        total[o] += loss[v];
      }
      if (is_local()) {
        make_local(block, loss, adjacency);
      } else {
        block.pattern = whole;
        block.cost.resize(inputs_);
        for (std::size_t p = 0; p < inputs_; ++p) block.cost[p] = loss[input_at_[p]];
      }
    });
    // Costs near 1 keep all numbers of the method in a comfortable range.
    unit_ =
        std::accumulate(total.begin(), total.end(), 0.0) / static_cast<double>(inputs_ * problem_.outputs);
    if (!(unit_ > 0)) unit_ = 1;
    each_block([&](Block& block, std::size_t) {
      for (double& cost : block.cost) cost /= unit_;
    });
    if (is_local()) find_escapes();
  }

  /// The least cost, for each input, of an output whose block it is outside of.
  void find_escapes() {
    std::vector<double> loss(inputs_);
    for (std::size_t o = 0; o < blocks_.size(); ++o) {
      problem_.loss(o, loss);
      for (const InputId v : blocks_[o].nearest_outside) {
        escape_[place_[v]] = std::min(escape_[place_[v]], loss[v] * problem_.prior[v] / unit_);
      }
      std::vector<InputId>().swap(blocks_[o].nearest_outside);
    }
  }

  /// Free are the inputs nearest to the centre, in the relation's distance, and whatever lies next to them.
  void make_local(Block& block, const std::vector<double>& cost, const Adjacency& adjacency) {
    const std::vector<double> length = lengths_from(block.centre, adjacency);
    std::vector<InputId> nearest(inputs_);
    std::iota(nearest.begin(), nearest.end(), InputId{0});
    const auto nearer = [&](InputId a, InputId b) {
      return length[a] != length[b] ? length[a] < length[b] : a < b;
    };
    const auto cut = nearest.begin() + static_cast<std::ptrdiff_t>(options_.free_inputs);
    std::nth_element(nearest.begin(), cut, nearest.end(), nearer);
    std::vector<InputId> free(nearest.begin(), cut);
    std::vector<char> is_free(inputs_, 0);
    for (const InputId v : free) is_free[v] = 1;
    for (std::size_t i = 0; i < free.size(); ++i) {  // grows
      for (const auto& [next, step] : adjacency[free[i]]) {
        if (step >= shortest_cut || is_free[next]) continue;
        is_free[next] = 1;
        free.push_back(next);
      }
    }
    std::vector<std::uint32_t> places;
    for (const InputId v : free) places.push_back(place_[v]);
    std::sort(places.begin(), places.end());
    block.pattern = std::make_shared<BlockPattern>(places, arcs_within(places, adjacency));
    for (const std::uint32_t p : places) block.cost.push_back(cost[input_at_[p]]);
    for (InputId v = 0; v < inputs_; ++v) {
      if (!is_free[v]) block.nearest_outside.push_back(v);
    }
  }

  std::vector<BlockPattern::Arc> arcs_within(const std::vector<std::uint32_t>& places,
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

  /// Every output alike from everywhere, and duals that make all products of slack and dual equal.
  void start() {
    std::vector<double> share(inputs_, 0);  // how many blocks an input is free in
    for (const Block& block : blocks_) {
      for (const std::uint32_t p : block.pattern->places()) ++share[p];
    }
    const double level = static_cast<double>(inputs_) / std::accumulate(share.begin(), share.end(), 0.0);
    arcs_ = 0;
    for (const Block& block : blocks_) arcs_ += block.pattern->arcs().size();
    const double product = level * static_cast<double>(inputs_) * static_cast<double>(problem_.outputs) /
                           static_cast<double>(arcs_);
    each_block([&](Block& block, std::size_t) {
      block.x.assign(block.pattern->variables(), level);
      block.z.resize(block.pattern->arcs().size());
      for (std::size_t a = 0; a < block.z.size(); ++a)
        block.z[a] = product / slack(block.pattern->arcs()[a], block.x);
    });
  }

  double loss() const {
    double sum = 0;
    for (const Block& block : blocks_) {
      sum += std::inner_product(block.x.begin(), block.x.end(), block.cost.begin(), 0.0);
    }
    return sum;
  }

  double mu() const {
    double sum = 0;
    for (const Block& block : blocks_) {
      for (std::size_t a = 0; a < block.z.size(); ++a)
        sum += block.z[a] * slack(block.pattern->arcs()[a], block.x);
    }
    return sum / static_cast<double>(arcs_);
  }

  Eigen::VectorXd row_sums(const std::vector<double> Block::*part) const {
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(static_cast<Index>(inputs_));
    for (const Block& block : blocks_) {
      const auto places = block.pattern->places();
      for (std::size_t i = 0; i < places.size(); ++i) sum[places[i]] += (block.*part)[i];
    }
    return sum;
  }

  /// What the rows lack of 1. Once the end is near, what columns have outside their blocks counts too, so that in the end the rows of
  /// the whole table sum to 1.
  void look_at_rows(bool near_the_end) {
    missing_ = Eigen::VectorXd::Ones(static_cast<Index>(inputs_));
    missing_ -= is_local() && near_the_end ? extended_row_sums() : row_sums(&Block::x);
  }

  Eigen::VectorXd extended_row_sums() const {
    constexpr std::size_t chunk = 256;
    const std::size_t chunks = (blocks_.size() + chunk - 1) / chunk;
    std::vector<Eigen::VectorXd> sums(chunks);
    parallel_for(chunks, {.threads = options_.threads}, [&](std::size_t begin, std::size_t end) {
      Extension extension(problem_.relation, problem_.epsilon_per_unit, negligible);
      std::vector<InputId> inputs;
      for (std::size_t k = begin; k < end; ++k) {
        sums[k] = Eigen::VectorXd::Zero(static_cast<Index>(inputs_));
        for (std::size_t o = k * chunk; o < std::min(blocks_.size(), (k + 1) * chunk); ++o) {
          inputs.clear();
          for (const std::uint32_t p : blocks_[o].pattern->places()) inputs.push_back(input_at_[p]);
          extension.extend(inputs, blocks_[o].x,
                           [&](InputId v, double value) { sums[k][place_[v]] += value; });
        }
      }
    });
    for (std::size_t k = 1; k < chunks; ++k) sums[0] += sums[k];
    return sums[0];
  }

  double row_error() const { return missing_.cwiseAbs().maxCoeff(); }

  /// The sum of the multipliers, each lowered until no reduced cost is negative: see docs/mechanisms/optimal.md.
  double lower_bound(double BlockPattern::Arc::*ratio) const {
    constexpr std::size_t chunk = 64;
    const std::size_t chunks = (blocks_.size() + chunk - 1) / chunk;
    std::vector<std::vector<double>> least(chunks);
    parallel_for(chunks, {.threads = options_.threads}, [&](std::size_t begin, std::size_t end) {
      std::vector<double> reduced;
      for (std::size_t k = begin; k < end; ++k) {
        least[k].assign(inputs_, std::numeric_limits<double>::infinity());
        for (std::size_t o = k * chunk; o < std::min(blocks_.size(), (k + 1) * chunk); ++o) {
          const auto places = blocks_[o].pattern->places();
          reduced_cost(blocks_[o], ratio, reduced);
          for (std::size_t i = 0; i < places.size(); ++i)
            least[k][places[i]] = std::min(least[k][places[i]], reduced[i]);
        }
      }
    });
    double bound = 0;
    for (std::size_t p = 0; p < inputs_; ++p) {
      double lowest = least[0][p];
      for (std::size_t k = 1; k < chunks; ++k) lowest = std::min(lowest, least[k][p]);
      bound += std::min(lambda_[static_cast<Index>(p)] + lowest, escape_[p]);
    }
    return bound;
  }

  void reduced_cost(const Block& block, double BlockPattern::Arc::*ratio,
                    std::vector<double>& reduced) const {
    reduced = block.cost;
    const auto places = block.pattern->places();
    for (std::size_t i = 0; i < places.size(); ++i) reduced[i] -= lambda_[places[i]];
    const auto arcs = block.pattern->arcs();
    for (std::size_t a = 0; a < arcs.size(); ++a) {
      if (arcs[a].*ratio == 0) continue;  // a bound may leave out any pair
      reduced[arcs[a].i] -= arcs[a].*ratio * block.z[a];
      reduced[arcs[a].j] += block.z[a];
    }
  }

  /// Mehrotra's predictor and corrector, then a few of Gondzio's corrections, which cost little beside the dense matrix and let the
  /// steps be longer. False if floating point can do no more.
  bool step() {
    if (!factor_blocks() || !factor_rows()) return false;
    each_block([](Block& block, std::size_t) { block.target.assign(block.z.size(), 0.0); });
    solve_for(&Block::dx);
    const double now = mu();
    const double centring = std::pow(std::max(mu_after(longest_steps()), 0.0) / now, 3) * now;
    each_block([&](Block& block, std::size_t) {
      const auto arcs = block.pattern->arcs();
      for (std::size_t a = 0; a < arcs.size(); ++a) {
        const ArcStep step = arc_step(block, a);
        block.target[a] = centring - step.ds * step.dz;
      }
    });
    solve_for(&Block::dx);
    Steps steps = longest_steps();
    for (int round = 0; round < corrections && correct(centring, steps); ++round) {
    }
    move(steps);
    return true;
  }

  /// Pulls outlying products of slack and dual back towards `centring`; keeps the new direction if it can be followed farther.
  bool correct(double centring, Steps& steps) {
    const Steps wished{std::min(1.0, 1.1 * steps.primal + 0.1), std::min(1.0, 1.1 * steps.dual + 0.1)};
    each_block([&](Block& block, std::size_t) {
      block.old_target = block.target;
      block.old_dx = block.dx;
      for (std::size_t a = 0; a < block.z.size(); ++a) {
        const ArcStep step = arc_step(block, a);
        const double product = (step.s + wished.primal * step.ds) * (block.z[a] + wished.dual * step.dz);
        const double wanted = std::clamp(product, 0.1 * centring, 10 * centring);
        block.target[a] += std::max(wanted - product, -10 * centring);
      }
    });
    const Eigen::VectorXd old_aim = aimed_;
    solve_for(&Block::dx);
    const Steps found = longest_steps();
    if (found.primal + found.dual > steps.primal + steps.dual + 0.02) {
      steps = found;
      return true;
    }
    aimed_ = old_aim;
    each_block([](Block& block, std::size_t) {
      block.target.swap(block.old_target);
      block.dx.swap(block.old_dx);
    });
    return false;
  }

  bool factor_blocks() {
    std::atomic<bool> fine{true};
    parallel_for(blocks_.size(), {.threads = options_.threads, .grain = 4},
                 [&](std::size_t begin, std::size_t end) {
                   BlockFactoriser factoriser;
                   std::vector<double> weight;
                   for (std::size_t o = begin; o < end; ++o) {
                     Block& block = blocks_[o];
                     const auto arcs = block.pattern->arcs();
                     weight.resize(arcs.size());
                     for (std::size_t a = 0; a < arcs.size(); ++a)
                       weight[a] = block.z[a] / slack(arcs[a], block.x);
                     if (!factoriser.factor(*block.pattern, weight, block.factor)) fine = false;
                   }
                 });
    return fine;
  }

  /// The dense matrix of the row sums: the sum of the blocks' inverses, in panels of columns.
  bool factor_rows() {
    const std::size_t panels = (inputs_ + panel_width - 1) / panel_width;
    rows_.resize(static_cast<Index>(inputs_), static_cast<Index>(inputs_));
    parallel_for(panels, {.threads = options_.threads}, [&](std::size_t begin, std::size_t end) {
      PanelAdder adder;
      std::vector<double> panel;
      for (std::size_t k = begin; k < end; ++k) {
        const auto first = static_cast<std::uint32_t>(k * panel_width);
        panel.assign((inputs_ - first) * panel_width, 0.0);
        for (const Block& block : blocks_) adder.add(*block.pattern, block.factor, first, panel);
        for (std::size_t row = first; row < inputs_; ++row) {
          for (std::size_t c = 0; c < panel_width && first + c <= row; ++c) {
            rows_(static_cast<Index>(row), static_cast<Index>(first + c)) =
                panel[(row - first) * panel_width + c];
          }
        }
      }
    });
    cholesky_.compute(rows_);
    return cholesky_.info() == Eigen::Success;
  }

  /// The Newton step towards the blocks' target products of slack and dual; sets the multipliers it aims at.
  void solve_for(std::vector<double> Block::*part) {
    const auto right_side = [&](Block& block) -> std::vector<double>& {
      std::vector<double>& right = block.*part;
      right.resize(block.x.size());
      for (std::size_t i = 0; i < right.size(); ++i) right[i] = -block.cost[i];
      const auto arcs = block.pattern->arcs();
      for (std::size_t a = 0; a < arcs.size(); ++a) {
        const double pull = block.target[a] / slack(arcs[a], block.x);
        right[arcs[a].i] += arcs[a].p * pull;
        right[arcs[a].j] -= pull;
      }
      return right;
    };
    each_block([&](Block& block, std::size_t) { block.factor.solve(*block.pattern, right_side(block)); });
    aimed_ = cholesky_.solve(missing_ - row_sums(part));
    each_block([&](Block& block, std::size_t) {
      std::vector<double>& right = right_side(block);
      const auto places = block.pattern->places();
      for (std::size_t i = 0; i < places.size(); ++i) right[i] += aimed_[places[i]];
      block.factor.solve(*block.pattern, right);
    });
    refine(part);
  }

  /// Near the optimum the dense matrix is nearly singular: what its solution leaves of the row sums is solved for again.
  void refine(std::vector<double> Block::*part) {
    double before = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 5; ++round) {
      const Eigen::VectorXd left = missing_ - row_sums(part);
      const double size = left.cwiseAbs().maxCoeff();
      if (size < 1e-14 || size > before / 2) return;
      before = size;
      const Eigen::VectorXd more = cholesky_.solve(left);
      aimed_ += more;
      each_block([&](Block& block, std::size_t) {
        std::vector<double> extra(block.x.size(), 0.0);
        const auto places = block.pattern->places();
        for (std::size_t i = 0; i < places.size(); ++i) extra[i] = more[places[i]];
        block.factor.solve(*block.pattern, extra);
        for (std::size_t i = 0; i < extra.size(); ++i) (block.*part)[i] += extra[i];
      });
    }
  }

  struct ArcStep {
    double s, ds, dz;
  };
  static ArcStep arc_step(const Block& block, std::size_t a) {
    const auto& arc = block.pattern->arcs()[a];
    const double s = slack(arc, block.x);
    const double ds = slack(arc, block.dx);
    return {s, ds, (block.target[a] - block.z[a] * ds) / s - block.z[a]};
  }

  Steps longest_steps() {
    std::vector<Steps> longest(blocks_.size(), {1, 1});
    each_block([&](Block& block, std::size_t o) {
      for (std::size_t a = 0; a < block.z.size(); ++a) {
        const auto [s, ds, dz] = arc_step(block, a);
        if (ds < 0) longest[o].primal = std::min(longest[o].primal, -s / ds);
        if (dz < 0) longest[o].dual = std::min(longest[o].dual, -block.z[a] / dz);
      }
    });
    Steps result{1, 1};
    for (const Steps& one : longest) {
      result.primal = std::min(result.primal, one.primal);
      result.dual = std::min(result.dual, one.dual);
    }
    return result;
  }

  double mu_after(const Steps& steps) {
    std::vector<double> sum(blocks_.size(), 0);
    each_block([&](Block& block, std::size_t o) {
      for (std::size_t a = 0; a < block.z.size(); ++a) {
        const auto [s, ds, dz] = arc_step(block, a);
        sum[o] += (s + steps.primal * ds) * (block.z[a] + steps.dual * dz);
      }
    });
    return std::accumulate(sum.begin(), sum.end(), 0.0) / static_cast<double>(arcs_);
  }

  void move(const Steps& longest) {
    const Steps steps{std::min(1.0, 0.995 * longest.primal), std::min(1.0, 0.995 * longest.dual)};
    each_block([&](Block& block, std::size_t) {
      for (std::size_t a = 0; a < block.z.size(); ++a) block.z[a] += steps.dual * arc_step(block, a).dz;
      for (std::size_t i = 0; i < block.x.size(); ++i) block.x[i] += steps.primal * block.dx[i];
    });
    lambda_ += steps.dual * (aimed_ - lambda_);
  }
  void take_columns(OptimalTable& result) const {
    for (const Block& block : blocks_) {
      OptimalColumn column;
      const auto places = block.pattern->places();
      std::vector<std::pair<InputId, double>> entries;
      // A row sums to 1 up to rounding, so that a probability may stand a little above it.
      for (std::size_t i = 0; i < places.size(); ++i)
        entries.emplace_back(input_at_[places[i]], std::min(block.x[i], 1.0));
      std::sort(entries.begin(), entries.end());
      for (const auto& [input, probability] : entries) {
        if (is_local()) column.inputs.push_back(input);
        column.probability.push_back(probability);
      }
      result.columns.push_back(std::move(column));
    }
  }

  const OptimalProblem& problem_;
  const OptimalOptions& options_;
  std::size_t inputs_;
  std::vector<std::uint32_t> place_;  // in the order of elimination, of each input
  std::vector<InputId> input_at_;     // the inverse
  std::vector<Block> blocks_;
  std::size_t arcs_ = 0;
  double unit_ = 1;
  std::vector<double> escape_;
  Eigen::VectorXd missing_;
  Eigen::VectorXd lambda_, aimed_;  // multipliers of the row sums, by place
  Eigen::MatrixXd rows_;
  Eigen::LLT<Eigen::MatrixXd, Eigen::Lower> cholesky_;
};

}  // namespace

OptimalTable optimal_table(const OptimalProblem& problem, const OptimalOptions& options) {
  require_valid(problem, options);
  Solver solver(problem, options);
  return solver.run();
}

}  // namespace fogline::kernel
