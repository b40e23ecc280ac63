// SPDX-License-Identifier: Apache-2.0
#include "report/map_parts.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "geometry/bounding_box.hpp"
#include "geometry/projection.hpp"

namespace fogline::report {

void PlaneColumn::add(const geometry::PointXY& point) {
  numbers_.push_back(static_cast<float>(point.x_m));
  numbers_.push_back(static_cast<float>(point.y_m));
}

void PlaneColumn::end_line() {
  starts_.push_back(static_cast<std::uint32_t>(size()));
}

std::array<double, 4> PlaneColumn::box() const {
  if (numbers_.empty()) return {0, 0, 1, 1};
  std::array<double, 4> box{numbers_[0], numbers_[1], numbers_[0], numbers_[1]};
  for (std::size_t i = 0; i < numbers_.size(); i += 2) {
    box[0] = std::min(box[0], static_cast<double>(numbers_[i]));
    box[1] = std::min(box[1], static_cast<double>(numbers_[i + 1]));
    box[2] = std::max(box[2], static_cast<double>(numbers_[i]));
    box[3] = std::max(box[3], static_cast<double>(numbers_[i + 1]));
  }
  const double margin = std::max({1.0, box[2] - box[0], box[3] - box[1]}) / 20;
  return {box[0] - margin, box[1] - margin, box[2] + margin, box[3] + margin};
}

ToPlane plane_of(const roads::RoadNetwork& network) {
  const auto projection =
      std::make_shared<const geometry::LocalProjection>(geometry::bounding_box(network.position).centre());
  return [projection](const geometry::LonLat& position) { return projection->forward(position); };
}

PlaneColumn road_lines(const roads::RoadNetwork& network, const ToPlane& plane) {
  PlaneColumn lines;
  for (const roads::Road& road : network.roads) {
    lines.add(plane(network.position[road.tail]));
    for (const geometry::LonLat& position : road.shape) lines.add(plane(position));
    lines.add(plane(network.position[road.head]));
    lines.end_line();
  }
  return lines;
}

MapLines ground_of(const PlaneColumn& roads, Document& document) {
  return {.name = "",
          .colour = MapColour::ground(),
          .points = roads.points(document),
          .starts = roads.starts(document),
          .width = 1};
}

std::vector<float> as_floats(std::span<const double> numbers) {
  std::vector<float> result(numbers.size());
  std::ranges::transform(numbers, result.begin(), [](double number) { return static_cast<float>(number); });
  return result;
}

PlotBlock::Series histogram(std::string name, std::span<const double> values, double low, double high,
                            std::size_t bins, bool as_share) {
  PlotBlock::Series series{.name = std::move(name)};
  if (!(high > low)) high = low + 1;
  const double width = (high - low) / static_cast<double>(bins);
  std::vector<double> count(bins);
  for (const double value : values) {
    const double place = std::clamp((value - low) / width, 0.0, static_cast<double>(bins) - 1);
    count[static_cast<std::size_t>(place)] += 1;
  }
  for (std::size_t bin = 0; bin < bins; ++bin) {
    series.x.push_back(low + width * static_cast<double>(bin));
    series.x2.push_back(low + width * static_cast<double>(bin + 1));
    series.y.push_back(as_share && !values.empty() ? count[bin] / static_cast<double>(values.size())
                                                   : count[bin]);
  }
  return series;
}

}  // namespace fogline::report
