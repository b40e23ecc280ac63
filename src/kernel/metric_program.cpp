// SPDX-License-Identifier: Apache-2.0
#include "kernel/metric_program.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/extension.hpp"
#include "kernel/interior_point.hpp"

namespace fogline::kernel {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// The numbers from here on were chosen, not derived: they decide how soon a solve ends, and its bound proves what it
// returns.

/// Inputs of a tile's core: five batches of outputs, which share most of their inputs.
constexpr std::size_t core_size = 5 * lane_count;
/// A core with fewer joins one beside it.
constexpr std::size_t smallest_core = core_size / 4;

/// A tile is wider than its core by so many roads, if they are not longer than this (in units of 1 / epsilon): beyond, rows hardly know of each other. With fewer, conjugate
/// gradients take more steps; with more, tiles more time.
constexpr int overlap_steps = 3;
constexpr double overlap_foldings = 4;
/// And its matrices are made with so much of the map around it, which is eliminated: without it, what moves as one across the tile's edge would seem to move freely.
constexpr int margin_steps = 3;
constexpr double margin_foldings = 8;

/// In a tile's block only outputs count that are no farther than this beyond the nearest: it takes half as long, and conjugate gradients hardly a step more.
constexpr double near_foldings = 5;

/// Pairs closer than this (epsilon times distance) are not separated by the edge of a block: the probability lost there must be small beside what the
/// promise allows between them.
constexpr double shortest_cut = 0.05;

/// Probabilities below this are not followed outside a block: the integer table gives every answer as much.
constexpr double negligible = 0x1p-36;

/// Where an input stands that is in neither block nor tail.
constexpr std::uint32_t nowhere = ~0U;

/// At the start probabilities fall off half as fast as they may, to e^-4 of the largest: in the middle of what is allowed, and nowhere so small that its duals would dwarf all others.
constexpr double first_fall = 0.5, first_depth = 4;
/// And the products of slacks and duals add up to ten times the loss: duals large enough to be lowered from.
constexpr double first_gap = 10;

}  // namespace

MetricProgram::MetricProgram(const MetricProblem& problem, const MetricOptions& options, const MetricMap& map)
    : problem_(problem),
      options_(options),
      inputs_(problem.relation.inputs()),
      stretch_(std::max(1.0, problem.bound_epsilon_per_unit / problem.epsilon_per_unit)),
      map_(map) {
  cut_into_cores();
  make_batches();
  widen_tiles();
  start();
}

/// Cores are grown one after another, breadth first.
void MetricProgram::cut_into_cores() {
  constexpr std::uint32_t none = ~0U;
  std::vector<std::uint32_t> core_of(inputs_, none);
  for (InputId seed = 0; seed < inputs_; ++seed) {
    if (core_of[seed] != none) continue;
    const auto number = static_cast<std::uint32_t>(tiles_.size());
    std::vector<InputId> grown{seed};
    core_of[seed] = number;
    std::uint32_t beside = none;
    for (std::size_t k = 0; k < grown.size(); ++k) {
      for (const MetricMap::Step& step : map_.steps(grown[k])) {
        if (core_of[step.input] == none && grown.size() < core_size) {
          core_of[step.input] = number;
          grown.push_back(step.input);
        } else if (core_of[step.input] != none && core_of[step.input] != number) {
          beside = core_of[step.input];
        }
      }
    }
    if (grown.size() < smallest_core && beside != none) {
      for (const InputId input : grown) {
        core_of[input] = beside;
        tiles_[beside].core.push_back(input);
      }
    } else {
      tiles_.emplace_back().core = std::move(grown);
    }
  }
}

