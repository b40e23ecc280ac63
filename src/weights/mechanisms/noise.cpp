// SPDX-License-Identifier: Apache-2.0
#include "weights/mechanisms/noise.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "random/noise.hpp"
#include "weights/mechanisms/remap_floor.hpp"

namespace fogline::weights {
namespace {

/// The last one of a range without end: grid.cpp.
constexpr std::int64_t most_noise_points = std::int64_t{1} << 31;
constexpr std::uint64_t most_clamped_sensitivity = 65'536;  // beyond, the search would take too long
constexpr double negligible_share = 1e-18;                  // probability that no sum here can show

/// Sums of the one-sided weights of a staircase: exp(-epsilon) to the number of risers between 0 and a magnitude.
struct Stairs {
  double epsilon;
  double fall;         ///< of one riser: exp(-epsilon)
  double gap;          ///< 1 - fall, without loss for small epsilon
  double sensitivity;  ///< width of a stair
  double step;         ///< its part before the riser

  Stairs(double of_one_riser, std::uint64_t width, std::uint64_t before)
      : epsilon(of_one_riser),
        fall(std::exp(-epsilon)),
        gap(-std::expm1(-epsilon)),
        sensitivity(static_cast<double>(width)),
        step(static_cast<double>(before)) {}

  double one_stair() const { return step + (sensitivity - step) * fall; }
  double total() const { return 2 * one_stair() / gap - 1; }  // both sides; 0 counts once

