// SPDX-License-Identifier: Apache-2.0
#include "weights/grid.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"

namespace fogline::weights {
namespace {

/// Decimals, and the largest weight: in units of the last decimal 10^18 at most, which 63 bits hold.
constexpr int most_places = 9;
constexpr std::uint64_t largest_weight = 1'000'000'000;
/// Points of a range with both ends: tables of all of them fit memory. And the last one of a range without end: noise
/// adds to it in 64 bits.
constexpr std::uint64_t most_grid_points = std::uint64_t{1} << 24;
constexpr std::uint64_t last_endless = std::uint64_t{1} << 31;
constexpr std::int64_t most_steps = std::int64_t{1} << 44;  // from 0: a double's rounding is far below a step
/// Of a step, for programs that compute weights; and for each step from 0 what three roundings of a double can make, with room.
constexpr double least_tolerance = 1e-6, tolerance_of_a_step = 0x1p-51;

/// Decimal places of a fraction; empty if it is no decimal of at most 9.
std::optional<int> places_of(const Rational& value) {
  std::uint64_t power = 1;
  for (int places = 0; places <= most_places; ++places, power *= 10)
    if (power % value.denominator() == 0) return places;
  return std::nullopt;
}

int checked_places(const Rational& value, std::string_view option) {
  if (value > Rational(largest_weight)) throw InvalidOption(option, "goes to 1,000,000,000 at most");
  const auto places = places_of(value);
  if (!places) throw InvalidOption(option, "takes decimals of at most 9 places");
  return *places;
}

std::int64_t in_units(const Rational& value, int places) {
  std::uint64_t units = 1;
  for (int i = 0; i < places; ++i) units *= 10;
  // Places were chosen so that the denominator divides the units.
  return static_cast<std::int64_t>(value.numerator() * (units / value.denominator()));
}

Rational parsed(std::string_view text, std::string_view option, std::string_view problem) {
  const auto value = Rational::parse(text);
  if (!value) throw InvalidOption(option, problem);
  return *value;
}

std::string decimal(std::int64_t units, int places) {
  if (units < 0) return "-" + decimal(-units, places);
  std::int64_t power = 1;
  for (int i = 0; i < places; ++i) power *= 10;
  std::string text = fmt::format("{}", units / power);
  if (units % power == 0) return text;
  std::string fraction = fmt::format("{:0{}}", units % power, places);
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return text + "." + fraction;
}

}  // namespace

WeightGrid::WeightGrid(const Options& options) : clamps_(options.clamps) {
  places_ = std::max(checked_places(options.lowest, "range"), checked_places(options.step, "step"));
  if (options.highest) places_ = std::max(places_, checked_places(*options.highest, "range"));
  scale_ = std::pow(10.0, places_);  // exact
  if (options.step.is_zero()) throw InvalidOption("step", "must be above 0");
  lowest_units_ = in_units(options.lowest, places_);
  step_units_ = in_units(options.step, places_);
  // A weight is read as a double. Where its rounding reached a step, two weights a step apart could end many points apart.
  if (lowest_units_ / step_units_ > most_steps)
    throw InvalidOption("step", "is too fine for weights of this size: at most 2^44 steps from 0");
  tolerance_ = least_tolerance + tolerance_of_a_step * (static_cast<double>(lowest_units_ / step_units_) +
                                                        static_cast<double>(last_endless));
  if (!options.highest) return;
  const std::int64_t width = in_units(*options.highest, places_) - lowest_units_;
  if (width <= 0) throw InvalidOption("range", "must go up: LOWEST:HIGHEST, such as 100:600");
  if (width % step_units_ != 0) throw InvalidOption("step", "must divide the range into whole steps");
  points_ = static_cast<std::uint64_t>(width / step_units_) + 1;
  if (points_ > most_grid_points)
    throw InvalidOption("step", "gives more than 2^24 weights: take a larger one, or a range without an end");
}

WeightGrid WeightGrid::parse(std::string_view range, std::string_view step, bool clamps) {
  constexpr std::string_view form = "is LOWEST:HIGHEST, such as 100:600, or LOWEST: without an end";
  const std::size_t colon = range.find(':');
  if (colon == std::string_view::npos) throw InvalidOption("range", form);
  Options options{.lowest = parsed(range.substr(0, colon), "range", form),
                  .step = parsed(step, "step", "is a number such as 1 or 0.5"),
                  .clamps = clamps};
  if (colon + 1 < range.size()) options.highest = parsed(range.substr(colon + 1), "range", form);
  return WeightGrid(options);
}

double WeightGrid::value(std::int64_t point) const {
  // One division of two exact numbers: the double nearest to the decimal, below 2^53 units.
  const auto units =
      static_cast<double>(lowest_units_) + static_cast<double>(step_units_) * static_cast<double>(point);
  return units / scale_;
}

std::string WeightGrid::text(std::int64_t point) const {
  return decimal(lowest_units_ + step_units_ * point, places_);
}

std::string WeightGrid::range_text() const {
  return text(0) + ":" + (is_finite() ? text(static_cast<std::int64_t>(points_) - 1) : std::string());
}

std::string WeightGrid::step_text() const {
  return decimal(step_units_, places_);
}

WeightGrid::Found WeightGrid::point_of(double weight, Rounding rounding) const {
  if (!std::isfinite(weight)) return {0, Fault::not_a_number};
  const double steps =
      (weight * scale_ - static_cast<double>(lowest_units_)) / static_cast<double>(step_units_);
  const double nearest = std::floor(steps + 0.5);
  // The ends belong to the range; a weight outside it is never moved in here, not even by half a step.
  if (steps < -tolerance_) return {0, Fault::below};
  const double last = is_finite() ? static_cast<double>(points_ - 1) : static_cast<double>(last_endless);
  if (steps > last + tolerance_) return {0, Fault::above};
  if (rounding == Rounding::refuse && std::abs(steps - nearest) > tolerance_) return {0, Fault::between};
  return {static_cast<std::int64_t>(nearest), Fault::none};
}

WeightGrid::Found WeightGrid::point_taken(double weight, Rounding rounding) const {
  const Found found = point_of(weight, rounding);
  if (!clamps_) return found;
  if (found.fault == Fault::below) return {0, Fault::none};
  if (found.fault == Fault::above)
    return {static_cast<std::int64_t>(is_finite() ? points_ - 1 : last_endless), Fault::none};
  return found;
}

std::string describe(WeightGrid::Fault fault, const WeightGrid& grid) {
  switch (fault) {
    case WeightGrid::Fault::not_a_number:
      return "the weight is not a number";
    case WeightGrid::Fault::below:
      return "the weight lies below the range " + grid.range_text();
    case WeightGrid::Fault::above:
      return "the weight lies above the range " + grid.range_text();
    case WeightGrid::Fault::between:
      return "the weight is no multiple of the step " + grid.step_text();
    case WeightGrid::Fault::none:
      break;
  }
  return "the weight is fine";
}

}  // namespace fogline::weights