void MetricProgram::make_batches() {
  constexpr std::uint32_t none = ~0U;
  std::vector<std::uint32_t> output_at(inputs_, none);
  for (std::uint32_t o = 0; o < problem_.outputs.size(); ++o) output_at[problem_.outputs[o]] = o;
  for (const MetricTile& tile : tiles_) {
    std::vector<std::uint32_t> outputs;
    for (const InputId input : tile.core) {
      if (output_at[input] != none) outputs.push_back(output_at[input]);
    }
    const std::size_t count = (outputs.size() + lane_count - 1) / lane_count;
    for (std::size_t k = 0; k < count; ++k) {
      const auto at = [&](std::size_t part) {
        return outputs.begin() + static_cast<std::ptrdiff_t>(part * outputs.size() / count);
      };
      MetricBatch& batch = batches_.emplace_back();
      batch.outputs.assign(at(k), at(k + 1));
      for (std::size_t lane = 0; lane < lane_count; ++lane)
        batch.counted.push_back(lane < batch.outputs.size() ? 1 : 0);
    }
  }
  near_.resize(batches_.size());
  parallel_for(batches_.size(), {.threads = options_.threads}, [&](std::size_t begin, std::size_t end) {
    MetricMap::Search search(map_);
    std::vector<char> is_member(inputs_, 0);
    std::vector<std::uint32_t> place(inputs_, nowhere);
    for (std::size_t b = begin; b < end; ++b) {
      std::vector<InputId> sources;
      for (const std::uint32_t o : batches_[b].outputs) sources.push_back(problem_.outputs[o]);
      const std::vector<MetricMap::Reached> around = map_.around(sources, search);
      make_block(batches_[b], around, is_member);
      grow_tail(batches_[b], around, place);
      write_costs(batches_[b], search, place);
      for (const MetricMap::Reached& reached : around) {
        if (place[reached.input] < batches_[b].pattern->size() &&
            map_.in_foldings(reached.length - map_.nearest_output(reached.input)) <= near_foldings)
          near_[b].push_back(reached.input);
      }
      for (const InputId input : batches_[b].pattern->inputs()) place[input] = nowhere;
      for (std::size_t k = 0; k < batches_[b].tail.size(); ++k) place[batches_[b].tail.input(k)] = nowhere;
    }
  });
  for (const MetricBatch& batch : batches_)
    constraints_ += 2 * batch.pattern->edges().size() * batch.outputs.size();
}

/// Free are the inputs that may be nearer to an output of the batch than any column may be cut off there, with the way to them; whatever is joined to them by pairs that are too short to
/// cut; and the neighbours of the outputs, since an input by itself would have no constraint.
void MetricProgram::make_block(MetricBatch& batch, std::span<const MetricMap::Reached> around,
                               std::vector<char>& is_member) const {
  std::vector<InputId> members;
  const auto join = [&](InputId input) {
    if (is_member[input]) return;
    is_member[input] = 1;
    members.push_back(input);
  };
  // From the outside in, so that what is on the way to a member becomes one.
  for (std::size_t k = around.size(); k-- > 0;) {
    if (is_member[around[k].input] || around[k].length <= map_.least_outside(around[k].input)) {
      join(around[k].input);
      join(around[k].before);
    }
  }
  for (const std::uint32_t o : batch.outputs) {
    for (const MetricMap::Step& step : map_.steps(problem_.outputs[o])) join(step.input);
  }
  for (std::size_t k = 0; k < members.size(); ++k) {  // grows
    for (const MetricMap::Step& step : map_.steps(members[k])) {
      if (map_.in_foldings(step.length) < shortest_cut) join(step.input);
    }
  }
  for (const InputId input : members) is_member[input] = 0;
  batch.pattern =
      std::make_unique<BatchPattern>(problem_.relation, members, pairs_within(members, is_member));
  for (const BatchPattern::Edge& edge : batch.pattern->edges()) {
    const double foldings =
        map_.in_foldings(static_cast<double>(problem_.relation.pairs()[edge.pair].distance));
    batch.ratio.push_back(std::exp(std::min(foldings, farthest_pair)));
    batch.bound_ratio.push_back(foldings < farthest_pair ? std::exp(foldings * stretch_) : 0);
  }
}

/// Along the shortest ways from the outputs of the batch. With the factors of the bound: it asks for no less of a constraint than its epsilon allows. place[input] becomes where an
/// input of block or tail stands.
void MetricProgram::grow_tail(MetricBatch& batch, std::span<const MetricMap::Reached> around,
                              std::vector<std::uint32_t>& place) const {
  const auto block = batch.pattern->inputs();
  for (std::uint32_t i = 0; i < block.size(); ++i) place[block[i]] = i;
  batch.tail = MetricTail(block.size());
  for (const MetricMap::Reached& reached : around) {
    if (place[reached.input] != nowhere) continue;
    place[reached.input] = static_cast<std::uint32_t>(batch.tail.whole());
    batch.tail.add(reached.input, place[reached.before],
                   std::exp(-map_.in_foldings(reached.step) * stretch_));
  }
}

