// SPDX-License-Identifier: Apache-2.0
#include "audit/kinds/neighbour_steps.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "base/int128.hpp"

namespace fogline::audit {
namespace {

using weights::ProtectedUnit;
using weights::Rounding;
using weights::WeightGrid;

constexpr std::uint64_t most_neighbour_steps = std::uint64_t{1} << 40;
constexpr std::uint64_t inverse_of_both_tolerances =
    500'000;  // a millionth of a step for each of two weights

Rational number(const std::string& text) {
  return Rational::parse(text).value();
}

/// The weights themselves, as anybody reads them, say how long a step is.
Rational step_of(const WeightGrid& grid) {
  return number(grid.text(1)) - number(grid.text(0));
}

/// floor(change / step + 2 millionths), and one more where each weight is moved by up to half a step.
std::uint64_t points_apart(const Rational& change, const Rational& step, Rounding rounding) {
  const Uint128 over = static_cast<Uint128>(change.numerator()) * step.denominator();
  const Uint128 under = static_cast<Uint128>(change.denominator()) * step.numerator();
  Uint128 steps = over / under;
  const Uint128 missing = under - over % under;  // to the next whole step
  if (missing <= under / inverse_of_both_tolerances) ++steps;
  if (rounding == Rounding::nearest) ++steps;
  if (steps > most_neighbour_steps) throw InvalidOption("most", "is more than 2^40 steps of the grid");
  return static_cast<std::uint64_t>(steps);
}

std::uint64_t length_of(const WeightGrid& grid) {
  const std::string range = grid.range_text();
  const std::size_t colon = range.find(':');
  return points_apart(number(range.substr(colon + 1)) - number(range.substr(0, colon)), step_of(grid),
                      Rounding::refuse);
}

}  // namespace

NeighbourSteps neighbour_steps(const WeightGrid& grid, const weights::Protection& protection,
                               Rounding rounding) {
  const bool whole = protection.unit == ProtectedUnit::edge;
  if (whole && !grid.is_finite())
    throw InvalidOption("range", "must have both ends to protect an edge's whole weight");
  if (whole) return {.one_edge = length_of(grid)};
  const bool trip = protection.unit == ProtectedUnit::trip;
  const std::uint64_t apart = points_apart(trip ? Rational(1) : protection.most, step_of(grid), rounding);
  const std::uint64_t room = grid.is_finite() ? length_of(grid) : most_neighbour_steps;
  return {.one_edge = std::clamp<std::uint64_t>(apart, 1, room),
          .edges = trip ? protection.most.numerator() : 1};
}

}  // namespace fogline::audit
