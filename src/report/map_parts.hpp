// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "geometry/coordinates.hpp"
#include "report/document.hpp"
#include "roads/network.hpp"

namespace fogline::report {

/// Turns positions into points of a map's plane.
using ToPlane = std::function<geometry::PointXY(const geometry::LonLat&)>;

/// Points in the making: x and y one after the other, as maps hold them.
class PlaneColumn {
 public:
  void add(const geometry::PointXY& point);
  void end_line();  ///< the points since the last one are a line, or a ring
  std::size_t lines() const { return starts_.size() - 1; }
  std::size_t size() const { return numbers_.size() / 2; }

  std::string points(Document& document) const { return document.add(numbers_); }
  std::string starts(Document& document) const { return document.add(starts_); }

  std::array<double, 4> box() const;  ///< of all points, a twentieth wider on each side; 1 m if there is none

 private:
  std::vector<float> numbers_;
  std::vector<std::uint32_t> starts_ = {0};
};

/// A plane laid at the centre of a network.
ToPlane plane_of(const roads::RoadNetwork& network);

/// The roads of a network with their shapes, one line per road in its order.
PlaneColumn road_lines(const roads::RoadNetwork& network, const ToPlane& plane);

/// Roads as the quiet ground of a map.
MapLines ground_of(const PlaneColumn& roads, Document& document);

/// The numbers as the page wants them.
std::vector<float> as_floats(std::span<const double> numbers);

/// Equal bins from low to high and how much falls into each, as a histogram's series; what lies outside is counted at the ends.
PlotBlock::Series histogram(std::string name, std::span<const double> values, double low, double high,
                            std::size_t bins, bool as_share = true);

}  // namespace fogline::report
