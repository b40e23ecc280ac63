// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#include "kernel/widest.hpp"

namespace fogline::kernel {

/// How many numbers stand side by side: one of each of as many systems that have the same pattern.
constexpr std::size_t lane_count = widest_numbers;

/// Memory that begins where the widest registers read it: a number of eight lanes is one of them.
template <class Number>
struct LaneAllocator {
  using value_type = Number;
  static constexpr std::align_val_t alignment{lane_count * sizeof(double)};

  LaneAllocator() = default;
  template <class Other>
  LaneAllocator(const LaneAllocator<Other>& /*other*/) {
  }  // NOLINT(google-explicit-constructor): as containers ask
  Number* allocate(std::size_t count) {
    return static_cast<Number*>(::operator new(count * sizeof(Number), alignment));
  }
  void deallocate(Number* numbers, std::size_t /*count*/) noexcept { ::operator delete(numbers, alignment); }
  friend bool operator==(const LaneAllocator& /*a*/, const LaneAllocator& /*b*/) { return true; }
};

/// Numbers of eight lanes, one behind the other. Lanes never meet but in the sums below, whose order is fixed, so that no result depends on the
/// width of registers.
using Lanes = std::vector<double, LaneAllocator<double>>;

inline Eight* eights(Lanes& values) {
  return reinterpret_cast<Eight*>(values.data());
}
inline const Eight* eights(const Lanes& values) {
  return reinterpret_cast<const Eight*>(values.data());
}

/// Halves are added until one is left.
inline __attribute__((always_inline)) double sum_of_lanes(const Eight& value) {
  const auto four =
      __builtin_shufflevector(value, value, 0, 1, 2, 3) + __builtin_shufflevector(value, value, 4, 5, 6, 7);
  const auto two = __builtin_shufflevector(four, four, 0, 1) + __builtin_shufflevector(four, four, 2, 3);
  return two[0] + two[1];
}
/// The lower of two numbers, or the one that is none: a bound that rounding has made of nothing must not look like one.
inline double lower_of(double a, double b) {
  return a <= b ? a : b <= a ? b : a + b;
}
inline double least_of_lanes(const Eight& value) {
  double least = value[0];
  for (std::size_t lane = 1; lane < lane_count; ++lane) least = lower_of(least, value[lane]);
  return least;
}

}  // namespace fogline::kernel
