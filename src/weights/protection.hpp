// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/rational.hpp"
#include "privacy/guarantee.hpp"
#include "privacy/persons.hpp"
#include "weights/grid.hpp"

namespace fogline::weights {

/// Whose change must not show: the unit of protection of a release of edge weights.
///
///     Protection whole{.unit = ProtectedUnit::edge};                       // an edge's weight may be anything in the range
///     Protection call{.unit = ProtectedUnit::change, .most = Rational(1)};    // one call more or less on one edge
///     Protection trip{.unit = ProtectedUnit::trip, .most = Rational(30)};     // one trip, which adds 1 to each of at most 30 links
enum class ProtectedUnit {
  edge,    ///< one edge's whole weight, in the public range
  change,  ///< one edge's weight changes by at most `most`
  trip     ///< at most `most` edges change by at most 1 each
};

struct Protection {
  ProtectedUnit unit = ProtectedUnit::edge;
  Rational most = Rational(1);  ///< change: in the weights' unit; trip: links, a whole number; edge: unused
  static constexpr std::uint64_t most_per_person = 1'000'000;
  std::uint64_t per_person = 0;  ///< units of one person that the promise covers together; 0: one alone
  privacy::Persons persons =
      privacy::Persons::unsaid;  ///< declared, if it covers a person's: weights name nobody

  /// Of one unit at epsilon; of a person's together they add up. Throws InvalidOption, naming `per-person`, if the sum is no epsilon.
  privacy::Guarantee guarantee(const privacy::Epsilon& epsilon, const WeightGrid& grid) const;

  /// How far two neighbours' points are apart, added up over all edges: the sensitivity of the weights, in steps of the grid. Rounding to the
  /// grid is counted: where weights between points are rounded, two that differ by d steps may end d + 1 points apart.
  /// Throws InvalidOption if the unit is the edge and the grid has no end, or the number exceeds 2^40.
  std::uint64_t sensitivity_steps(const WeightGrid& grid, Rounding rounding) const;

  /// The unit as a guarantee names it: "one edge's whole weight, in 100:600"; "one person's trips, at most 4, each of which adds ...".
  std::string text(const WeightGrid& grid) const;
};

std::string_view to_string(ProtectedUnit unit);            ///< "edge", "change", "trip"
ProtectedUnit protected_unit_from(std::string_view text);  ///< throws InvalidOption

}  // namespace fogline::weights