  /// P(noise >= distance), for a distance of 1 or more.
  double tail(std::uint64_t distance) const {
    const auto width = static_cast<std::uint64_t>(sensitivity);
    const double offset = static_cast<double>(distance % width);
    const double here = std::max(step - offset, 0.0) + (sensitivity - std::max(step, offset)) * fall;
    return std::exp(-epsilon * static_cast<double>(distance / width)) * (here + fall * one_stair() / gap) /
           total();
  }
};

/// Expected |weight released - weight|, in steps, under a prior that sums to 1 (empty: all alike) of noise that is at least j with probability
/// tail(j), and at most -j alike.
template <class Tail>
double clamped_error(const WeightGrid& grid, std::int64_t least, std::span<const double> prior,
                     const Tail& tail) {
  // Noise moves a point down by at least j with probability tail(j), but not below `low`, and up alike: a point at distances a and b
  // from the ends has the error reach(a) + reach(b), where reach(m) = tail(1) + ... + tail(m).
  const auto low = static_cast<std::uint64_t>(least);
  const std::uint64_t high = grid.points() - 1;
  const double flat = 1 / static_cast<double>(grid.points());
  const auto share = [&](std::uint64_t point) { return prior.empty() ? flat : prior[point]; };
  const double outside = low > 0 ? share(0) : 0;
  double error = 0, reach = 0, left = 2 * (1 - outside);
  for (std::uint64_t m = 0; m <= high - low; ++m) {
    const double further = m > 0 ? tail(m) : 0;
    if (m > 0 && further < negligible_share) break;
    reach += further;
    const double both = share(low + m) + share(high - m);
    error += reach * both;
    left -= both;
  }
  error += reach * std::max(left, 0.0);
  // Weight 0 is released as one step or more: always one up, and on from there.
  if (low > 0) error += outside * (1 + reach - tail(1) + tail(high));
  return error;
}

/// The lowest argument from 1 to `last` of least value, of a function that falls, then rises.
template <class Function>
std::uint64_t argument_of_least(std::uint64_t last, const Function& function) {
  std::uint64_t low = 1, high = last;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (function(middle + 1) >= function(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/// A whole edge's noise spans the range, and much of it is cut off: the step is chosen for what is left.
std::uint64_t chosen_step(const Noise::Options& options, std::uint64_t sensitivity) {
  const double epsilon = options.epsilon.value().to_double();
  if (options.protection.unit != ProtectedUnit::edge || sensitivity > most_clamped_sensitivity)
    return best_staircase_step(epsilon, sensitivity);
  return argument_of_least(sensitivity, [&](std::uint64_t step) {
    const Stairs stairs(epsilon, sensitivity, step);
    return clamped_error(options.grid, options.positive ? options.grid.lowest_positive() : 0, {},
                         [&](std::uint64_t distance) { return stairs.tail(distance); });
  });
}

/// ln P(noise = 0).
double log_peak(const Noise::Options& options, std::uint64_t sensitivity, std::uint64_t step) {
  const double epsilon = options.epsilon.value().to_double();
  if (options.law == NoiseLaw::staircase) return -std::log(Stairs(epsilon, sensitivity, step).total());
  return std::log(std::tanh(epsilon / static_cast<double>(sensitivity) / 2));
}

random::DiscreteLaplace laplace(const privacy::Epsilon& epsilon, std::uint64_t sensitivity) {
  try {
    return random::DiscreteLaplace(epsilon.value() / sensitivity);
  } catch (const Error&) {  // the fraction does not fit the exact sampler
    throw InvalidOption("epsilon",
                        "is too fine a fraction for this sensitivity: take a coarser step or fewer decimals");
  }
}

std::variant<random::DiscreteLaplace, random::DiscreteStaircase> make_sampler(const Noise::Options& options,
                                                                              std::uint64_t sensitivity,
                                                                              std::uint64_t step) {
  if (options.law == NoiseLaw::geometric) return laplace(options.epsilon, sensitivity);
  if (options.protection.unit == ProtectedUnit::trip)
    throw InvalidOption("mechanism",
                        "staircase does not protect a trip, which changes many edges: take geometric");
  return random::DiscreteStaircase(
      {.epsilon = options.epsilon.value(), .sensitivity = sensitivity, .step = step});
}

}  // namespace

double expected_staircase(double epsilon, std::uint64_t sensitivity, std::uint64_t step) {
  const Stairs stairs(epsilon, sensitivity, step);
  // Magnitudes within one stair, before and after the riser; each further stair adds the sensitivity.
  const double before = stairs.step * (stairs.step - 1) / 2;
  const double after = stairs.sensitivity * (stairs.sensitivity - 1) / 2 - before;
  const double first = (before + stairs.fall * after) / stairs.gap;
  const double further = stairs.sensitivity * stairs.one_stair() * stairs.fall / (stairs.gap * stairs.gap);
  return 2 * (first + further) / stairs.total();
}

std::uint64_t best_staircase_step(double epsilon, std::uint64_t sensitivity) {
  // A convex quadratic in the step over a positive linear function: it falls, then rises.
  return argument_of_least(
      sensitivity, [&](std::uint64_t step) { return expected_staircase(epsilon, sensitivity, step); });
}

Noise::Noise(const Options& options)
    : EdgeMechanism(options.grid, options.protection, options.positive),
      law_(options.law),
      epsilon_(options.epsilon),
      sensitivity_(options.protection.sensitivity_steps(options.grid, options.rounding)),
      step_(chosen_step(options, sensitivity_)),
      log_peak_(log_peak(options, sensitivity_, step_)),
      sampler_(make_sampler(options, sensitivity_, step_)) {}

std::string_view Noise::name() const {
  return law_ == NoiseLaw::geometric ? "geometric" : "staircase";
}

privacy::Guarantee Noise::guarantee() const {
  return privacy::Guarantee::pure(epsilon_, protection().text(grid()), privacy::Exactness::exact);
}

nlohmann::ordered_json Noise::parameters() const {
  nlohmann::ordered_json parameters{{"sensitivity_steps", sensitivity_}};
  if (law_ == NoiseLaw::staircase) parameters["staircase_step"] = step_;
  return parameters;
}

void Noise::draw(std::span<const std::int64_t> points, random::Stream& noise,
                 std::span<std::int64_t> drawn) const {
  const std::int64_t last =
      grid().is_finite() ? static_cast<std::int64_t>(grid().points()) - 1 : most_noise_points;
  for (const std::int64_t point : points)
    if (point < 0 || point > last) throw InvalidOption("points", "must be points of the grid");
  const random::NoiseLabel label{.name = "weights",
                                 .epsilon = epsilon_.value().to_double(),
                                 .sensitivity = static_cast<double>(sensitivity_)};
  std::visit(
      [&](const auto& sampler) { random::add_noise<std::int64_t>(label, points, sampler, noise, drawn); },
      sampler_);
}

double Noise::log_weight(std::int64_t drawn, std::int64_t point) const {
  const auto distance = static_cast<std::uint64_t>(std::abs(drawn - point));
  const double epsilon = epsilon_.value().to_double();
  if (law_ == NoiseLaw::geometric)
    return log_peak_ - epsilon / static_cast<double>(sensitivity_) * static_cast<double>(distance);
  const std::uint64_t risers = (distance + sensitivity_ - step_) / sensitivity_;
  return log_peak_ - epsilon * static_cast<double>(risers);
}

double Noise::weight(std::int64_t drawn) const {
  const std::int64_t last = grid().is_finite() ? static_cast<std::int64_t>(grid().points()) - 1
                                               : std::numeric_limits<std::int64_t>::max();
  return grid().value(std::clamp(drawn, least_point(), last));
}

double Noise::expected_noise() const {
  const double epsilon = epsilon_.value().to_double();
  if (law_ == NoiseLaw::staircase) return expected_staircase(epsilon, sensitivity_, step_);
  return 1 / std::sinh(epsilon / static_cast<double>(sensitivity_));
}

Prediction Noise::predict(std::span<const double> prior) const {
  if (!grid().is_finite()) return {.expected_error = expected_noise() * grid().step()};
  Prediction prediction{.best_constant = best_constant_error(grid(), prior)};
  std::vector<double> shares(prior.begin(), prior.end());
  double total = 0;
  for (const double share : shares) total += share;
  for (double& share : shares) share /= total;
  const double epsilon = epsilon_.value().to_double();
  const double rate = epsilon / static_cast<double>(sensitivity_);
  const Stairs stairs(epsilon, sensitivity_, step_);
  const auto tail = [&](std::uint64_t distance) {
    if (law_ == NoiseLaw::staircase) return stairs.tail(distance);
    return std::exp(-rate * static_cast<double>(distance)) / (1 + std::exp(-rate));
  };
  prediction.expected_error = clamped_error(grid(), least_point(), shares, tail) * grid().step();
  if (sensitivity_ == 1 && grid().points() <= most_remap_points)
    prediction.floor = remap_floor(shares, grid().points(), epsilon) * grid().step();
  return prediction;
}

}  // namespace fogline::weights
