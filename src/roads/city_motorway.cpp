// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "roads/city_plan.hpp"

namespace fogline::roads::sketch {

void Plan::lay_motorway(Dice& dice) {
  const double s = motorway_side_;
  const double at = s * dice.in(2480, 2680);
  motorway_ = draw({{at - s * 1500, 6000},
                    {at - s * 760, 3900},
                    {at - s * 150, 2300},
                    {at, 900},
                    {at, 0},
                    {at - s * 60, -900},
                    {at - s * 330, -2200},
                    {at - s * 900, -3700},
                    {at - s * 1500, -6000}},
                   0);
}

void Plan::lay_interchanges() {
  constexpr std::size_t least_gap = 75;
  for (std::size_t i = 40; i + 40 < motorway_.size(); ++i) {
    if (!interchange_index_.empty() && i < interchange_index_.back() + least_gap) continue;
    for (const Stroke& road : main_roads_) {
      for (std::size_t k = 12; k + 13 < road.line.size(); ++k) {
        const auto hit = crossing(motorway_[i], motorway_[i + 1], road.line[k], road.line[k + 1]);
        if (!hit || (!interchange_index_.empty() && interchange_index_.back() == i)) continue;
        const Point left = left_of(motorway_[i + 1] - motorway_[i]);
        const bool ahead_is_left = dot(left, road.line[k + 1] - road.line[k]) > 0;
        const Point ahead = road.line[k + 12];
        const Point behind = road.line[k - 11];
        interchange_index_.push_back(i);
        interchanges_.push_back(hit->at);
        ramp_heads_.emplace_back(ahead_is_left ? ahead : behind, ahead_is_left ? behind : ahead);
      }
    }
  }
}

std::vector<Stroke> Plan::carriageways_and_ramps() const {
  constexpr double off_middle_m = 15;
  constexpr std::size_t ramp = 28;  // points of the motorway from the crossing to the end of a ramp
  const auto beside = [&](std::size_t i, double side) {
    const std::size_t before = i > 0 ? i - 1 : 0;
    const Point along = unit(motorway_[std::min(i + 1, motorway_.size() - 1)] - motorway_[before]);
    return motorway_[i] + left_of(along) * (off_middle_m * side);
  };
  std::vector<Stroke> strokes;
  for (const double side : {1.0, -1.0}) {
    Stroke carriageway{{}, RoadClass::motorway, true, true, {}};
    for (std::size_t i = 0; i < motorway_.size(); ++i) carriageway.line.push_back(beside(i, side));
    for (std::size_t k = 0; k < interchanges_.size(); ++k) {
      const Point head = side > 0 ? ramp_heads_[k].first : ramp_heads_[k].second;
      for (const bool further : {false, true}) {
        const std::size_t i = interchange_index_[k];
        const std::size_t end = further ? i + ramp : i - ramp;
        const std::size_t bow = further ? i + ramp / 2 : i - ramp / 2;
        const Point overshoot = head + unit(head - beside(bow, side * 3.2)) * 1.0;
        Line line = resample(spline({beside(end, side), beside(bow, side * 3.4), overshoot}, line_step_m),
                             line_step_m);
        // Traffic keeps right: the left carriageway runs against the middle line, the right one with it.
        const bool leaves_motorway = (side > 0) == further;
        if (!leaves_motorway) std::reverse(line.begin(), line.end());
        strokes.push_back({std::move(line), RoadClass::motorway, true, false, {}});
        carriageway.joins.push_back(end);
      }
    }
    if (side > 0) {
      std::reverse(carriageway.line.begin(), carriageway.line.end());
      for (std::size_t& join : carriageway.joins) join = motorway_.size() - 1 - join;
    }
    strokes.push_back(std::move(carriageway));
  }
  return strokes;
}

}  // namespace fogline::roads::sketch