std::vector<std::uint32_t> MetricProgram::pairs_within(std::span<const InputId> members,
                                                       std::vector<char>& is_member) const {
  for (const InputId input : members) is_member[input] = 1;
  std::vector<std::uint32_t> pairs;
  for (const InputId input : members) {
    for (const MetricMap::Step& step : map_.steps(input)) {
      if (is_member[step.input] && input < step.input) pairs.push_back(step.pair);
    }
  }
  for (const InputId input : members) is_member[input] = 0;
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

/// Distances from each output to the inputs of its block and tail, times their prior. The unknowns begin in the middle of what is allowed.
void MetricProgram::write_costs(MetricBatch& batch, MetricMap::Search& search,
                                const std::vector<std::uint32_t>& place) const {
  batch.cost.assign(batch.tail.whole() * lane_count, 0.0);
  batch.x.assign(batch.pattern->size() * lane_count, 0.0);
  for (std::size_t lane = 0; lane < lane_count; ++lane) {
    const InputId source = problem_.outputs[batch.outputs[std::min(lane, batch.outputs.size() - 1)]];
    std::size_t found = 0;
    search.from(
        std::span(&source, 1), [](InputId) { return infinite; },
        [&](const MetricMap::Reached& reached) {
          if (place[reached.input] == nowhere) return true;
          const std::size_t at = place[reached.input] * lane_count + lane;
          batch.cost[at] = problem_.prior[reached.input] * reached.length;
          if (at < batch.x.size())
            batch.x[at] = std::exp(-std::min(first_fall * map_.in_foldings(reached.length), first_depth));
          return ++found < batch.tail.whole();
        });
  }
  batch.tail.gather(eights(batch.cost));
  batch.cost.resize(batch.x.size());
  batch.cost.shrink_to_fit();
}

void MetricProgram::widen_tiles() {
  std::vector<double> away(inputs_, infinite);
  std::vector<char> is_member(inputs_, 0);
  std::vector<std::vector<std::uint32_t>> kept_by(inputs_);
  for (std::uint32_t k = 0; k < tiles_.size(); ++k) {
    std::vector<InputId> members = tiles_[k].core;
    for (const InputId input : members) away[input] = 0;
    const auto widen = [&](int steps, double foldings) {
      std::size_t begin = 0;
      for (int each = 0; each < steps; ++each) {
        const std::size_t end = members.size();
        for (; begin < end; ++begin) {
          for (const MetricMap::Step& step : map_.steps(members[begin])) {
            const double reached = away[members[begin]] + map_.in_foldings(step.length);
            if (away[step.input] != infinite || reached > foldings) continue;
            away[step.input] = reached;
            members.push_back(step.input);
          }
        }
      }
    };
    widen(overlap_steps, overlap_foldings);
    const std::vector<InputId> kept = members;
    widen(margin_steps, margin_foldings);
    for (const InputId input : members) away[input] = infinite;
    for (const InputId input : kept) kept_by[input].push_back(k);
    tiles_[k].pattern =
        std::make_unique<BatchPattern>(problem_.relation, members, pairs_within(members, is_member), kept);
    tiles_[k].first_kept = members.size() - kept.size();
  }
  for (std::uint32_t b = 0; b < batches_.size(); ++b) {
    for (const InputId input : near_[b]) {
      for (const std::uint32_t k : kept_by[input]) {
        std::vector<std::uint32_t>& list = tiles_[k].batches;
        if (list.empty() || list.back() != b) list.push_back(b);
      }
    }
  }
  near_ = {};
}

/// Well inside all constraints, with products of slack and dual that are alike: from there steps are longest.
void MetricProgram::start() {
  scale_columns();
  // Costs that add up to 1 keep all numbers of the method in a comfortable range.
  unit_ = loss();
  if (!(unit_ > 0)) unit_ = 1;
  each_batch([&](MetricBatch& batch) {
    for (double& cost : batch.cost) cost /= unit_;
  });
  start_duals();
}

/// An output's column is divided by what the row at its own place adds up to, so that rows are near 1.
void MetricProgram::scale_columns() {
  const std::vector<double> rows =
      sum_of_columns([](MetricBatch& batch, Lanes&) -> const Lanes& { return batch.x; });
  each_batch([&](MetricBatch& batch) {
    for (std::size_t k = 0; k < batch.x.size(); ++k) {
      const std::size_t lane = std::min(k % lane_count, batch.outputs.size() - 1);
      batch.x[k] /= rows[problem_.outputs[batch.outputs[lane]]];
    }
  });
}

/// The two constraints of an edge get the same dual: on short edges they would nearly cancel, and what is left of their difference would be large beside all costs.
void MetricProgram::start_duals() {
  const double product = first_gap / static_cast<double>(constraints_);
  each_batch([&](MetricBatch& batch) {
    const auto edges = batch.pattern->edges();
    batch.z.resize(2 * edges.size() * lane_count);
    for (std::size_t e = 0; e < edges.size(); ++e) {
      for (std::size_t lane = 0; lane < lane_count; ++lane) {
        const double x = batch.x[edges[e].i * lane_count + lane],
                     other = batch.x[edges[e].j * lane_count + lane];
        const double slacks = (batch.ratio[e] * x - other) * (batch.ratio[e] * other - x);
        batch.z[2 * e * lane_count + lane] = batch.z[(2 * e + 1) * lane_count + lane] =
            product / std::sqrt(slacks);
      }
    }
    batch.target.assign(batch.z.size(), 0.0);
    batch.dx.assign(batch.x.size(), 0.0);
  });
}

double MetricProgram::loss() {
  return sum_over_batches([](const MetricBatch& batch) { return loss_of(batch); });
}

double MetricProgram::mean_product(const StepLengths& steps) {
  return sum_over_batches([&](const MetricBatch& batch) { return product_after(batch, steps); }) /
         static_cast<double>(constraints_);
}

StepLengths MetricProgram::find_steps() {
  each_batch([](MetricBatch& batch) { batch.steps = longest_steps(batch); });
  StepLengths result;
  for (const MetricBatch& batch : batches_) {
    const StepLengths one = shortest(batch.steps);
    result.primal = std::min(result.primal, one.primal);
    result.dual = std::min(result.dual, one.dual);
  }
  return result;
}

std::vector<double> MetricProgram::missing(bool near_the_end) {
  std::vector<double> rows =
      near_the_end ? tails()
                   : sum_of_columns([](MetricBatch& batch, Lanes&) -> const Lanes& { return batch.x; });
  for (double& row : rows) row = 1 - row;
  return rows;
}

/// The row sums with what columns have outside their blocks.
std::vector<double> MetricProgram::tails() {
  std::vector<std::vector<double>> parts(part_count);
  parallel_for(part_count, {.threads = options_.threads}, [&](std::size_t begin, std::size_t end) {
    Extension extension(problem_.relation, problem_.epsilon_per_unit, negligible);
    std::vector<double> values;
    for (std::size_t part = begin; part < end; ++part) {
      std::vector<double>& sum = parts[part];
      sum.assign(inputs_, 0.0);
      for (std::size_t b = part * batches_.size() / part_count; b < (part + 1) * batches_.size() / part_count;
           ++b) {
        const MetricBatch& batch = batches_[b];
        for (std::size_t lane = 0; lane < batch.outputs.size(); ++lane) {
          values.clear();
          for (std::size_t i = 0; i < batch.pattern->size(); ++i)
            values.push_back(batch.x[i * lane_count + lane]);
          extension.extend(batch.pattern->inputs(), values,
                           [&](InputId input, double value) { sum[input] += value; });
        }
      }
    }
  });
  for (std::size_t part = 1; part < part_count; ++part) {
    for (std::size_t v = 0; v < inputs_; ++v) parts[0][v] += parts[part][v];
  }
  return std::move(parts[0]);
}

/// Weak duality: docs/mechanisms/optimal.md has the argument. An output whose block leaves an input out is farther from it than the nearest by more than the reach: its cost there is at least
/// `outside`, and a multiplier above that counts for so much alone. Then no column is worth more than nothing in its tail, and what it costs there is counted where the tail begins.
double MetricProgram::lower_bound(std::span<const double> multiplier,
                                  std::vector<double> MetricBatch::*ratio) {
  std::vector<double> outside(inputs_);
  for (std::size_t v = 0; v < inputs_; ++v)
    outside[v] =
        lower_of(multiplier[v], problem_.prior[v] * map_.least_outside(static_cast<InputId>(v)) / unit_);
  const std::vector<double> least = in_parts(
      0.0,
      [&](MetricBatch& batch, Lanes& scratch, std::span<double> part) {
        lower_to_reduced_costs(batch, multiplier, outside, ratio, scratch, part);
      },
      [](double a, double b) { return lower_of(a, b); });
  double bound = 0;
  for (std::size_t v = 0; v < inputs_; ++v) bound += lower_of(multiplier[v] + least[v], outside[v]);
  return bound;
}

void MetricProgram::take_columns(OptimalTable& result) const {
  result.columns.resize(problem_.outputs.size());
  for (const MetricBatch& batch : batches_) {
    const auto inputs = batch.pattern->inputs();
    for (std::size_t lane = 0; lane < batch.outputs.size(); ++lane) {
      std::vector<std::pair<InputId, double>> entries;
      // A row sums to 1 up to rounding, so that a probability may stand a little above it.
      for (std::size_t i = 0; i < inputs.size(); ++i)
        entries.emplace_back(inputs[i], std::min(batch.x[i * lane_count + lane], 1.0));
      std::sort(entries.begin(), entries.end());
      OptimalColumn& column = result.columns[batch.outputs[lane]];
      for (const auto& [input, probability] : entries) {
        column.inputs.push_back(input);
        column.probability.push_back(probability);
      }
    }
  }
}

}  // namespace fogline::kernel
