// SPDX-License-Identifier: Apache-2.0
#include "stream/inference/smoothing.hpp"

#include <algorithm>

namespace fogline::stream {

void Smoother::add(const Tracker& tracker) {
  const Situation& situation = tracker.situation();
  steps_.push_back(
      {situation.states, situation.prior, {tracker.posterior().begin(), tracker.posterior().end()}});
}

/// P(s_t | all answers) is P(s_t | answers up to t) times the sum over next states of P(next | s_t) P(next | all) / P(next | answers up to t).
std::vector<Smoother::Belief> Smoother::smoothed() const {
  std::vector<Belief> beliefs(steps_.size());
  std::vector<double> after(chain_->states(), 0.0), before(chain_->states(), 0.0);
  for (std::size_t t = steps_.size(); t-- > 0;) {
    const Step& step = steps_[t];
    beliefs[t] = {step.states, step.posterior};
    if (t + 1 < steps_.size()) {
      chain_->backward(after, before);
      double sum = 0;
      for (std::size_t i = 0; i < step.states.size(); ++i)
        sum += beliefs[t].probability[i] = step.posterior[i] * before[step.states[i]];
      for (double& probability : beliefs[t].probability) probability /= sum;
    }
    std::ranges::fill(after, 0.0);
    for (std::size_t i = 0; i < step.states.size(); ++i)
      after[step.states[i]] = beliefs[t].probability[i] / step.prior[i];
  }
  return beliefs;
}

}  // namespace fogline::stream
