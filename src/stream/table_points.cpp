// SPDX-License-Identifier: Apache-2.0
#include "stream/table_points.hpp"

#include <algorithm>
#include <cmath>

#include "stream/median.hpp"

namespace fogline::stream {

std::vector<double> answer_points(const Situation& situation, std::span<const std::uint32_t> states) {
  const std::size_t dimension = situation.points.dimension;
  std::vector<double> all, weights;
  std::vector<std::vector<double>> distinct;
  for (const std::uint32_t s : states) {
    const auto point = situation.points[s];
    distinct.emplace_back(point.begin(), point.end());
    all.insert(all.end(), point.begin(), point.end());
    weights.push_back(situation.prior[s]);
  }
  if (states.size() > 2) {
    // Weights far below 1 would be lost in the sums of the median.
    const double most = *std::max_element(weights.begin(), weights.end());
    for (double& weight : weights) weight /= most;
    distinct.push_back(geometric_median(all, dimension, weights));
  }
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::vector<double> result;
  for (const auto& point : distinct) result.insert(result.end(), point.begin(), point.end());
  return result;
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

}  // namespace fogline::stream
