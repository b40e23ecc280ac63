// SPDX-License-Identifier: Apache-2.0
#include "stream/inference/inference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"

namespace fogline::stream {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// What is possible stays possible, whatever rounding does.
constexpr double least_probability = 1e-250;

/// Moves probabilities over all states one step on. A product that rounding took to 0 is kept.
void advance(const mobility::MarkovModel& chain, std::vector<double>& now, std::vector<double>& next) {
  chain.forward(now, next);
  for (StateId s = 0; s < now.size(); ++s) {
    if (now[s] == 0 || now[s] > 1e-100) continue;
    for (const auto& move : chain.row(s)) next[move.to] = std::max(next[move.to], least_probability);
  }
  now.swap(next);
}

/// What each possible state would have made of the answer: its own weight, or that of its surrogate.
std::vector<double> log_likelihood(const Tracker& tracker, const std::vector<StateId>& states,
                                   std::span<const double> weights) {
  std::vector<double> of_states;
  of_states.reserve(states.size());
  for (const StateId s : states) of_states.push_back(weights[tracker.place_of(s)]);
  return of_states;
}

/// The posterior of a step; false if no state could have given the answer.
bool condition(const std::vector<double>& prior, const std::vector<double>& log_likelihood,
               std::vector<double>& posterior) {
  const double largest = *std::ranges::max_element(log_likelihood);
  if (std::isinf(largest)) return false;
  posterior.assign(prior.size(), 0.0);
  double sum = 0;
  for (std::size_t i = 0; i < prior.size(); ++i) {
    if (std::isinf(log_likelihood[i])) continue;
    posterior[i] = std::max(prior[i] * std::exp(log_likelihood[i] - largest), least_probability);
    sum += posterior[i];
  }
  for (double& probability : posterior) probability /= sum;
  return true;
}

void look_at_components(Inference::Step& step, std::span<const double> weights) {
  const auto part = components(step.policy);
  step.has_components = std::ranges::any_of(part, [](std::uint32_t p) { return p > 0; });
  if (!step.has_components) return;
  constexpr auto none = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t seen = none;
  step.tells_component = true;
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (std::isinf(weights[i])) continue;
    if (seen != none && seen != part[i]) step.tells_component = false;
    seen = part[i];
  }
}

}  // namespace

std::vector<std::uint32_t> components(const LocalPolicy& policy) {
  std::vector<std::uint32_t> parent(policy.states);
  std::iota(parent.begin(), parent.end(), 0U);
  const auto root = [&](std::uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    const std::uint32_t ra = root(a), rb = root(b);
    parent[std::max(ra, rb)] = std::min(ra, rb);
  };
  for (const auto& group : policy.groups)
    for (std::size_t i = 1; i < group.size(); ++i) join(group[0], group[i]);
  for (const auto& [a, b] : policy.pairs) join(a, b);
  std::vector<std::uint32_t> number(policy.states);
  std::uint32_t next = 0;
  for (std::uint32_t v = 0; v < policy.states; ++v) number[v] = parent[v] == v ? next++ : number[root(v)];
  return number;
}

Inference::Inference(Tracker tracker, std::span<const Answer> answers) : chain_(&tracker.model().chain) {
  const Tracker::Saved begin = tracker.save();
  std::vector<double> belief(chain_->states(), 0.0), scratch(chain_->states());
  if (begin.step == 0) {
    std::ranges::copy(chain_->initial(), belief.begin());
  } else {
    for (std::size_t i = 0; i < begin.states.size(); ++i) belief[begin.states[i]] = begin.probability[i];
    advance(*chain_, belief, scratch);
  }
  start_ = belief;
  std::vector<double> unconditional = belief;
  std::vector<double> weights;
  for (const Answer& answer : answers) {
    const StepMechanism& mechanism = tracker.prepare();
    Step step{.constraint = tracker.situation().states, .policy = tracker.situation().policy};
    step.certificate = tracker.certificate();
    for (StateId s = 0; s < belief.size(); ++s) {
      if (belief[s] == 0) continue;
      step.states.push_back(s);
      step.prior.push_back(belief[s]);
      step.unconditional.push_back(unconditional[s]);
    }
    weights.resize(step.constraint.size());
    mechanism.log_weights(answer, weights);
    look_at_components(step, weights);
    step.log_likelihood = log_likelihood(tracker, step.states, weights);
    if (!condition(step.prior, step.log_likelihood, step.filtered))
      throw InvalidOption("answer", "could not have been given by any state that the model allows");
    tracker.observe(answer);
    std::ranges::fill(belief, 0.0);
    for (std::size_t i = 0; i < step.states.size(); ++i) belief[step.states[i]] = step.filtered[i];
    advance(*chain_, belief, scratch);
    advance(*chain_, unconditional, scratch);
    steps_.push_back(std::move(step));
  }
}

