// SPDX-License-Identifier: Apache-2.0
#include "kernel/metric_program.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/extension.hpp"
#include "kernel/interior_point.hpp"

namespace fogline::kernel {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

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

/// Pairs closer than this (epsilon times distance) are not separated by the edge of a block: the probability lost there must be small beside what the
/// promise allows between them.
constexpr double shortest_cut = 0.05;

/// Probabilities below this are not followed outside a block: the integer table gives every answer as much.
constexpr double negligible = 0x1p-36;

/// How far blocks reach, in units of 1 / epsilon: what lies beyond adds about e^-reach to the loss, times the number of outputs that a circle grows by; e^5 is more than that
/// was on any map that was looked at. So with a gap of a thousandth they reach to 12, with a hundredth to 9.6.
constexpr double reach_beside_the_gap = 5;

/// At the start probabilities fall off half as fast as they may, to e^-4 of the largest: in the middle of what is allowed, and nowhere so small that its duals would dwarf all others.
constexpr double first_fall = 0.5, first_depth = 4;
/// And the products of slacks and duals add up to ten times the loss: duals large enough to be lowered from.
constexpr double first_gap = 10;

}  // namespace

template <class Radius, class Take>
void MetricProgram::Search::from(std::span<const InputId> sources, const Radius& radius, const Take& take) {
  for (const InputId source : sources) reach(source, 0);
  while (!queue_.empty()) {
    const auto [length, input] = queue_.top();
    queue_.pop();
    if (length > length_[input]) continue;
    if (length > radius(input)) continue;
    if (!take(input, length)) break;
    for (const Step& step : program_.steps_[input]) reach(step.input, length + step.length);
  }
  queue_ = {};
  for (const InputId input : reached_) length_[input] = infinite;
  reached_.clear();
}

void MetricProgram::Search::reach(InputId input, double length) {
  if (length >= length_[input]) return;
  if (length_[input] == infinite) reached_.push_back(input);
  length_[input] = length;
  queue_.emplace(length, input);
}

MetricProgram::MetricProgram(const MetricProblem& problem, const MetricOptions& options)
    : problem_(problem),
      options_(options),
      inputs_(problem.relation.inputs()),
      reach_((options.reach > 0 ? options.reach : reach_beside_the_gap - std::log(options.gap)) /
             problem.epsilon_per_unit),
      steps_(inputs_) {
  const auto pairs = problem.relation.pairs();
  for (std::uint32_t k = 0; k < pairs.size(); ++k) {
    steps_[pairs[k].from].push_back({pairs[k].to, k, static_cast<double>(pairs[k].distance)});
    steps_[pairs[k].to].push_back({pairs[k].from, k, static_cast<double>(pairs[k].distance)});
  }
  find_nearest_outputs();
  cut_into_cores();
  make_batches();
  widen_tiles();
  start();
}

