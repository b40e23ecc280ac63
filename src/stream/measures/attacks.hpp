// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/progress.hpp"
#include "stream/inference/inference.hpp"
#include "stream/tracker.hpp"

namespace fogline::stream {

/// How well an attacker guesses, on average over steps.
struct Guessing {
  double error = 0;  ///< distance of the best point from the true state's, in the units of the space
  double hits = 0;   ///< share of steps at which the likeliest state is the true one
};

struct GuessingAttack {
  Guessing expected = {};               ///< by the attacker's own reckoning, which is right if the model is
  std::optional<Guessing> actual = {};  ///< against the true states, where they are given; then private
};

/// How much a number of answers tells joined states apart, over all steps within that many.
struct TemporalLeak {
  std::uint64_t answers = 0;
  std::uint64_t steps = 0;           ///< looked at: of sequences that are as long
  double mean = 0, largest = 0;      ///< of the leak of a step (Inference::leak), where it is finite
  std::uint64_t infinite_steps = 0;  ///< at which some joined state became impossible
};

struct StreamAttacks {
  std::uint64_t sequences = 0, steps = 0;
  GuessingAttack without = {};           ///< knows the model alone
  GuessingAttack filter = {};            ///< Bayes: from the answers up to each step
  GuessingAttack smoother = {};          ///< forward and backward: from all answers
  GuessingAttack viterbi = {};           ///< the likeliest path
  std::uint64_t steps_in_parts = 0;      ///< at which the policy fell into several parts
  std::uint64_t parts_told = 0;          ///< at which the answer alone told which part it was
  std::vector<TemporalLeak> leaks = {};  ///< for 1, 2, 5, 10, 20, ... answers
  double largest_joined_loss = 0;  ///< of one step, from its certificate: what the promise bounds by epsilon
  double joined_sum = 0;  ///< of a sequence's steps: two sequences whose states are joined at every step
  double any_two_sum =
      0;  ///< the same for any two possible sequences (Theorem 7.2), over the steps where it is finite
  std::uint64_t separated_steps =
      0;  ///< where it is not: an answer can tell two possible states apart for certain
};

/// One sequence's answers, and its true states if they are to be compared with.
struct AttackedSequence {
  std::vector<Answer> answers = {};
  std::vector<StateId> truth = {};  ///< empty, or one for each answer
};

/// Attacks released answers with all that is public. `begin` gives a tracker that stands where a sequence of the release began.
///
///     StreamAttacks found = attack([&] { return stream.tracker(); }, sequences);
///     found.smoother.expected.hits;            // beside found.without.expected.hits
///
/// The leak over time is no violation of the promise: what is promised is one step's answer, and answers about a state's neighbours in time speak of
/// it too. Throws DataError, naming the sequence, for answers that could not have been given.
/// Cost: that of the releases, and about ten passes over the model's transitions for each step.
StreamAttacks attack(const std::function<Tracker()>& begin, std::span<const AttackedSequence> sequences,
                     const Progress& progress = {});

}  // namespace fogline::stream
