// SPDX-License-Identifier: Apache-2.0
#include "mobility/markov_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "base/error.hpp"

namespace fogline::mobility {
namespace {

constexpr double row_tolerance = 1e-9;
constexpr int most_steps = 10'000;

[[noreturn]] void wrong_row(std::size_t state, std::string_view problem) {
  throw InvalidOption("model", fmt::format("state {} {}", state, problem));
}

void check_shape(std::span<const std::uint64_t> offset, std::size_t transitions, std::size_t states) {
  if (states < 1 || states >= std::numeric_limits<StateId>::max())
    throw InvalidOption("model", "must have 1 to 4294967294 states");
  if (offset.size() != states + 1 || offset.front() != 0 || offset.back() != transitions)
    throw InvalidOption("model", "the offsets do not fit the states and transitions");
  for (std::size_t s = 0; s < states; ++s) {
    if (offset[s + 1] < offset[s] || offset[s + 1] > transitions) wrong_row(s, "has offsets that run back");
    if (offset[s + 1] == offset[s]) wrong_row(s, "has no transition");
  }
}

/// The sum of a row whose targets increase and whose probabilities lie above 0 and at most 1.
double checked_sum(std::span<const MarkovModel::Transition> row, std::size_t state, std::size_t states) {
  double sum = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i].to >= states) wrong_row(state, "goes to a state that does not exist");
    if (i > 0 && row[i].to <= row[i - 1].to) wrong_row(state, "has transitions that are not in order");
    if (!(row[i].probability > 0 && row[i].probability <= 1))
      wrong_row(state, "has a probability outside 0 to 1");
    sum += row[i].probability;
  }
  return sum;
}

bool adds_up_to_one(double sum) {
  return std::abs(sum - 1) <= row_tolerance;
}

void normalise_initial(std::vector<double>& initial) {
  double sum = 0;
  for (std::size_t s = 0; s < initial.size(); ++s) {
    if (!(initial[s] >= 0 && initial[s] <= 1))
      throw InvalidOption("initial", fmt::format("state {} has a probability outside 0 to 1", s));
    sum += initial[s];
  }
  if (!adds_up_to_one(sum)) throw InvalidOption("initial", fmt::format("sums to {}, not to 1", sum));
  for (double& probability : initial) probability /= sum;
}

}  // namespace

MarkovModel::MarkovModel(std::vector<std::uint64_t> offset, std::vector<Transition> transitions,
                         std::vector<double> initial)
    : offset_(std::move(offset)), transitions_(std::move(transitions)), initial_(std::move(initial)) {
  check_shape(offset_, transitions_.size(), initial_.size());
  for (StateId s = 0; s < initial_.size(); ++s) {
    const double sum = checked_sum(row(s), s, initial_.size());
    if (!adds_up_to_one(sum)) wrong_row(s, fmt::format("has transitions that sum to {}, not to 1", sum));
    for (std::uint64_t i = offset_[s]; i < offset_[s + 1]; ++i) transitions_[i].probability /= sum;
  }
  normalise_initial(initial_);
}

MarkovModel MarkovModel::starting_from(std::vector<double> initial) const {
  if (initial.size() != states()) throw InvalidOption("initial", "must have a probability for each state");
  MarkovModel other = *this;
  other.initial_ = std::move(initial);
  normalise_initial(other.initial_);
  return other;
}

double MarkovModel::probability(StateId from, StateId to) const {
  const auto successors = row(from);
  const auto found = std::lower_bound(successors.begin(), successors.end(), to,
                                      [](const Transition& t, StateId target) { return t.to < target; });
  return found != successors.end() && found->to == to ? found->probability : 0;
}

void MarkovModel::forward(std::span<const double> before, std::span<double> after) const {
  std::fill(after.begin(), after.end(), 0.0);
  for (StateId s = 0; s < states(); ++s) {
    const double here = before[s];
    if (here == 0) continue;
    for (const Transition& t : row(s)) after[t.to] += here * t.probability;
  }
}

void MarkovModel::backward(std::span<const double> after, std::span<double> before) const {
  for (StateId s = 0; s < states(); ++s) {
    double sum = 0;
    for (const Transition& t : row(s)) sum += t.probability * after[t.to];
    before[s] = sum;
  }
}

std::vector<double> MarkovModel::stationary(double tolerance) const {
  if (!(tolerance > 0)) throw InvalidOption("tolerance", "must be above 0");
  std::vector<double> now(initial_), next(states());
  for (int step = 0; step < most_steps; ++step) {
    forward(now, next);
    // Half a step at a time: a chain that only alternates settles too.
    double moved = 0;
    for (std::size_t s = 0; s < now.size(); ++s) {
      next[s] = (now[s] + next[s]) / 2;
      moved += std::abs(next[s] - now[s]);
    }
    now.swap(next);
    if (moved < tolerance) break;
  }
  return now;
}

}  // namespace fogline::mobility
