// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "geometry/coordinates.hpp"
#include "random/stream.hpp"

namespace fogline::roads::sketch {

/// Plane geometry and noise of the sample city. Everything here uses only +, -, *, / and sqrt, which IEEE 754
/// fixes to the last bit, so that the same seed draws the same city on every machine.
using Point = geometry::PointXY;
using Line = std::vector<Point>;

inline Point operator+(Point a, Point b) {
  return {a.x_m + b.x_m, a.y_m + b.y_m};
}
inline Point operator-(Point a, Point b) {
  return {a.x_m - b.x_m, a.y_m - b.y_m};
}
inline Point operator*(Point a, double s) {
  return {a.x_m * s, a.y_m * s};
}
inline double dot(Point a, Point b) {
  return a.x_m * b.x_m + a.y_m * b.y_m;
}
inline double cross(Point a, Point b) {
  return a.x_m * b.y_m - a.y_m * b.x_m;
}
inline double norm(Point a) {
  return std::sqrt(dot(a, a));
}
inline Point left_of(Point a) {
  return {-a.y_m, a.x_m};
}
Point unit(Point a);  ///< length 1; east if the length is 0

/// Rotation by an angle given as the tangent of its half: rational, so no sine or cosine is needed.
struct Turn {
  double cosine = 1;
  double sine = 0;
  static Turn half_tangent(double t);
  Point operator()(Point p) const;
  Point back(Point p) const;
};

/// Random numbers for drawing, from one stream.
class Dice {
 public:
  explicit Dice(random::Stream stream) : stream_(std::move(stream)) {}
  double in(double low, double high);  ///< uniform in [low, high)
  double around(double centre, double spread) { return in(centre - spread, centre + spread); }
  bool chance(double probability) { return in(0, 1) < probability; }
  std::uint64_t word() { return stream_.next64(); }
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(stream_.below(bound)); }

 private:
  random::Stream stream_;
};

/// Smooth noise over the plane with values in [-1, 1] and features of about the given wavelength.
class Noise {
 public:
  Noise(std::uint64_t seed, double wavelength_m) : seed_(seed), wavelength_m_(wavelength_m) {}
  double operator()(Point p) const;

 private:
  double corner(std::int64_t column, std::int64_t row) const;
  std::uint64_t seed_;
  double wavelength_m_;
};

Line spline(const Line& control, double step_m);      ///< smooth curve through the control points
Line resample(const Line& line, double step_m);       ///< points at even distance, ends kept
Line simplify(const Line& line, double tolerance_m);  ///< Douglas-Peucker, ends kept
double length_m(const Line& line);
double signed_area_m2(const Line& ring);
bool inside(const Line& ring, Point p);

struct Crossing {
  double along_first = 0;  ///< 0 at a, 1 at b
  double along_second = 0;
  Point at;
};
/// Where segment a-b meets segment c-d; nothing for parallel segments.
std::optional<Crossing> crossing(Point a, Point b, Point c, Point d);

}  // namespace fogline::roads::sketch
