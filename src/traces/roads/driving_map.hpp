// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "geometry/nearest_index.hpp"
#include "roads/network.hpp"
#include "traces/frame/frame.hpp"
#include "traces/rules/constraints.hpp"

namespace fogline::traces {

/// The lines of a network's roads in the plane of a frame: road r has the points first[r] to first[r + 1] - 1, from its tail to its head.
struct PlaneRoads {
  std::vector<std::uint32_t> first;
  std::vector<geometry::PointXY> point;
  std::span<const geometry::PointXY> road(std::size_t r) const {
    return std::span(point).subspan(first[r], first[r + 1] - first[r]);
  }
};
/// Throws InvalidOption if the frame is in metres: networks lie on the Earth.
PlaneRoads plane_roads(const roads::RoadNetwork& network, const Frame& frame,
                       const ParallelOptions& parallel);

/// Where cars may drive within a frame: the roads that lie wholly in it and obey constraints, in driving direction, and of these the largest part in which every junction
/// can be reached from every other.
///
///     DrivingMap map(porto, frame, {.constraints = &rules});
///     std::uint32_t start = map.nearest(p), goal = map.nearest(q);
///     DrivingRouter router(map);                              // one per thread
///     std::vector<std::uint32_t> arcs = router.route(start, goal);
///
/// Roads are drawn with fewer points, nowhere more than half a metre off. Roads that enter what is always closed or out of bounds are left out, and directions against a one-way rule.
/// Throws DataError if no such part with two junctions is left. Cost: about half a second for a city of 58,000 junctions.
class DrivingMap {
 public:
  struct Options {
    const Constraints* constraints = nullptr;  ///< or none; not kept
    ParallelOptions parallel = {};
  };
  DrivingMap(const roads::RoadNetwork& network, const Frame& frame, const Options& options);

  struct Arc {
    std::uint32_t tail = 0, head = 0;
    std::uint32_t road = 0;
    bool forward = true;
    float length_m = 0;
    float cost_m =
        0;  ///< length, more for roads that people drive less willingly; never less than the straight distance
    float time_s = 0;  ///< when the road is empty
  };
  std::size_t vertex_count() const { return position_.size(); }
  std::size_t arc_count() const { return arcs_.size(); }
  const geometry::PointXY& position(std::uint32_t vertex) const { return position_[vertex]; }
  std::uint32_t nearest(const geometry::PointXY& p) const { return index_->nearest(p).vertex; }
  const Arc& arc(std::uint32_t i) const { return arcs_[i]; }
  std::pair<std::uint32_t, std::uint32_t> exits(std::uint32_t vertex) const {
    return {first_[vertex], first_[vertex + 1]};
  }
  /// The points of an arc behind its tail, the last one its head.
  void append_points(std::uint32_t arc, std::vector<geometry::PointXY>& points) const;

 private:
  void keep_largest(std::vector<Arc> arcs, std::size_t vertices, const std::string& source);

  PlaneRoads roads_;  ///< with few points
  std::vector<geometry::PointXY> position_;
  std::vector<std::uint32_t> first_;
  std::vector<Arc> arcs_;
  std::unique_ptr<geometry::NearestIndex> index_;
};

/// Shortest ways on a map, side streets counted as somewhat longer than they are; a search that heads for its goal (A*).
class DrivingRouter {
 public:
  explicit DrivingRouter(const DrivingMap& map) : map_(&map), labels_(map.vertex_count()) {}
  std::vector<std::uint32_t> route(std::uint32_t start, std::uint32_t goal);  ///< arcs; none if start is goal

 private:
  struct Label {
    double cost_m = 0;
    std::uint32_t search = 0;  ///< the label counts only in the search it was set in
    std::uint32_t by = 0;      ///< arc
  };
  const DrivingMap* map_;
  std::vector<Label> labels_;
  std::uint32_t search_ = 0;
};

/// The points of a line without which it would stray no more than tolerance_m: indices, first and last included.
std::vector<std::uint32_t> points_to_keep(std::span<const geometry::PointXY> line, double tolerance_m);

}  // namespace fogline::traces
