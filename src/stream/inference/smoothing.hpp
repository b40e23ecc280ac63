// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "stream/tracker.hpp"

namespace fogline::stream {

/// Forward and backward inference: what all answers of a sequence say about each step, those after it too. Public, as the answers are.
///
///     Smoother smoother(model.chain);
///     ... tracker.observe(z); smoother.add(tracker); ...         // every step
///     for (const auto& belief : smoother.smoothed()) use(belief.states, belief.probability);
///
/// Cost: 12 bytes per possible state and step, and a pass over the model's transitions for each step.
class Smoother {
 public:
  struct Belief {
    std::vector<StateId> states = {};      ///< the step's constraint set
    std::vector<double> probability = {};  ///< of these, in all 1
  };

  explicit Smoother(const mobility::MarkovModel& chain) : chain_(&chain) {}

  void add(const Tracker& tracker);      ///< after observe(), step by step
  std::vector<Belief> smoothed() const;  ///< of every step, given all answers

 private:
  struct Step {
    std::vector<StateId> states;
    std::vector<double> prior, posterior;
  };
  const mobility::MarkovModel* chain_;
  std::vector<Step> steps_ = {};
};

}  // namespace fogline::stream
