// SPDX-License-Identifier: Apache-2.0
#include "stream/paper/location_sets.hpp"

#include <algorithm>
#include <cmath>

#include "random/key.hpp"
#include "stream/inference/median.hpp"
#include "stream/steps/k_norm.hpp"
#include "stream/steps/optimal.hpp"
#include "stream/tracker.hpp"

namespace fogline::stream {
namespace {

struct PlanePoints {
  std::vector<double> values = {};
  std::size_t dimension = 0;
};

PlanePoints points_of(const Situation& set) {
  return {{set.points.coordinates.begin(), set.points.coordinates.end()}, set.points.dimension};
}

/// Prior times likelihood, scaled so that the largest is about 1; returns what it was scaled by.
double weigh(const Situation& set, std::span<double> log_weights) {
  const double most = *std::max_element(log_weights.begin(), log_weights.end());
  for (std::size_t s = 0; s < log_weights.size(); ++s)
    log_weights[s] = set.prior[s] * std::exp(log_weights[s] - most);
  return std::exp(most);
}

double least_distance(const PlanePoints& points, std::span<const double> weights) {
  const auto centre = geometric_median(points.values, points.dimension, weights);
  return mean_distance(points.values, points.dimension, weights, centre);
}

/// A state drawn from the prior. Floating point decides it; it is no release.
std::uint32_t drawn_state(const Situation& set, random::Stream& chance) {
  double left = static_cast<double>(chance.next64() >> 11) * 0x1p-53;
  for (std::uint32_t s = 0; s + 1 < set.prior.size(); ++s) {
    left -= set.prior[s];
    if (left < 0) return s;
  }
  return static_cast<std::uint32_t>(set.prior.size() - 1);
}

void add_k_norm(const Situation& set, const Rational& epsilon, const SetErrorOptions& options,
                const PlanePoints& points, SetErrors& errors) {
  const auto mechanism = make_k_norm(set, epsilon);
  random::Stream chance = random::SeededKey(options.seed).stream("states");
  random::Stream noise = random::SeededKey(options.seed).stream("noise");
  std::vector<double> weights(set.states.size());
  for (std::size_t i = 0; i < options.draws; ++i) {
    const std::uint32_t truth = drawn_state(set, chance);
    const Answer answer = mechanism->draw(truth, noise);
    const auto raw = mechanism->raw_point(answer);
    const auto at = std::span(points.values).subspan(truth * points.dimension, points.dimension);
    errors.raw += mean_distance(raw, points.dimension, std::vector<double>{1}, at);
    mechanism->log_weights(answer, weights);
    weigh(set, weights);
    errors.bayes += least_distance(points, weights);
  }
  errors.raw /= static_cast<double>(options.draws);
  errors.bayes /= static_cast<double>(options.draws);
}

/// Over all answers of a table, each as often as it comes.
double estimate_error(const TableStep& table, const Situation& set, const PlanePoints& points) {
  double sum = 0;
  std::vector<double> weights(set.states.size());
  for (std::size_t o = 0; o < table.outputs(); ++o) {
    table.log_weights({static_cast<std::int64_t>(o)}, weights);
    const double scale = weigh(set, weights);
    double mass = 0;
    for (const double weight : weights) mass += weight;
    sum += scale * mass * least_distance(points, weights);
  }
  return sum;
}

}  // namespace

std::vector<Situation> real_location_sets(const ExperimentStream& stream, const LocationSetOptions& options) {
  const PolicyGraph complete = PolicyGraph::complete(stream.model.chain.states());
  std::vector<Situation> all;
  for (std::size_t q = 0; q < stream.sequences.size(); ++q) {
    Tracker tracker(stream.model, complete,
                    {.epsilon = options.epsilon, .mechanism = MechanismKind::k_norm, .delta = options.delta});
    const auto& sequence = stream.sequences[q];
    tracker.restore({.step = 1, .states = {sequence.front()}, .probability = {1.0}});
    random::Stream noise = random::SeededKey(options.seed).stream("location set", q);
    for (std::size_t i = 1; i < sequence.size(); ++i) {
      tracker.prepare();
      const std::size_t states = tracker.situation().states.size();
      if (states > options.most) break;  // it will hardly get smaller
      if (states >= options.least) all.push_back(tracker.situation());
      tracker.observe(tracker.draw(sequence[i], noise));
    }
  }
  const std::size_t count = std::min(options.sets, all.size());
  std::vector<Situation> chosen;
  for (std::size_t k = 0; k < count; ++k) chosen.push_back(std::move(all[k * all.size() / count]));
  return chosen;
}

SetErrors errors_on(const Situation& set, const Rational& epsilon, const SetErrorOptions& options) {
  const PlanePoints points = points_of(set);
  SetErrors errors{.free = least_distance(points, set.prior)};
  add_k_norm(set, epsilon, options, points, errors);
  const double before = options.seconds ? options.seconds() : 0;
  const auto table = make_optimal(set, epsilon);
  errors.seconds = options.seconds ? options.seconds() - before : 0;
  errors.kept = table->certify().kept;
  errors.optimal = table->expected_error();
  errors.lower_bound = table->lower_bound();
  errors.estimate = estimate_error(*table, set, points);
  return errors;
}

}  // namespace fogline::stream
