// SPDX-License-Identifier: Apache-2.0
#include "stream/simulate.hpp"

#include <cmath>

#include "base/error.hpp"
#include "random/key.hpp"

namespace fogline::stream {
namespace {

double even(random::Stream& chance) {
  return static_cast<double>(chance.below(std::uint64_t{1} << 53)) * 0x1p-53;
}

/// Sums over steps; divided by their number at the end.
void add_step(Forecast& sum, const Tracker& tracker, StateId truth) {
  const StepCertificate& certificate = tracker.certificate();
  const Situation& situation = tracker.situation();
  ++sum.steps;
  sum.error += tracker.expected_distance(tracker.estimate());
  sum.raw_error += tracker.expected_distance(tracker.raw());
  sum.free_error += tracker.free_distance(tracker.free_estimate());
  sum.dop += static_cast<double>(tracker.degree_of_protection(tracker.place_of(truth)));
  sum.exposed_steps += situation.exposed.empty() ? 0 : 1;
  sum.separated_steps += std::isinf(certificate.any_two_loss) ? 1 : 0;
  sum.states += static_cast<double>(situation.states.size());
  sum.largest_loss = std::max(sum.largest_loss, certificate.joined_loss);
  if (std::isfinite(certificate.any_two_loss)) sum.any_two_loss += certificate.any_two_loss;
}

}  // namespace

std::vector<StateId> walk(const mobility::MarkovModel& chain, std::size_t steps, random::Stream& chance) {
  std::vector<StateId> states;
  double left = even(chance);
  StateId at = 0;
  for (StateId s = 0; s < chain.states(); ++s) {
    if (chain.initial()[s] == 0) continue;
    at = s;
    left -= chain.initial()[s];
    if (left < 0) break;
  }
  while (states.size() < steps) {
    states.push_back(at);
    left = even(chance);
    for (const auto& transition : chain.row(states.back())) {
      at = transition.to;
      left -= transition.probability;
      if (left < 0) break;
    }
  }
  return states;
}

Forecast forecast(const PublicStream& stream, const ForecastOptions& options) {
  if (options.walks < 1 || options.walks > 10'000)
    throw InvalidOption("--walks", "must lie between 1 and 10,000");
  if (options.steps < 1 || options.steps > 100'000)
    throw InvalidOption("--steps", "must lie between 1 and 100,000");
  Forecast sum;
  ProgressMeter meter(options.progress, "simulating releases", options.walks * options.steps);
  const random::SeededKey key(options.seed);
  for (std::size_t w = 0; w < options.walks; ++w) {
    random::Stream chance = key.stream("walk", w);
    random::Stream noise = key.stream("noise", w);
    Tracker tracker = stream.tracker();
    for (const StateId truth : walk(stream.model().chain, options.steps, chance)) {
      const StepMechanism& mechanism = tracker.prepare();
      tracker.observe(mechanism.draw(tracker.place_of(truth), noise));
      add_step(sum, tracker, truth);
      meter.advance();
    }
  }
  meter.finish();
  const auto steps = static_cast<double>(sum.steps);
  const double finite = steps - sum.separated_steps;
  sum.any_two_loss = finite > 0 ? sum.any_two_loss / finite : 0;
  for (double* mean : {&sum.error, &sum.raw_error, &sum.free_error, &sum.dop, &sum.exposed_steps,
                       &sum.separated_steps, &sum.states})
    *mean /= steps;
  return sum;
}

}  // namespace fogline::stream