void MetricProgram::find_nearest_outputs() {
  nearest_.assign(inputs_, 0);
  Search search(*this);
  search.from(
      problem_.outputs, [](InputId) { return infinite; },
      [&](InputId input, double length) {
        nearest_[input] = length;
        return true;
      });
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
      for (const Step& step : steps_[grown[k]]) {
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
  parallel_for(batches_.size(), {.threads = options_.threads}, [&](std::size_t begin, std::size_t end) {
    Search search(*this);
    std::vector<char> is_member(inputs_, 0);
    for (std::size_t b = begin; b < end; ++b) {
      make_block(batches_[b], search, is_member);
      write_costs(batches_[b], search);
    }
  });
  for (const MetricBatch& batch : batches_)
    constraints_ += 2 * batch.pattern->edges().size() * batch.outputs.size();
}

/// Free are the inputs that an output of the batch is not much farther from than the output nearest to them, and whatever is joined to them by pairs that are too short to
/// cut; and the neighbours of the outputs, since an input by itself would have no constraint.
void MetricProgram::make_block(MetricBatch& batch, Search& search, std::vector<char>& is_member) const {
  std::vector<InputId> sources, members;
  for (const std::uint32_t o : batch.outputs) sources.push_back(problem_.outputs[o]);
  search.from(
      sources, [&](InputId input) { return nearest_[input] + reach_; },
      [&](InputId input, double) {
        members.push_back(input);
        is_member[input] = 1;
        return true;
      });
  const auto join = [&](InputId input) {
    if (is_member[input]) return;
    is_member[input] = 1;
    members.push_back(input);
  };
  for (const InputId source : sources) {
    for (const Step& step : steps_[source]) join(step.input);
  }
  for (std::size_t k = 0; k < members.size(); ++k) {  // grows
    for (const Step& step : steps_[members[k]]) {
      if (in_foldings(step.length) < shortest_cut) join(step.input);
    }
  }
  for (const InputId input : members) is_member[input] = 0;
  batch.pattern =
      std::make_unique<BatchPattern>(problem_.relation, members, pairs_within(members, is_member));
  const double stretch = std::max(1.0, problem_.bound_epsilon_per_unit / problem_.epsilon_per_unit);
  for (const BatchPattern::Edge& edge : batch.pattern->edges()) {
    const double foldings = in_foldings(static_cast<double>(problem_.relation.pairs()[edge.pair].distance));
    batch.ratio.push_back(std::exp(std::min(foldings, farthest_pair)));
    batch.bound_ratio.push_back(foldings < farthest_pair ? std::exp(foldings * stretch) : 0);
  }
}

std::vector<std::uint32_t> MetricProgram::pairs_within(std::span<const InputId> members,
                                                       std::vector<char>& is_member) const {
  for (const InputId input : members) is_member[input] = 1;
  std::vector<std::uint32_t> pairs;
  for (const InputId input : members) {
    for (const Step& step : steps_[input]) {
      if (is_member[step.input] && input < step.input) pairs.push_back(step.pair);
    }
  }
  for (const InputId input : members) is_member[input] = 0;
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

/// Distances from each output to the inputs of its block. They may lead over inputs outside.
void MetricProgram::write_costs(MetricBatch& batch, Search& search) const {
  const auto inputs = batch.pattern->inputs();
  std::vector<std::pair<InputId, std::size_t>> place;
  for (std::size_t i = 0; i < inputs.size(); ++i) place.emplace_back(inputs[i], i);
  std::sort(place.begin(), place.end());
  batch.cost.assign(inputs.size() * lane_count, 0.0);
  for (std::size_t lane = 0; lane < lane_count; ++lane) {
    const InputId source = problem_.outputs[batch.outputs[std::min(lane, batch.outputs.size() - 1)]];
    std::size_t found = 0;
    search.from(
        std::span(&source, 1), [](InputId) { return infinite; },
        [&](InputId input, double length) {
          const auto at = std::lower_bound(place.begin(), place.end(), std::pair{input, std::size_t{0}});
          if (at != place.end() && at->first == input) {
            batch.cost[at->second * lane_count + lane] = length;
            ++found;
          }
          return found < inputs.size();
        });
  }
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
          for (const Step& step : steps_[members[begin]]) {
            const double reached = away[members[begin]] + in_foldings(step.length);
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
    for (const InputId input : batches_[b].pattern->inputs()) {
      for (const std::uint32_t k : kept_by[input]) {
        std::vector<std::uint32_t>& list = tiles_[k].batches;
        if (list.empty() || list.back() != b) list.push_back(b);
      }
    }
  }
}

/// Well inside all constraints, with products of slack and dual that are alike: from there steps are longest.
void MetricProgram::start() {
  start_near_the_outputs();
  each_batch([&](MetricBatch& batch) {
    const auto inputs = batch.pattern->inputs();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      for (std::size_t lane = 0; lane < lane_count; ++lane)
        batch.cost[i * lane_count + lane] *= problem_.prior[inputs[i]];
    }
  });
  // Costs that add up to 1 keep all numbers of the method in a comfortable range.
  unit_ = loss();
  if (!(unit_ > 0)) unit_ = 1;
  each_batch([&](MetricBatch& batch) {
    for (double& cost : batch.cost) cost /= unit_;
  });
  start_duals();
}

/// An output's column is divided by what the row at its own place adds up to, so that rows are near 1.
void MetricProgram::start_near_the_outputs() {
  each_batch([&](MetricBatch& batch) {
    batch.x.resize(batch.cost.size());
    for (std::size_t k = 0; k < batch.x.size(); ++k)
      batch.x[k] = std::exp(-std::min(first_fall * in_foldings(batch.cost[k]), first_depth));
  });
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

double MetricProgram::sum_of_products() {
  return mean_product({0, 0}) * static_cast<double>(constraints_);
}

double MetricProgram::mean_product(const StepLengths& steps) {
  return sum_over_batches([&](const MetricBatch& batch) { return product_after(batch, steps); }) /
         static_cast<double>(constraints_);
}

StepLengths MetricProgram::longest_steps() {
  std::vector<StepLengths> each(batches_.size());
  parallel_for(batches_.size(), {.threads = options_.threads}, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) each[b] = shortest(kernel::longest_steps(batches_[b]));
  });
  StepLengths result;
  for (const StepLengths& one : each) {
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

/// Weak duality: docs/mechanisms/optimal.md has the argument. An output whose block leaves an input out is farther from it than the nearest by more than the reach, and could be charged no
/// less than its cost there.
double MetricProgram::lower_bound(std::span<const double> multiplier,
                                  std::vector<double> MetricBatch::*ratio) {
  const std::vector<double> least = in_parts(
      infinite,
      [&](MetricBatch& batch, Lanes& scratch, std::span<double> part) {
        lower_to_reduced_costs(batch, multiplier, ratio, scratch, part);
      },
      [](double a, double b) { return lower_of(a, b); });
  double bound = 0;
  for (std::size_t v = 0; v < inputs_; ++v) {
    const double outside = problem_.prior[v] * (nearest_[v] + reach_) / unit_;
    bound += std::min(multiplier[v] + least[v], outside);
  }
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
