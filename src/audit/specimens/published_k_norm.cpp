// SPDX-License-Identifier: Apache-2.0
#include "audit/specimens/published_k_norm.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "random/noise.hpp"
#include "random/published_noise.hpp"

namespace fogline::audit {
namespace {

using random::published::gamma;
using random::published::on_grid;
using random::published::uniform;

double cross(const PlanePoint& a, const PlanePoint& b) {
  return a.x * b.y - a.y * b.x;
}

PlanePoint minus(const PlanePoint& a, const PlanePoint& b) {
  return {a.x - b.x, a.y - b.y};
}

PlanePoint along(const ConvexBody::Face& face, double share) {
  return {face.from.x + share * (face.to.x - face.from.x), face.from.y + share * (face.to.y - face.from.y)};
}

/// Andrew's monotone chain: the lower half of the hull from left to right, or the upper one from right to left.
template <class Iterator>
std::vector<PlanePoint> half_hull(Iterator first, Iterator last) {
  std::vector<PlanePoint> chain;
  for (; first != last; ++first) {
    while (chain.size() >= 2 &&
           cross(minus(chain.back(), chain[chain.size() - 2]), minus(*first, chain.back())) <= 0)
      chain.pop_back();
    chain.push_back(*first);
  }
  chain.pop_back();  // where the other half begins
  return chain;
}

std::vector<PlanePoint> convex_hull(std::vector<PlanePoint> points) {
  std::sort(points.begin(), points.end(), [](const PlanePoint& a, const PlanePoint& b) {
    return std::pair(a.x, a.y) < std::pair(b.x, b.y);
  });
  points.erase(std::unique(points.begin(), points.end()), points.end());
  std::vector<PlanePoint> hull = half_hull(points.begin(), points.end());
  const std::vector<PlanePoint> upper = half_hull(points.rbegin(), points.rend());
  hull.insert(hull.end(), upper.begin(), upper.end());
  return hull;
}

ConvexBody::Face make_face(const PlanePoint& from, const PlanePoint& to) {
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  return {from, to, length, cross(from, to) / length};
}

/// v in multiples of the face's line: 1 on it, 0 through the origin.
double level(const ConvexBody::Face& face, const PlanePoint& v) {
  return cross(v, minus(face.to, face.from)) / (face.length * face.height);
}

/// The face in whose stretch `target` falls when their sizes are laid end to end.
template <class Size>
const ConvexBody::Face& pick(const std::vector<ConvexBody::Face>& faces, double target, const Size& size) {
  for (const ConvexBody::Face& face : faces) {
    target -= size(face);
    if (target < 0) return face;
  }
  return faces.back();
}

}  // namespace

ConvexBody ConvexBody::sensitivity_hull(std::span<const PlanePoint> places) {
  std::vector<PlanePoint> differences;
  for (const PlanePoint& a : places) {
    if (!std::isfinite(a.x) || !std::isfinite(a.y)) throw InvalidOption("places", "must be finite");
    for (const PlanePoint& b : places) differences.push_back(minus(a, b));
  }
  if (places.size() < 3) throw InvalidOption("places", "must be at least three, not on one line");
  const std::vector<PlanePoint> hull = convex_hull(std::move(differences));
  if (hull.size() < 4) throw InvalidOption("places", "must not lie on one line");
  return from_corners(hull);
}

ConvexBody ConvexBody::from_corners(std::span<const PlanePoint> corners) {
  std::vector<Face> faces;
  for (std::size_t i = 0; i < corners.size(); ++i)
    faces.push_back(make_face(corners[i], corners[(i + 1) % corners.size()]));
  return ConvexBody(std::move(faces));
}

ConvexBody::ConvexBody(std::vector<Face> faces) : faces_(std::move(faces)) {
  for (const Face& face : faces_) {
    area_ += face.length * face.height / 2;
    boundary_ += face.length;
  }
}

double ConvexBody::norm(const PlanePoint& v) const {
  return level(face(v), v);
}

const ConvexBody::Face& ConvexBody::face(const PlanePoint& v) const {
  return *std::max_element(faces_.begin(), faces_.end(),
                           [&](const Face& a, const Face& b) { return level(a, v) < level(b, v); });
}

double ConvexBody::largest_sum() const {
  double largest = 0;
  for (const Face& face : faces_) largest = std::max(largest, std::abs(face.from.x) + std::abs(face.from.y));
  return largest;
}

PlanePoint ConvexBody::draw_inside(random::Stream& stream) const {
  const Face& face =
      pick(faces_, uniform(stream) * area_, [](const Face& f) { return f.length * f.height / 2; });
  // Uniform in the triangle of the face and the origin: the square root makes room for the outer, longer chords.
  const double reach = std::sqrt(uniform(stream));
  const PlanePoint end = along(face, uniform(stream));
  return {reach * end.x, reach * end.y};
}

PlanePoint ConvexBody::draw_on_boundary(random::Stream& stream) const {
  const Face& face = pick(faces_, uniform(stream) * boundary_, [](const Face& f) { return f.length; });
  return along(face, uniform(stream));
}

PublishedKNorm::PublishedKNorm(const Options& options)
    : options_(options), body_(ConvexBody::sensitivity_hull(options.places)) {
  if (!(options.epsilon > 0 && options.epsilon <= 1000))
    throw InvalidOption("epsilon", "must be above 0 and at most 1,000");
  if (options.radius == Radius::one_short && options.direction != Direction::cone_measure)
    throw InvalidOption("radius", "may be one short only with the cone measure");
}

PlanePoint PublishedKNorm::noise(random::Stream& stream) const {
  const bool on_boundary = options_.direction == Direction::boundary_length;
  const int shape = on_boundary || options_.radius == Radius::one_short ? 2 : 3;
  const PlanePoint point = on_boundary ? body_.draw_on_boundary(stream) : body_.draw_inside(stream);
  const double radius = gamma(shape, 1 / options_.epsilon, stream);
  return {on_grid(radius * point.x), on_grid(radius * point.y)};
}

PlanePoint PublishedKNorm::release(const PlanePoint& place, random::Stream& stream) const {
  const std::array<double, 2> truth = {on_grid(place.x), on_grid(place.y)};
  std::array<double, 2> answer{};
  PlanePoint drawn;
  bool second = false;
  const auto coordinate = [&](random::Stream& s) {  // x and y are one draw, handed over in turn
    if (!second) drawn = noise(s);
    return std::exchange(second, !second) ? drawn.y : drawn.x;
  };
  random::add_noise<double>(
      {.name = "place", .epsilon = options_.epsilon, .sensitivity = body_.largest_sum()}, truth, coordinate,
      stream, answer);
  return {answer[0], answer[1]};
}

double PublishedKNorm::log_density(const PlanePoint& answer, const PlanePoint& place) const {
  const PlanePoint v = minus(answer, place);
  const double epsilon = options_.epsilon, t = epsilon * body_.norm(v);
  if (options_.direction == Direction::boundary_length)
    return 2 * std::log(epsilon) - t - std::log(body_.boundary() * body_.face(v).height);
  if (options_.radius == Radius::full) return 2 * std::log(epsilon) - t - std::log(2 * body_.area());
  // A share s of Gamma(2) with density 2 s: the exponential integral E1, infinite at 0.
  return 2 * std::log(epsilon) + std::log(-std::expint(-t)) - std::log(body_.area());
}

double PublishedKNorm::largest_loss() const {
  if (options_.radius == Radius::one_short) return std::numeric_limits<double>::infinity();
  if (options_.direction == Direction::cone_measure) return options_.epsilon;
  const auto [least, largest] =
      std::minmax_element(body_.faces().begin(), body_.faces().end(),
                          [](const auto& a, const auto& b) { return a.height < b.height; });
  return options_.epsilon + std::log(largest->height / least->height);
}

}  // namespace fogline::audit
