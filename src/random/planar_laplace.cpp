// SPDX-License-Identifier: Apache-2.0
#include "random/planar_laplace.hpp"

#include <cmath>

#include "base/error.hpp"

namespace fogline::random {
namespace {

constexpr std::uint64_t largest_radius = std::uint64_t{1} << 61;

Uint128 square(std::uint64_t value) {
  return static_cast<Uint128>(value) * value;
}

std::uint64_t apart(std::int64_t a, std::int64_t b) {
  return a > b ? static_cast<std::uint64_t>(a - b) : static_cast<std::uint64_t>(b - a);
}

std::uint64_t magnitude(std::int64_t value) {
  return apart(value, 0);
}

}  // namespace

std::uint64_t ceil_sqrt(Uint128 value) {
  if (value > square(~std::uint64_t{0})) throw InvalidOption("value", "has a root beyond 64 bits");
  // The estimate is off by a few units for the largest values; integers settle it.
  const long double estimate = std::sqrt(static_cast<long double>(value));
  auto root = estimate >= 0x1p64L ? ~std::uint64_t{0} : static_cast<std::uint64_t>(estimate);
  while (square(root) < value) ++root;
  while (root > 0 && square(root - 1) >= value) --root;
  return root;
}

std::uint64_t ceil_distance(const GridPoint& a, const GridPoint& b) {
  return ceil_sqrt(square(apart(a.x, b.x)) + square(apart(a.y, b.y)));
}

PlanarLaplace::PlanarLaplace(const Rational& rate) : geometric_(rate) {}

std::uint64_t PlanarLaplace::radius(Stream& noise) const {
  while (true) {
    const std::uint64_t radius = geometric_(noise) + geometric_(noise) + geometric_(noise);
    if (radius > largest_radius) throw Error("planar draw beyond 2^61");
    if (noise.below128(4 * square(radius) + 12 * Uint128{radius} + 8) <
        4 * square(radius) + 4 * Uint128{radius} + 1) {
      return radius;
    }
  }
}

GridPoint PlanarLaplace::operator()(Stream& noise) const {
  while (true) {
    const std::uint64_t reach = radius(noise);
    const auto coordinate = [&] {
      return static_cast<std::int64_t>(noise.below(2 * reach + 1)) - static_cast<std::int64_t>(reach);
    };
    const GridPoint point{coordinate(), coordinate()};
    if (square(magnitude(point.x)) + square(magnitude(point.y)) <= square(reach)) return point;
  }
}

}  // namespace fogline::random
