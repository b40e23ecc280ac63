// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "base/rational.hpp"
#include "stream/paper/experiment_stream.hpp"
#include "stream/steps/step_mechanism.hpp"

namespace fogline::stream {

struct LocationSetOptions {
  std::size_t sets = 40;              ///< at most; 1 or more
  std::size_t least = 8, most = 100;  ///< states of a set
  double delta = 0.01;                ///< of the delta-location set: the fewest states that hold 1 - delta
  Rational epsilon = Rational(1);     ///< of the K-norm answers that lead from set to set
  std::uint64_t seed = 1;
};

/// Delta-location sets as they are met: real sequences are released under the complete policy by the K-norm mechanism, starting from a first
/// state that is public, and at each step the set and its prior are what everybody knows. Every two states of a set must look alike.
///
///     std::vector<Situation> sets = real_location_sets(taxis, {});
///
/// Cost: a release of all sequences.
std::vector<Situation> real_location_sets(const ExperimentStream& stream, const LocationSetOptions& options);

/// What answers cost on one set, in steps of its points: expected distances of the truth under the set's prior.
struct SetErrors {
  double raw = 0;          ///< K-norm, the answer as it is drawn
  double bayes = 0;        ///< K-norm, the point of least expected distance given the answer
  double optimal = 0;      ///< of the optimal table, as it answers
  double estimate = 0;     ///< the point of least expected distance given the optimal table's answer
  double free = 0;         ///< the point of least expected distance given nothing
  double lower_bound = 0;  ///< no table over the same answers that keeps the promise has less
  double seconds = 0;      ///< to make and certify the optimal table
  bool kept = false;       ///< certified at epsilon
};

struct SetErrorOptions {
  std::size_t draws = 200;  ///< of the K-norm mechanism
  std::uint64_t seed = 1;
  std::function<double()> seconds = {};  ///< a clock; without it `seconds` is 0
};

SetErrors errors_on(const Situation& set, const Rational& epsilon, const SetErrorOptions& options);

}  // namespace fogline::stream