std::vector<std::vector<double>> Inference::smoothed(std::size_t answers) const {
  if (answers > steps_.size()) throw InvalidOption("answers", "there are not as many");
  std::vector<std::vector<double>> beliefs(answers);
  std::vector<double> after(chain_->states(), 0.0), before(chain_->states(), 0.0);
  for (std::size_t t = answers; t-- > 0;) {
    const Step& step = steps_[t];
    beliefs[t] = step.filtered;
    if (t + 1 < answers) {
      chain_->backward(after, before);
      double sum = 0;
      for (std::size_t i = 0; i < step.states.size(); ++i)
        sum += beliefs[t][i] = step.filtered[i] * before[step.states[i]];
      for (double& probability : beliefs[t]) probability /= sum;
    }
    std::ranges::fill(after, 0.0);
    for (std::size_t i = 0; i < step.states.size(); ++i)
      after[step.states[i]] = beliefs[t][i] / step.prior[i];
  }
  return beliefs;
}

std::vector<StateId> Inference::most_likely_path() const {
  constexpr auto none = std::numeric_limits<std::uint32_t>::max();
  std::vector<double> score;
  std::vector<std::vector<std::uint32_t>> came_from(steps_.size());  // by place in the step before
  std::vector<std::uint32_t> place(chain_->states(), none);
  for (std::size_t t = 0; t < steps_.size(); ++t) {
    const Step& step = steps_[t];
    std::vector<double> next(step.states.size(), -infinity);
    came_from[t].assign(step.states.size(), none);
    if (t == 0) {
      for (std::size_t i = 0; i < next.size(); ++i) next[i] = std::log(step.prior[i]);
    } else {
      for (std::uint32_t i = 0; i < step.states.size(); ++i) place[step.states[i]] = i;
      const Step& last = steps_[t - 1];
      for (std::uint32_t from = 0; from < last.states.size(); ++from) {
        if (std::isinf(score[from])) continue;
        for (const auto& move : chain_->row(last.states[from])) {
          const std::uint32_t to = place[move.to];
          const double through = score[from] + std::log(move.probability);
          if (to == none || !(through > next[to])) continue;
          next[to] = through;
          came_from[t][to] = from;
        }
      }
      for (const StateId s : step.states) place[s] = none;
    }
    for (std::size_t i = 0; i < next.size(); ++i) next[i] += step.log_likelihood[i];
    score = std::move(next);
  }
  std::vector<StateId> path(steps_.size());
  if (path.empty()) return path;
  auto at = static_cast<std::uint32_t>(std::ranges::max_element(score) - score.begin());
  for (std::size_t t = steps_.size(); t-- > 0;) {
    path[t] = steps_[t].states[at];
    at = came_from[t][at];
  }
  return path;
}

double Inference::leak(std::size_t t, std::span<const double> smoothed) const {
  const Step& step = steps_[t];
  std::vector<double> log_ratio(step.constraint.size());  // ln P(all answers | state), less the same for all
  std::size_t at = 0;
  for (std::size_t i = 0; i < step.constraint.size(); ++i) {
    while (step.states[at] != step.constraint[i]) ++at;
    log_ratio[i] = std::log(smoothed[at]) - std::log(step.unconditional[at]);
  }
  double largest = 0;
  const auto difference = [](double high, double low) { return std::isinf(high) ? 0 : high - low; };
  for (const auto& group : step.policy.groups) {
    double low = infinity, high = -infinity;
    for (const std::uint32_t member : group) {
      low = std::min(low, log_ratio[member]);
      high = std::max(high, log_ratio[member]);
    }
    largest = std::max(largest, difference(high, low));
  }
  for (const auto& [a, b] : step.policy.pairs)
    largest = std::max(
        largest, difference(std::max(log_ratio[a], log_ratio[b]), std::min(log_ratio[a], log_ratio[b])));
  return largest;
}

}  // namespace fogline::stream
