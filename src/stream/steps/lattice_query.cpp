// SPDX-License-Identifier: Apache-2.0
#include "stream/steps/lattice_query.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"

namespace fogline::stream {
namespace {

/// Half the width of the widest column, around which everything is centred.
double widest(const mobility::StateSpace& space) {
  double width = 0;
  for (std::size_t column = 0; column < space.dimension(); ++column) {
    double low = space.values[column], high = low;
    for (std::size_t i = column; i < space.values.size(); i += space.dimension()) {
      low = std::min(low, space.values[i]);
      high = std::max(high, space.values[i]);
    }
    width = std::max(width, high - low);
  }
  return width;
}

double largest_value(const mobility::StateSpace& space) {
  double largest = 0;
  for (const double value : space.values) largest = std::max(largest, std::abs(value));
  return largest;
}

/// Differences of two states must stay within the body's limit, hence the half.
double coarsest_needed(const mobility::StateSpace& space) {
  const auto limit = geometry::LatticeBody::largest_coordinate(space.dimension());
  return 2 * largest_value(space) / static_cast<double>(limit - 2);
}

/// A power of ten, so that measurements of few digits are not rounded: about 2^-16 of the widest column, or the finest that fits.
double default_step(const mobility::StateSpace& space) {
  if (space.is_places() && coarsest_needed(space) <= 1) return 1;
  const double fine = std::ldexp(widest(space), -16), coarse = coarsest_needed(space);
  const double step = fine > 0 ? std::pow(10.0, std::floor(std::log10(fine))) : 1.0;
  return step >= coarse ? step : std::pow(10.0, std::ceil(std::log10(coarse)));
}

}  // namespace

LatticeQuery::LatticeQuery(const mobility::StateSpace& space, double step)
    : points_{.dimension = space.dimension()}, step_(step == 0 ? default_step(space) : step) {
  if (space.states() == 0 || space.dimension() == 0)
    throw InvalidOption("query", "has no state or no column; give a table of measurements");
  if (!(step_ > 0) || !std::isfinite(step_)) throw InvalidOption("lattice-step", "must be above 0");
  if (const double least = coarsest_needed(space); step_ < least)
    throw InvalidOption("lattice-step",
                        fmt::format("is too fine for measurements of this size; the least is {:.3g}", least));
  points_.coordinates.reserve(space.values.size());
  for (const double value : space.values) points_.coordinates.push_back(std::llround(value / step_));
}

std::vector<double> LatticeQuery::point(std::span<const std::int64_t> steps) const {
  std::vector<double> point;
  for (const std::int64_t step : steps) point.push_back(static_cast<double>(step) * step_);
  return point;
}

double LatticeQuery::distance(StateId a, StateId b) const {
  double squares = 0;
  for (std::size_t i = 0; i < dimension(); ++i) {
    const auto difference = static_cast<double>(at(a)[i] - at(b)[i]);
    squares += difference * difference;
  }
  return std::sqrt(squares) * step_;
}

}  // namespace fogline::stream
