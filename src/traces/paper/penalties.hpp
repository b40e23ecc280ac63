// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "geometry/coordinates.hpp"
#include "traces/paper/trip_vectors.hpp"

namespace fogline::traces {

/// A disc without its rim.
struct ClosedDisc {
  geometry::PointXY centre = {};
  double radius_m = 0;  ///< above 0
};

/// A ring of three corners or more, the last joined to the first; inside is what a ray leaves an odd number of times.
using Ring = std::vector<geometry::PointXY>;

/// The shortest way out of where one must not be.
struct WayOut {
  double depth_m = 0;   ///< how far; 0: nothing is wrong
  double x = 0, y = 0;  ///< its direction, of length 1
};

/// An area where no point may lie, and what a metre inside costs.
struct ClosedArea {
  std::variant<ClosedDisc, Ring> shape = {};
  double factor = 1;  ///< the paper's mu; above 0
};

/// A box that no point may leave.
struct BoxBounds {
  double west_m = 0, south_m = 0, east_m = 0, north_m = 0;
  double factor = 1;  ///< above 0
};

WayOut way_out(const ClosedDisc& disc, const geometry::PointXY& point);
WayOut way_out(const Ring& ring, const geometry::PointXY& point);
WayOut way_out(const ClosedArea& area, const geometry::PointXY& point);
WayOut way_out(const BoxBounds& box, const geometry::PointXY& point);  ///< that is, the way back in

/// The penalty terms of equation (13): for each point and each area factor * ReLU(depth), added to what is descended.
///
///     Penalties rules({ClosedArea{ClosedDisc{{0, 0}, 2}, 0.3}}, BoxBounds{-10, -10, 10, 10, 5});
///     rules.step(trips, 0.1);                        // points in the disc come out by at most 0.03 each
///     rules.violations(trips);                       // points that are still where they must not be
///
/// Throws InvalidOption for a radius or factor not above 0, a ring of fewer than three corners, an empty box, or numbers that are not finite.
/// Cost: points times areas; a ring costs its corners.
class Penalties {
 public:
  Penalties() = default;
  Penalties(std::vector<ClosedArea> closed, std::optional<BoxBounds> bounds);

  bool none() const { return closed_.empty() && !bounds_; }
  void multiply(double by);  ///< all factors

  /// The gradient of the terms by each number of each trip, added to `gradient`.
  void add_gradient(const TripVectors& trips, Vectors& gradient) const;

  /// A step of descent by the terms alone. Their slope is the same however little is left, so a plain step would leap far over the border: it ends just behind it.
  void step(TripVectors& trips, double learning_rate) const;

  std::uint64_t violations(const TripVectors& trips) const;
  std::uint64_t violations(const TripSet& trips) const;

 private:
  template <class Use>
  void for_each_way(const geometry::PointXY& point, const Use& use) const;
  double move_out(TripVectors& trips, Eigen::Index trip, Eigen::Index column, double learning_rate) const;

  std::vector<ClosedArea> closed_;
  std::optional<BoxBounds> bounds_;
};

}  // namespace fogline::traces
