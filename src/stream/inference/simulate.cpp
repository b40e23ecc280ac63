// SPDX-License-Identifier: Apache-2.0
#include "stream/inference/simulate.hpp"

#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "random/key.hpp"
#include "stream/inference/median.hpp"

namespace fogline::stream {
namespace {

double even(random::Stream& chance) {
  return static_cast<double>(chance.below(std::uint64_t{1} << 53)) * 0x1p-53;
}

/// Sums over steps; divided by their number at the end.
void add_step(Forecast& sum, const Tracker& tracker, StateId truth, std::span<const double> guess) {
  const StepCertificate& certificate = tracker.certificate();
  const Situation& situation = tracker.situation();
  ++sum.steps;
  sum.error += tracker.expected_distance(tracker.estimate());
  sum.raw_error += tracker.expected_distance(tracker.raw());
  // By the posterior too, whose mean over answers is the model's own figure: what the answers happened to be then falls
  // on the guess and on the estimate alike, and the difference of the two has little noise and is never negative.
  sum.unpaid_error += tracker.expected_distance(guess);
  sum.free_error += tracker.free_distance(tracker.free_estimate());
  sum.dop += static_cast<double>(tracker.degree_of_protection(tracker.place_of(truth)));
  sum.exposed_steps += situation.exposed.empty() ? 0 : 1;
  sum.separated_steps += std::isinf(certificate.any_two_loss) ? 1 : 0;
  sum.states += static_cast<double>(situation.states.size());
  sum.largest_loss = std::max(sum.largest_loss, certificate.joined_loss);
  if (std::isfinite(certificate.any_two_loss)) sum.any_two_loss += certificate.any_two_loss;
}

/// The chain, beginning at the step after a saved one.
mobility::MarkovModel chain_after(const mobility::MarkovModel& chain, const Tracker::Saved& saved) {
  if (saved.states.empty()) return chain;
  std::vector<double> now(chain.states()), next(chain.states());
  for (std::size_t i = 0; i < saved.states.size(); ++i) now[saved.states[i]] = saved.probability[i];
  chain.forward(now, next);
  const double sum = std::accumulate(next.begin(), next.end(), 0.0);
  for (double& probability : next) probability /= sum;
  return chain.starting_from(std::move(next));
}

/// The best guess of each step from the model alone.
std::vector<std::vector<double>> unpaid_guesses(const mobility::MarkovModel& chain, const LatticeQuery& query,
                                                std::size_t steps) {
  std::vector<double> places;
  for (StateId s = 0; s < chain.states(); ++s) {
    const auto place = query.point(query.at(s));
    places.insert(places.end(), place.begin(), place.end());
  }
  std::vector<double> now(chain.initial().begin(), chain.initial().end()), next(now.size());
  std::vector<std::vector<double>> guesses;
  while (guesses.size() < steps) {
    guesses.push_back(geometric_median(places, query.dimension(), now));
    chain.forward(now, next);
    std::swap(now, next);
  }
  return guesses;
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
    throw InvalidOption("walks", "must lie between 1 and 10,000");
  if (options.steps < 1 || options.steps > 100'000)
    throw InvalidOption("walk-steps", "must lie between 1 and 100,000");
  Forecast sum;
  ProgressMeter meter(options.progress, "simulating releases", options.walks * options.steps);
  const random::SeededKey key(options.seed);
  const mobility::MarkovModel chain =
      chain_after(stream.model().chain, options.begin.value_or(Tracker::Saved{}));
  const auto guesses = unpaid_guesses(chain, stream.tracker().query(), options.steps);
  for (std::size_t w = 0; w < options.walks; ++w) {
    random::Stream chance = key.stream("walk", w);
    random::Stream noise = key.stream("noise", w);
    Tracker tracker = stream.tracker();
    if (options.begin) tracker.restore(*options.begin);
    const std::vector<StateId> truths = walk(chain, options.steps, chance);
    for (std::size_t t = 0; t < truths.size(); ++t) {
      tracker.prepare();
      tracker.observe(tracker.draw(truths[t], noise));
      add_step(sum, tracker, truths[t], guesses[t]);
      meter.advance();
    }
  }
  meter.finish();
  const auto steps = static_cast<double>(sum.steps);
  const double finite = steps - sum.separated_steps;
  sum.any_two_loss = finite > 0 ? sum.any_two_loss / finite : 0;
  for (double* mean : {&sum.error, &sum.raw_error, &sum.free_error, &sum.unpaid_error, &sum.dop,
                       &sum.exposed_steps, &sum.separated_steps, &sum.states})
    *mean /= steps;
  return sum;
}

}  // namespace fogline::stream
