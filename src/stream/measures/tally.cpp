// SPDX-License-Identifier: Apache-2.0
#include "stream/measures/tally.hpp"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

namespace fogline::stream {

void Tally::end_sequence() {
  longest_ = std::max(longest_, current_);
  largest_any_two_ = std::max(largest_any_two_, current_any_two_);
}

void Tally::begin_sequence() {
  end_sequence();
  ++sequences_;
  current_ = 0;
  current_any_two_ = 0;
}

void Tally::add(const Tracker& tracker, std::span<const double> released) {
  const Situation& situation = tracker.situation();
  const StepCertificate& certificate = tracker.certificate();
  const std::size_t states = situation.states.size();
  ++steps_;
  ++current_;
  states_ += states;
  fewest_ = steps_ == 1 ? states : std::min<std::uint64_t>(fewest_, states);
  most_ = std::max<std::uint64_t>(most_, states);
  ++mechanisms_[std::string(tracker.mechanism().name())];
  largest_joined_ = std::max(largest_joined_, certificate.joined_loss);
  if (states == 1) ++known_steps_;
  if (!situation.exposed.empty()) ++exposed_steps_;
  repairs_ += situation.repairs.size();
  // A step that tells two states apart has no finite loss: it is counted, and the sum is over the others.
  if (std::isinf(certificate.any_two_loss)) {
    ++separated_steps_;
  } else {
    current_any_two_ += certificate.any_two_loss;
  }
  expected_error_ += tracker.expected_distance(released);
  free_error_ += tracker.free_distance(tracker.free_estimate());
}

void Tally::merge(const Tally& other) {
  Tally ended = other;
  ended.end_sequence();
  end_sequence();
  fewest_ = steps_ == 0 ? ended.fewest_ : ended.steps_ == 0 ? fewest_ : std::min(fewest_, ended.fewest_);
  most_ = std::max(most_, ended.most_);
  longest_ = std::max(longest_, ended.longest_);
  largest_any_two_ = std::max(largest_any_two_, ended.largest_any_two_);
  largest_joined_ = std::max(largest_joined_, ended.largest_joined_);
  sequences_ += ended.sequences_;
  steps_ += ended.steps_;
  exposed_steps_ += ended.exposed_steps_;
  separated_steps_ += ended.separated_steps_;
  known_steps_ += ended.known_steps_;
  repairs_ += ended.repairs_;
  expected_error_ += ended.expected_error_;
  free_error_ += ended.free_error_;
  states_ += ended.states_;
  for (const auto& [name, count] : ended.mechanisms_) mechanisms_[name] += count;
}

nlohmann::ordered_json Tally::outcome(const StreamTerms& terms) const {
  Tally ended = *this;
  ended.end_sequence();
  const double steps = std::max(1.0, static_cast<double>(steps_));
  return {{"sequences", sequences_},
          {"steps", steps_},
          {"longest_sequence", ended.longest_},
          {"epsilon_of_joined_sequences",
           (terms.epsilon.value() * std::max<std::uint64_t>(1, ended.longest_)).to_string()},
          {"largest_step_loss", largest_joined_},
          {"epsilon_of_any_two_sequences",
           separated_steps_ == 0 ? nlohmann::ordered_json(ended.largest_any_two_) : nlohmann::ordered_json()},
          {"separated_steps", separated_steps_},
          {"exposed_steps", exposed_steps_},
          {"added_pairs", repairs_},
          {"steps_with_one_possible_state", known_steps_},
          {"possible_states",
           {{"fewest", fewest_}, {"mean", static_cast<double>(states_) / steps}, {"most", most_}}},
          {"mechanisms", mechanisms_},
          {"expected_error", expected_error_ / steps},
          {"free_baseline_error", free_error_ / steps}};
}

}  // namespace fogline::stream
