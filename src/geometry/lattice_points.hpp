// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fogline::geometry {

/// Points with integer coordinates, one after another.
struct LatticePoints {
  std::size_t dimension = 0;
  std::vector<std::int64_t> coordinates = {};

  std::size_t size() const { return dimension == 0 ? 0 : coordinates.size() / dimension; }
  std::span<const std::int64_t> operator[](std::size_t point) const {
    return std::span(coordinates).subspan(point * dimension, dimension);
  }
  void add(std::span<const std::int64_t> point) {
    coordinates.insert(coordinates.end(), point.begin(), point.end());
  }
  void add_negative(std::span<const std::int64_t> point) {
    for (const std::int64_t coordinate : point) coordinates.push_back(-coordinate);
  }
  void add_difference(std::span<const std::int64_t> a, std::span<const std::int64_t> b) {
    for (std::size_t i = 0; i < dimension; ++i) coordinates.push_back(a[i] - b[i]);
  }
  friend bool operator==(const LatticePoints&, const LatticePoints&) = default;
};

}  // namespace fogline::geometry
