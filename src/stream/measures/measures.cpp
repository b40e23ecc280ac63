// SPDX-License-Identifier: Apache-2.0
#include "stream/measures/measures.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"

namespace fogline::stream {
namespace {

double distance_between(std::span<const double> a, std::span<const double> b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(squares);
}

void observe(Tracker& tracker, const ReleasedFormat::Row& row, std::size_t number) {
  try {
    tracker.prepare();
    if (tracker.step() != row.step)
      throw InvalidOption("step", fmt::format("is not step {}", tracker.step()));
    tracker.observe(row.draw);
  } catch (const InvalidOption& error) {
    throw DataError({"released file", 0, number}, error.what(), "give the release of this stream");
  }
}

}  // namespace

std::vector<MeasuredStep> measure(Tracker tracker, std::span<const StateId> truth,
                                  std::span<const ReleasedFormat::Row> rows) {
  if (truth.size() != rows.size())
    throw InvalidOption("released file",
                        fmt::format("has {} steps of a sequence of {}", rows.size(), truth.size()));
  std::vector<MeasuredStep> steps;
  for (std::size_t t = 0; t < rows.size(); ++t) {
    observe(tracker, rows[t], t + 1);
    const Situation& situation = tracker.situation();
    const auto answer = tracker.query().point(tracker.query().at(truth[t]));
    const std::uint32_t place = tracker.place_of(truth[t]);
    steps.push_back({.error = distance_between(rows[t].value, answer),
                     .raw_error = distance_between(tracker.raw(), answer),
                     .free_error = distance_between(tracker.free_estimate(), answer),
                     .dop = tracker.degree_of_protection(place),
                     .states = static_cast<std::uint32_t>(situation.states.size()),
                     .exposed = !situation.exposed.empty(),
                     .truth_exposed = std::ranges::find(situation.exposed, place) != situation.exposed.end(),
                     .drift = tracker.is_drift(truth[t])});
  }
  return steps;
}

StreamMeasures summarise(std::span<const MeasuredStep> steps) {
  StreamMeasures sum{.steps = steps.size()};
  if (steps.empty()) return sum;
  for (const MeasuredStep& step : steps) {
    sum.error += step.error;
    sum.raw_error += step.raw_error;
    sum.free_error += step.free_error;
    sum.root_mean_square_error += step.error * step.error;
    sum.dop += step.dop;
    sum.states += step.states;
    sum.exposed_steps += step.exposed ? 1U : 0U;
    sum.truth_exposed_steps += step.truth_exposed ? 1U : 0U;
    sum.drift_steps += step.drift ? 1U : 0U;
  }
  const auto count = static_cast<double>(steps.size());
  for (double* mean :
       {&sum.error, &sum.raw_error, &sum.free_error, &sum.root_mean_square_error, &sum.dop, &sum.states})
    *mean /= count;
  sum.root_mean_square_error = std::sqrt(sum.root_mean_square_error);
  sum.relative_error = sum.free_error > 0 ? sum.error / sum.free_error : sum.error > 0 ? INFINITY : 1;
  return sum;
}

}  // namespace fogline::stream
