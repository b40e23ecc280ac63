// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/rational.hpp"

namespace fogline::weights {

/// The weights that a release tells apart: lowest, lowest + step, ... to highest, or on without end. Declared by whoever
/// releases, never read from the private weights.
///
///     WeightGrid grid = WeightGrid::parse("100:600", "1");      // 501 points
///     grid.point_of(253.4, Rounding::nearest);                  // 153
///     grid.text(153);                                           // "253"
///
/// Points are numbered from 0. Limits: decimals of at most 9 places, from 0 to 10^9; at most 2^24 points, or without an end up to 2^31; at most 2^44 steps from 0.
enum class Rounding {
  nearest,  ///< to the nearest point, halves up
  refuse  ///< weights must be points, up to two millionths of a step; far from 0, up to what doubles are rounded by
};

class WeightGrid {
 public:
  struct Options {
    Rational lowest = {};                  ///< 0 or more
    std::optional<Rational> highest = {};  ///< above lowest; empty: no end
    Rational step = Rational(1);           ///< above 0; divides the range
    bool clamps = false;                   ///< a weight outside the range counts as the nearest end of it
  };
  explicit WeightGrid(const Options& options);  ///< throws InvalidOption

  /// "100:600" or "0:" (no end), with a step such as "0.5". Throws InvalidOption, naming `range` or `step`.
  static WeightGrid parse(std::string_view range, std::string_view step, bool clamps = false);

  bool is_finite() const { return points_ > 0; }
  std::uint64_t points() const { return points_; }  ///< 0: no end
  double value(std::int64_t point) const;           ///< also outside the grid
  double step() const { return value(1) - value(0); }
  /// Whether a weight outside counts as the nearest end. Two weights never end farther apart than they are, so no promise changes.
  bool clamps() const { return clamps_; }

  /// The lowest point with a weight above 0: 0, or 1 if the grid starts at weight 0. Releases go no lower, so that no edge disappears.
  std::int64_t lowest_positive() const { return lowest_units_ > 0 ? 0 : 1; }
  std::string text(std::int64_t point) const;  ///< the value, exactly, as a short decimal
  std::string range_text() const;              ///< "100:600"
  std::string step_text() const;               ///< "1"

  /// Why a weight has no point.
  enum class Fault { none, not_a_number, below, above, between };
  struct Found {
    std::int64_t point = 0;
    Fault fault = Fault::none;
  };
  Found point_of(double weight, Rounding rounding) const;
  /// Of a private weight: if the grid clamps, one outside the range has the point of the nearest end.
  Found point_taken(double weight, Rounding rounding) const;

  friend bool operator==(const WeightGrid&, const WeightGrid&) = default;

 private:
  std::int64_t lowest_units_ = 0;  // in units of 10^-places_
  std::int64_t step_units_ = 1;
  int places_ = 0;
  double scale_ = 1;      // units in 1
  double tolerance_ = 0;  // of a step: what a weight that is read as a double may lie beside its point
  std::uint64_t points_ = 0;
  bool clamps_ = false;
};

/// What to say of a weight that has no point, without telling it: "weight above the range 100:600".
std::string describe(WeightGrid::Fault fault, const WeightGrid& grid);

}  // namespace fogline::weights
