// SPDX-License-Identifier: Apache-2.0
#include "stream/policy/protection.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace fogline::stream {
namespace {

using geometry::LatticeBody;
using geometry::LatticePoints;

/// How far a body reaches along the first coordinate.
std::int64_t reach(const LatticeBody& body) {
  std::int64_t largest = 0;
  for (std::size_t i = 0; i < body.vertices().size(); ++i) largest = std::max(largest, body.vertices()[i][0]);
  return largest;
}

bool holds_difference(const LatticeBody& body, const LatticePoints& points, std::uint32_t a,
                      std::uint32_t b) {
  std::array<std::int64_t, geometry::most_dimensions> difference{};
  for (std::size_t j = 0; j < points.dimension; ++j) difference[j] = points[a][j] - points[b][j];
  return body.contains(std::span(difference).first(points.dimension));
}

Uint128 square_of_distance(const LatticePoints& points, std::uint32_t a, std::uint32_t b) {
  Uint128 sum = 0;
  for (std::size_t j = 0; j < points.dimension; ++j) {
    const Int128 difference = points[a][j] - points[b][j];
    sum += static_cast<Uint128>(difference * difference);
  }
  return sum;
}

/// The nearest of those that a sweep offers, ties by number.
class Nearest {
 public:
  Nearest(const LatticePoints& points, std::uint32_t state) : points_(points), state_(state) {}
  bool out_of_reach(std::int64_t along_first) const {
    return found_ && static_cast<Uint128>(along_first) * static_cast<Uint128>(along_first) > square_;
  }
  void offer(std::uint32_t other) {
    const Uint128 square = square_of_distance(points_, state_, other);
    if (found_ && (square > square_ || (square == square_ && other > *found_))) return;
    found_ = other;
    square_ = square;
  }
  std::optional<std::uint32_t> found() const { return found_; }

 private:
  const LatticePoints& points_;
  std::uint32_t state_;
  std::optional<std::uint32_t> found_ = {};
  Uint128 square_ = 0;
};

}  // namespace

Protection::Protection(const LatticePoints& points)
    : points_(points), order_(points.size()), rank_(points.size()) {
  std::iota(order_.begin(), order_.end(), std::uint32_t{0});
  std::ranges::stable_sort(order_, {}, [&](std::uint32_t i) { return points[i][0]; });
  for (std::size_t at = 0; at < order_.size(); ++at) rank_[order_[at]] = at;
}

std::uint32_t Protection::degree(std::uint32_t state, const LatticeBody& body) const {
  std::uint32_t count = 1;
  const std::int64_t width = reach(body);
  sweep(state, [&](std::uint32_t other, std::int64_t along_first) {
    if (along_first > width) return false;
    if (holds_difference(body, points_, other, state)) ++count;
    return true;
  });
  return count;
}

std::vector<std::uint32_t> Protection::degrees(const LatticeBody& body) const {
  std::vector<std::uint32_t> result;
  for (std::uint32_t state = 0; state < points_.size(); ++state) result.push_back(degree(state, body));
  return result;
}

std::optional<std::uint32_t> Protection::nearest_within(std::uint32_t state, const LatticeBody& body) const {
  Nearest nearest(points_, state);
  const std::int64_t width = reach(body);
  sweep(state, [&](std::uint32_t other, std::int64_t along_first) {
    if (along_first > width || nearest.out_of_reach(along_first)) return false;
    if (holds_difference(body, points_, other, state)) nearest.offer(other);
    return true;
  });
  return nearest.found();
}

std::optional<std::uint32_t> Protection::nearest(std::uint32_t state) const {
  Nearest nearest(points_, state);
  sweep(state, [&](std::uint32_t other, std::int64_t along_first) {
    if (nearest.out_of_reach(along_first)) return false;
    nearest.offer(other);
    return true;
  });
  return nearest.found();
}

std::vector<std::uint32_t> Protection::exposed(const LocalPolicy& policy, const LatticeBody& body) const {
  std::vector<std::uint32_t> result;
  const std::int64_t width = reach(body);
  for (const std::uint32_t state : policy.disconnected()) {
    bool hidden = false;
    sweep(state, [&](std::uint32_t other, std::int64_t along_first) {
      if (along_first > width) return false;
      hidden = holds_difference(body, points_, other, state);
      return !hidden;
    });
    if (!hidden) result.push_back(state);
  }
  return result;
}

}  // namespace fogline::stream
