// SPDX-License-Identifier: Apache-2.0
#include "kernel/metric_map.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"

namespace fogline::kernel {
namespace {

/// How far blocks reach, in foldings: what is given up by a column that falls off as its tail does is about e^-reach of the loss, on the maps that were looked at. So with a gap of a
/// thousandth they reach to 7.3, with a hundredth to 5.
constexpr double reach_beside_the_gap = 0.4;
/// Where neighbours' priors differ so much that columns have no such tails, blocks reach to where nothing is left of them: about e^-reach, times the number of outputs that a circle grows by.
constexpr double wide_beside_the_gap = 5;
/// Tails are followed so much farther.
constexpr double tail_foldings = 5;
/// An input by itself may be in blocks of outputs so many times as far away, with the ways to it.
constexpr double widest = 3;

/// What is farther than this from an input says nothing of what its row is worth; and what is said is a guess, to which this is added.
constexpr double seen_foldings = 8, added_to_guess = 0.5;
/// The same for what the solver says halfway: there multipliers still grow.
constexpr double growth = 1.2, added_to_growth = 0.3;

}  // namespace

MetricMap::MetricMap(const MetricProblem& problem, const MetricOptions& options)
    : epsilon_(problem.epsilon_per_unit), steps_(problem.relation.inputs()) {
  const auto pairs = problem.relation.pairs();
  for (std::uint32_t k = 0; k < pairs.size(); ++k) {
    steps_[pairs[k].from].push_back({pairs[k].to, k, static_cast<double>(pairs[k].distance)});
    steps_[pairs[k].to].push_back({pairs[k].from, k, static_cast<double>(pairs[k].distance)});
  }
  find_nearest(problem.outputs);
  const double reach =
      options.reach > 0 ? options.reach : std::max(1.0, reach_beside_the_gap - std::log(options.gap));
  wide_reach_ = std::max(reach, wide_beside_the_gap - std::log(options.gap)) / epsilon_;
  widest_ = widest * reach / epsilon_;
  tail_reach_ = (reach + tail_foldings) / epsilon_;
  if (options.reach > 0) {
    reach_.assign(inputs(), reach / epsilon_);
  } else {
    find_reaches(problem.prior, reach, options.threads);
  }
}

void MetricMap::find_nearest(std::span<const InputId> outputs) {
  nearest_.assign(inputs(), 0);
  Search search(*this);
  search.from(
      outputs, [](InputId) { return std::numeric_limits<double>::infinity(); },
      [&](const Reached& reached) {
        nearest_[reached.input] = reached.length;
        return true;
      });
}

/// What a row is worth is bounded by the column of its own input that falls off as fast as it may: that must not cost less than the rows it adds to are worth. With the others worth the mean, which follows from
/// the same inequality for all, that is a guess of the multipliers, and most are below it.
void MetricMap::find_reaches(std::span<const double> prior, double least, int threads) {
  struct Column {
    double mass = 0, cost = 0;
  };
  std::vector<Column> columns(inputs());
  constexpr std::size_t searches_a_task = 64;  // a thread's search has memory of the map's size to make first
  parallel_for(inputs(), {.threads = threads, .grain = searches_a_task},
               [&](std::size_t begin, std::size_t end) {
                 Search search(*this);
                 for (std::size_t v = begin; v < end; ++v) {
                   const auto source = static_cast<InputId>(v);
                   search.from(
                       std::span(&source, 1), [&](InputId) { return seen_foldings / epsilon_; },
                       [&](const Reached& reached) {
                         const double foldings = in_foldings(reached.length);
                         const double mass = std::exp(-foldings) * prior[reached.input];
                         columns[v].mass += mass;
                         columns[v].cost += mass * foldings;
                         return true;
                       });
                 }
               });
  Column all;
  for (const Column& each : columns) {
    all.mass += each.mass;
    all.cost += each.cost;
  }
  const double mean = all.mass > 0 ? all.cost / all.mass : 0;
  for (std::size_t v = 0; v < inputs(); ++v) {
    const double worth = columns[v].cost - mean * (columns[v].mass - prior[v]);
    const double wanted = prior[v] > 0 ? worth / prior[v] + added_to_guess : 0;
    reach_.push_back(std::clamp(wanted, least, least + tail_foldings) / epsilon_);
  }
}

bool MetricMap::widen(std::span<const double> worth) {
  bool is_wider = false;
  for (InputId input = 0; input < inputs(); ++input) {
    if (worth[input] <= least_outside(input)) continue;
    const double wanted =
        std::min(growth * worth[input] + added_to_growth / epsilon_ - nearest_[input], widest_);
    is_wider = is_wider || wanted > reach_[input];
    reach_[input] = std::max(wanted, reach_[input]);
    tail_reach_ = std::max(tail_reach_, reach_[input]);  // around() must find whatever is within reach
  }
  return is_wider;
}

bool MetricMap::widen_all() {
  if (reach_.empty() || *std::min_element(reach_.begin(), reach_.end()) >= wide_reach_) return false;
  reach_.assign(inputs(), wide_reach_);
  tail_reach_ = wide_reach_;  // what is beyond is negligible
  return true;
}

std::vector<MetricMap::Reached> MetricMap::around(std::span<const InputId> sources, Search& search) const {
  std::vector<Reached> found;
  search.from(
      sources, [&](InputId input) { return nearest_[input] + tail_reach_; },
      [&](const Reached& reached) {
        found.push_back(reached);
        return true;
      });
  return found;
}

}  // namespace fogline::kernel
