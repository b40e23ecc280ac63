// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "stream/tracker.hpp"

namespace fogline::stream {

/// What somebody who knows the model, the policy and the mechanisms makes of a sequence's answers. Public, as all of these are.
///
///     Inference inference(stream.tracker(), answers);
///     inference.step(0).filtered;               // P(state | the first answer), over step(0).states
///     inference.smoothed(answers.size());       // P(state of each step | all answers)
///     inference.most_likely_path();             // Viterbi
///
/// It knows more than the tracker: with a delta-location set, a state outside answers through its surrogate, and stays possible here.
/// Throws InvalidOption for an answer that could not have been given.
/// Cost: a walk of the tracker, and for each of the functions a pass over the model's transitions for each step.
class Inference {
 public:
  struct Step {
    std::vector<StateId> states = {};        ///< that the answers before leave possible, increasing
    std::vector<double> unconditional = {};  ///< their probability before any answer
    std::vector<double> prior = {};          ///< given the answers before
    std::vector<double> log_likelihood =
        {};  ///< ln P(answer | state), less the same for all; minus infinity: ruled out
    std::vector<double> filtered = {};     ///< given the answers up to this
    std::vector<StateId> constraint = {};  ///< the constraint set of the step
    LocalPolicy policy = {};               ///< over it, after repair
    bool tells_component =
        false;  ///< the answer alone tells in which part of the policy the state lies, and there were several
    bool has_components = false;  ///< the policy is in several parts
    StepCertificate certificate = {};
  };

  Inference(Tracker tracker, std::span<const Answer> answers);

  std::size_t steps() const { return steps_.size(); }
  const mobility::MarkovModel& chain() const { return *chain_; }
  /// The first state's distribution before any answer, over all states of the model.
  std::span<const double> start() const { return start_; }
  const Step& step(std::size_t t) const { return steps_[t]; }  ///< from 0

  /// Over states of each of the first `answers` steps, given that many answers.
  std::vector<std::vector<double>> smoothed(std::size_t answers) const;
  std::vector<StateId> most_likely_path() const;

  /// How well `answers` answers tell joined states of a step apart: the largest | ln P(z|s) / P(z|s') | over pairs that the policy joined at
  /// that step, where s is its state and z all of these answers; infinite if some joined state became impossible and another not.
  double leak(std::size_t t, std::span<const double> smoothed) const;

 private:
  const mobility::MarkovModel* chain_;
  std::vector<double> start_ = {};
  std::vector<Step> steps_ = {};
};

/// The part of a policy that each state lies in, numbered from 0: states joined directly or by way of others.
std::vector<std::uint32_t> components(const LocalPolicy& policy);

}  // namespace fogline::stream
