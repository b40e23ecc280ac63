// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "random/stream.hpp"

namespace fogline::audit {

/// A point or a difference of points in the plane; no unit, because the mechanism does not change when the plane is scaled.
struct PlanePoint {
  double x = 0, y = 0;
  friend bool operator==(const PlanePoint&, const PlanePoint&) = default;
};

/// A convex polygon that is its own mirror image in the origin, and the norm whose unit ball it is.
///
///     ConvexBody body = ConvexBody::sensitivity_hull(places);   // of all differences of two places
///     body.norm({4, 0.5});                                       // 1 on the boundary
///
/// A few vertices, looked at one by one.
class ConvexBody {
 public:
  struct Face {
    PlanePoint from, to;  ///< counter-clockwise
    double length = 0;
    double height = 0;  ///< distance of the face's line from the origin
  };

  /// Throws InvalidOption if the places are not finite, or all on one line.
  static ConvexBody sensitivity_hull(std::span<const PlanePoint> places);
  /// Of a polygon that is its own mirror image, given counter-clockwise.
  static ConvexBody from_corners(std::span<const PlanePoint> corners);

  double norm(const PlanePoint& v) const;
  const Face& face(const PlanePoint& v) const;  ///< the one that the ray from the origin through v leaves by

  const std::vector<Face>& faces() const { return faces_; }
  double area() const { return area_; }
  double boundary() const { return boundary_; }
  double largest_sum() const;  ///< the largest |x| + |y| in the body

  PlanePoint draw_inside(random::Stream& stream) const;       ///< uniform in the body
  PlanePoint draw_on_boundary(random::Stream& stream) const;  ///< uniform on the boundary, by length

 private:
  explicit ConvexBody(std::vector<Face> faces);

  std::vector<Face> faces_;
  double area_ = 0, boundary_ = 0;
};

/// K-norm noise on one place of a set: right, and in two ways in which it is found implemented.
///
///     PublishedKNorm right({.places = corners, .epsilon = 0.5});
///     PlanePoint answer = right.release(corners[0], stream);
///
/// Guarantee   cone_measure with the full radius: epsilon times the K-norm of the difference, hence epsilon for two places of the set; answers
///             rounded to 2^-20, floating-point noise. None for the others: boundary_length adds ln(largest / least height of a face) to the loss, one_short
///             loses without bound near the true place. largest_loss() says it.
/// Source      Xiao, Shen, Liu, Xiong, Jin, Xu: DPHMM, Definition 3.3 and 5.1, after Hardt and Talwar 2010: density exp(-epsilon ||z - x||).
/// Utility     mean K-norm of the noise 2 / epsilon.
/// Cost        under a microsecond and no allocation per release.
/// Parameters  epsilon above 0, at most 1,000; places that do not lie on one line.
///
/// Safe to call from several threads.
class PublishedKNorm {
 public:
  enum class Direction {
    cone_measure,    ///< of a uniform point of the body: a face as often as its cone has area
    boundary_length  ///< of a uniform point of the boundary: a face as often as it is long
  };
  enum class Radius {
    full,  ///< K-norm of the noise Gamma(2) in the plane: Gamma(3) times a point of the body, or Gamma(2) times one of the boundary
    one_short  ///< Gamma(2) times a point of the body
  };
  struct Options {
    std::vector<PlanePoint> places = {};  ///< public; any two must look alike
    double epsilon = 0;                   ///< above 0, at most 1,000; no default
    Direction direction = Direction::cone_measure;
    Radius radius = Radius::full;  ///< one_short only with cone_measure
  };
  explicit PublishedKNorm(const Options& options);  ///< throws InvalidOption

  PlanePoint release(const PlanePoint& place, random::Stream& stream) const;
  double log_density(const PlanePoint& answer, const PlanePoint& place) const;

  /// The largest log-ratio of densities between two places of the set, least upper bound; may be infinite.
  double largest_loss() const;
  const ConvexBody& body() const { return body_; }

 private:
  PlanePoint noise(random::Stream& stream) const;

  Options options_;
  ConvexBody body_;
};

}  // namespace fogline::audit
