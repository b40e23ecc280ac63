// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

#include "kernel/range_search.hpp"

namespace fogline::kernel::direct {

/// Algorithm 2 of Takagi et al. read line by line, every measure computed from its definition: what search_range must agree with, and
/// what its speed is compared with.
///
///     std::set<std::uint32_t> range = direct::search(problem);

using Range = std::set<std::uint32_t>;

/// P(o|v), a row per input and a column per output of the range.
inline std::vector<std::vector<double>> probabilities(const RangeProblem& problem, const Range& range) {
  std::vector<std::vector<double>> result(problem.prior.size());
  for (std::size_t v = 0; v < result.size(); ++v) {
    const auto row = static_cast<Eigen::Index>(v);
    double total = 0;
    for (const auto o : range) total += problem.weights(row, o);
    for (const auto o : range) result[v].push_back(problem.weights(row, o) / total);
  }
  return result;
}

inline double q_loss(const RangeProblem& problem, const Range& range) {
  const auto p = probabilities(problem, range);
  double sum = 0;
  for (std::size_t v = 0; v < p.size(); ++v) {
    std::size_t column = 0;
    for (const auto o : range)
      sum += problem.prior[v] * p[v][column++] * problem.output_loss(static_cast<Eigen::Index>(v), o);
  }
  return sum;
}

/// Sum over v, guesses g and outputs o of prior(v) P(o|v) p(g|o) d(v, g).
inline double posterior_error(const RangeProblem& problem, const Range& range) {
  const auto p = probabilities(problem, range);
  const std::size_t inputs = p.size();
  double sum = 0;
  for (std::size_t o = 0; o < range.size(); ++o) {
    std::vector<double> joint(inputs);
    double mass = 0, of_output = 0;
    for (std::size_t v = 0; v < inputs; ++v) mass += joint[v] = problem.prior[v] * p[v][o];
    for (std::size_t v = 0; v < inputs; ++v) {
      for (std::size_t g = 0; g < inputs; ++g)
        of_output += joint[v] * joint[g] *
                     problem.input_loss(static_cast<Eigen::Index>(v), static_cast<Eigen::Index>(g));
    }
    if (mass > 0) sum += of_output / mass;
  }
  return sum;
}

/// Objective to be minimised, constraint, and the initial range.
template <class Objective, class Constraint>
Range algorithm_2(const Objective& objective, const Constraint& constraint, Range range, double tolerance) {
  while (true) {
    const Range start = range;
    double value = objective(range);
    for (const auto v : start) {
      Range smaller = range;
      smaller.erase(v);
      if (smaller.empty()) continue;
      const double changed = objective(smaller);
      if (changed < value - tolerance * std::abs(value) && constraint(smaller)) {
        range = smaller;
        value = changed;
      }
    }
    if (range == start) return range;
  }
}

inline Range search(const RangeProblem& problem, double tolerance = 1e-9) {
  Range all;
  for (Eigen::Index o = 0; o < problem.weights.cols(); ++o) all.insert(static_cast<std::uint32_t>(o));
  const double theta = q_loss(problem, all);
  const Range initial = algorithm_2([&](const Range& range) { return q_loss(problem, range); },
                                    [](const Range&) { return true; }, all, tolerance);
  return algorithm_2(
      [&](const Range& range) { return -posterior_error(problem, range) / q_loss(problem, range); },
      [&](const Range& range) { return q_loss(problem, range) <= theta * (1 + tolerance); }, initial,
      tolerance);
}

}  // namespace fogline::kernel::direct
