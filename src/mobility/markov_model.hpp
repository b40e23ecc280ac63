// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fogline::mobility {

using StateId = std::uint32_t;  ///< states of a model, numbered from 0

/// A Markov model with few successors per state: how a sequence of states begins and goes on. Public.
///
///     MarkovModel walk({0, 2, 3}, {{0, 0.5}, {1, 0.5}, {0, 1.0}}, {1.0, 0.0});   // two states
///     std::vector<double> next(walk.states());
///     walk.forward(walk.initial(), next);                                         // 0.5, 0.5
///
/// First order, the same at every step. Limits: 1 to 2^32 - 2 states. Cost: 16 bytes a transition; a step of a distribution is one
/// pass over the transitions of the states it does not rule out.
class MarkovModel {
 public:
  struct Transition {
    StateId to = 0;
    double probability = 0;
    friend bool operator==(const Transition&, const Transition&) = default;
  };

  /// State s owns the transitions offset[s] to offset[s + 1] - 1, targets increasing. Throws InvalidOption, naming the state, unless every
  /// row has a transition, all probabilities lie above 0 and at most 1, and each row and `initial` (0 allowed there) sum to 1 within 10^-9.
  /// Rows are then divided by their sum.
  MarkovModel(std::vector<std::uint64_t> offset, std::vector<Transition> transitions,
              std::vector<double> initial);

  std::size_t states() const { return initial_.size(); }
  std::size_t transition_count() const { return transitions_.size(); }
  std::span<const Transition> row(StateId state) const {
    return std::span(transitions_).subspan(offset_[state], offset_[state + 1] - offset_[state]);
  }
  double probability(StateId from, StateId to) const;  ///< 0 where there is no transition; binary search
  std::span<const double> initial() const { return initial_; }
  MarkovModel starting_from(
      std::vector<double> initial) const;  ///< the same transitions; throws as the constructor does

  /// after[j] = sum over i of before[i] P(i -> j): where the next state is.
  void forward(std::span<const double> before, std::span<double> after) const;
  /// before[i] = sum over j of P(i -> j) after[j]: how likely from each state is what comes next.
  void backward(std::span<const double> after, std::span<double> before) const;

  /// The long-run distribution, by repeated steps of the lazy chain from `initial` until it moves by less than `tolerance` in all, or
  /// 10,000 steps.
  std::vector<double> stationary(double tolerance = 1e-9) const;

 private:
  std::vector<std::uint64_t> offset_;
  std::vector<Transition> transitions_;
  std::vector<double> initial_;
};

}  // namespace fogline::mobility
