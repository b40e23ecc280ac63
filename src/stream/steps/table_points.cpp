// SPDX-License-Identifier: Apache-2.0
#include "stream/steps/table_points.hpp"

#include <algorithm>
#include <cmath>

#include "stream/inference/median.hpp"

namespace fogline::stream {

std::vector<double> free_centre(const Situation& situation, std::span<const std::uint32_t> states) {
  std::vector<double> points, weights;
  for (const std::uint32_t s : states) {
    const auto point = situation.points[s];
    points.insert(points.end(), point.begin(), point.end());
    weights.push_back(situation.prior[s]);
  }
  if (states.size() == 1) return points;
  // Weights far below 1 would be lost in the sums of the median.
  const double most = *std::max_element(weights.begin(), weights.end());
  for (double& weight : weights) weight /= most;
  return geometric_median(points, situation.points.dimension, weights);
}

std::vector<double> answer_points(const Situation& situation, std::span<const std::uint32_t> states) {
  std::vector<std::vector<double>> distinct;
  for (const std::uint32_t s : states) {
    const auto point = situation.points[s];
    distinct.emplace_back(point.begin(), point.end());
  }
  // Of two states, one is a centre.
  if (states.size() > 2) distinct.push_back(free_centre(situation, states));
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::vector<double> result;
  for (const auto& point : distinct) result.insert(result.end(), point.begin(), point.end());
  return result;
}

double mass_of(const Situation& situation, std::span<const std::uint32_t> states) {
  double mass = 0;
  for (const std::uint32_t s : states) mass += situation.prior[s];
  return mass;
}

double distance_to(const Situation& situation, std::uint32_t state, std::span<const double> answer) {
  double squares = 0;
  const auto point = situation.points[state];
  for (std::size_t d = 0; d < answer.size(); ++d) {
    const double apart = static_cast<double>(point[d]) - answer[d];
    squares += apart * apart;
  }
  return std::sqrt(squares);
}

double mean_distance_to(const Situation& situation, std::span<const std::uint32_t> states,
                        std::span<const double> answer) {
  const double mass = mass_of(situation, states);
  double mean = 0;
  for (const std::uint32_t s : states) mean += situation.prior[s] / mass * distance_to(situation, s, answer);
  return mean;
}

}  // namespace fogline::stream
