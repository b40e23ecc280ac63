// SPDX-License-Identifier: Apache-2.0
#include "weights/protection.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/int128.hpp"

namespace fogline::weights {
namespace {

/// Beyond, sums with noise come near 64 bits.
constexpr std::uint64_t most_protected_steps = std::uint64_t{1} << 40;

/// Steps of the grid that a change of this size crosses, rounded up.
std::uint64_t steps_in(const Rational& change, const WeightGrid& grid) {
  const Rational step = Rational::parse(grid.step_text()).value();
  const Uint128 over = static_cast<Uint128>(change.numerator()) * step.denominator();
  const Uint128 under = static_cast<Uint128>(change.denominator()) * step.numerator();
  const Uint128 steps = (over + under - 1) / under;
  if (steps > most_protected_steps) throw InvalidOption("most", "is more than 2^40 steps of the grid");
  return static_cast<std::uint64_t>(steps);
}

}  // namespace

std::uint64_t Protection::sensitivity_steps(const WeightGrid& grid, Rounding rounding) const {
  if (unit == ProtectedUnit::edge) {
    if (!grid.is_finite())
      throw InvalidOption("range", "must have both ends to protect an edge's whole weight");
    return grid.points() - 1;
  }
  if (most.is_zero()) throw InvalidOption("most", "must be above 0");
  const std::uint64_t rounded = rounding == Rounding::nearest ? 1 : 0;
  if (unit == ProtectedUnit::change) return steps_in(most, grid) + rounded;
  constexpr std::uint64_t most_links = 1'000'000;  // more than any trip has
  if (most.denominator() != 1 || most.numerator() > most_links)
    throw InvalidOption("most", "is the number of links of a trip, 1 to 1,000,000");
  return most.numerator() * (steps_in(Rational(1), grid) + rounded);
}

privacy::Guarantee Protection::guarantee(const privacy::Epsilon& epsilon, const WeightGrid& grid) const {
  const auto pure = [&](const privacy::Epsilon& all) {
    return privacy::Guarantee::pure(all, text(grid), privacy::Exactness::exact);
  };
  if (per_person == 0) return pure(epsilon);
  try {
    // A trip is there or not; an edge and a change are this or that.
    return pure(privacy::Epsilon(epsilon.value() * per_person))
        .for_person(unit == ProtectedUnit::trip ? privacy::PersonCover::presence
                                                : privacy::PersonCover::records);
  } catch (const InvalidOption&) {
    throw InvalidOption("per-person", "times epsilon is above 1,000, which promises nothing");
  }
}

std::string Protection::text(const WeightGrid& grid) const {
  const bool alone = per_person == 0;
  const std::string of_person = fmt::format("at most {}", per_person);
  switch (unit) {
    case ProtectedUnit::edge:
      return alone ? fmt::format("one edge's whole weight, in {}", grid.range_text())
                   : fmt::format("one person's edges, {}, with their whole weights, in {}", of_person,
                                 grid.range_text());
    case ProtectedUnit::change:
      return alone ? fmt::format("a change of one edge's weight by at most {}", most.to_string())
                   : fmt::format("one person's changes of an edge's weight, {}, by at most {} each",
                                 of_person, most.to_string());
    case ProtectedUnit::trip:
      return fmt::format("{} which adds at most 1 to each of at most {} edge{}",
                         alone ? "one trip," : fmt::format("one person's trips, {}, each of", of_person),
                         most.to_string(), most == Rational(1) ? "" : "s");
  }
  throw InvalidOption("unit", "is edge, change or trip");
}

std::string_view to_string(ProtectedUnit unit) {
  return unit == ProtectedUnit::edge ? "edge" : unit == ProtectedUnit::change ? "change" : "trip";
}

ProtectedUnit protected_unit_from(std::string_view text) {
  for (const ProtectedUnit unit : {ProtectedUnit::edge, ProtectedUnit::change, ProtectedUnit::trip})
    if (to_string(unit) == text) return unit;
  throw InvalidOption("unit", "is edge, change or trip");
}

}  // namespace fogline::weights
