// SPDX-License-Identifier: Apache-2.0
#include "roads/city_plane.hpp"

#include <algorithm>

namespace fogline::roads::sketch {

Point unit(Point a) {
  const double size = norm(a);
  return size > 0 ? a * (1 / size) : Point{1, 0};
}

Turn Turn::half_tangent(double t) {
  const double square = t * t;
  return {(1 - square) / (1 + square), 2 * t / (1 + square)};
}

Point Turn::operator()(Point p) const {
  return {cosine * p.x_m - sine * p.y_m, sine * p.x_m + cosine * p.y_m};
}

Point Turn::back(Point p) const {
  return {cosine * p.x_m + sine * p.y_m, cosine * p.y_m - sine * p.x_m};
}

double Dice::in(double low, double high) {
  return low + (high - low) * (static_cast<double>(stream_.next64() >> 11) * 0x1p-53);
}

double Noise::corner(std::int64_t column, std::int64_t row) const {
  // The finaliser of splitmix64 on a mix of the seed and the corner's address.
  std::uint64_t h = seed_ + static_cast<std::uint64_t>(column) * 0x9E3779B97F4A7C15u +
                    static_cast<std::uint64_t>(row) * 0xC2B2AE3D27D4EB4Fu;
  h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9u;
  h = (h ^ (h >> 27)) * 0x94D049BB133111EBu;
  h ^= h >> 31;
  return static_cast<double>(h >> 11) * 0x1p-52 - 1;
}

double Noise::operator()(Point p) const {
  const double x = p.x_m / wavelength_m_;
  const double y = p.y_m / wavelength_m_;
  const double left = std::floor(x);
  const double low = std::floor(y);
  const auto column = static_cast<std::int64_t>(left);
  const auto row = static_cast<std::int64_t>(low);
  const auto ease = [](double t) { return t * t * t * (t * (t * 6 - 15) + 10); };
  const double fx = ease(x - left);
  const double fy = ease(y - low);
  const double bottom = corner(column, row) * (1 - fx) + corner(column + 1, row) * fx;
  const double top = corner(column, row + 1) * (1 - fx) + corner(column + 1, row + 1) * fx;
  return bottom * (1 - fy) + top * fy;
}

Line spline(const Line& control, double step_m) {
  Line dense;
  const auto count = control.size();
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const Point b = control[i];
    const Point c = control[i + 1];
    const Point a = i > 0 ? control[i - 1] : b * 2 - c;
    const Point d = i + 2 < count ? control[i + 2] : c * 2 - b;
    const int pieces = std::max(1, static_cast<int>(norm(c - b) / step_m));
    for (int k = 0; k < pieces; ++k) {
      const double t = static_cast<double>(k) / pieces;
      dense.push_back((b * 2 + (c - a) * t + (a * 2 - b * 5 + c * 4 - d) * (t * t) +
                       (b * 3 - a - c * 3 + d) * (t * t * t)) *
                      0.5);
    }
  }
  if (count > 0) dense.push_back(control.back());
  return dense;
}

Line resample(const Line& line, double step_m) {
  if (line.size() < 2) return line;
  Line even{line.front()};
  double left = step_m;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    const double size = norm(line[i + 1] - line[i]);
    while (size > 0 && left <= size) {
      even.push_back(line[i] + (line[i + 1] - line[i]) * (left / size));
      left += step_m;
    }
    left -= size;
  }
  if (norm(line.back() - even.back()) > step_m / 2 || even.size() < 2) {
    even.push_back(line.back());
  } else {
    even.back() = line.back();
  }
  return even;
}

namespace {

double distance_to_segment(Point p, Point a, Point b) {
  const Point along = b - a;
  const double square = dot(along, along);
  const double t = square > 0 ? std::clamp(dot(p - a, along) / square, 0.0, 1.0) : 0.0;
  return norm(p - (a + along * t));
}

void keep_far_points(const Line& line, std::size_t first, std::size_t last, double tolerance_m,
                     std::vector<bool>& keep) {
  std::size_t farthest = first;
  double most = tolerance_m;
  for (std::size_t i = first + 1; i < last; ++i) {
    const double distance = distance_to_segment(line[i], line[first], line[last]);
    if (distance > most) {
      most = distance;
      farthest = i;
    }
  }
  if (farthest == first) return;
  keep[farthest] = true;
  keep_far_points(line, first, farthest, tolerance_m, keep);
  keep_far_points(line, farthest, last, tolerance_m, keep);
}

}  // namespace

Line simplify(const Line& line, double tolerance_m) {
  if (line.size() < 3) return line;
  std::vector<bool> keep(line.size(), false);
  keep.front() = keep.back() = true;
  keep_far_points(line, 0, line.size() - 1, tolerance_m, keep);
  Line few;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (keep[i]) few.push_back(line[i]);
  }
  return few;
}

double length_m(const Line& line) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) sum += norm(line[i + 1] - line[i]);
  return sum;
}

double signed_area_m2(const Line& ring) {
  double twice = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) twice += cross(ring[i], ring[(i + 1) % ring.size()]);
  return twice / 2;
}

bool inside(const Line& ring, Point p) {
  bool odd = false;
  for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) {
    const Point a = ring[i];
    const Point b = ring[j];
    if ((a.y_m > p.y_m) != (b.y_m > p.y_m) &&
        p.x_m < (b.x_m - a.x_m) * (p.y_m - a.y_m) / (b.y_m - a.y_m) + a.x_m) {
      odd = !odd;
    }
  }
  return odd;
}

std::optional<Crossing> crossing(Point a, Point b, Point c, Point d) {
  const Point first = b - a;
  const Point second = d - c;
  const double area = cross(first, second);
  if (area == 0) return std::nullopt;
  const double s = cross(c - a, second) / area;
  const double t = cross(c - a, first) / area;
  if (!(s >= 0 && s <= 1 && t >= 0 && t <= 1)) return std::nullopt;
  return Crossing{s, t, a + first * s};
}

}  // namespace fogline::roads::sketch
