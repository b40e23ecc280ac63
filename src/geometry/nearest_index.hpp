// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "geometry/coordinates.hpp"

namespace fogline::geometry {

/// Finds the nearest of many points on a plane: snaps positions to the vertices of a road network.
///
///     NearestIndex index(plane.forward(city.position));
///     NearestIndex::Match match = index.nearest(plane.forward(here));
///     city.vertex_name[match.vertex];   // match.distance_m metres away
///
/// A tie goes to the lowest vertex number, so the answer does not depend on how the tree was built. One
/// object may be used by many threads. Throws InvalidOption for no points, 2^32 - 1 or more, or a coordinate
/// that is not finite or beyond 10^9 m.
/// Cost: a query O(log n), under a microsecond in our benchmark, once the tree is built, O(n log n). Whoever asks for a few points
/// before anybody asked for many waits for no tree: all points are looked at, some 300 microseconds for 264,000.
class NearestIndex {
 public:
  struct Match {
    std::uint32_t vertex = 0;
    double distance_m = 0;
  };

  explicit NearestIndex(std::vector<PointXY> points);
  NearestIndex(NearestIndex&&) noexcept;
  NearestIndex& operator=(NearestIndex&&) noexcept;
  ~NearestIndex();

  std::size_t size() const;
  std::span<const PointXY> points() const;
  Match nearest(const PointXY& point) const;
  std::vector<Match> nearest(std::span<const PointXY> points, const ParallelOptions& options = {}) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fogline::geometry
