// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "random/key.hpp"
#include "traces/frame/trip_set.hpp"

namespace fogline::traces {

struct GeneratedTripsOptions {
  std::size_t trips = 500;   ///< 1 to 10,000,000
  std::size_t points = 100;  ///< of each; 2 to 100,000
  double half_side = 10;     ///< of the box about (0, 0); above 0
};

/// Trips like those of the paper's sections VI.B and VI.C: so many of a length in the box from (-half_side, -half_side) to (half_side, half_side).
///
///     TripSet trips = generated_trips({.trips = 500}, random::SeededKey(1));
///
/// The paper does not say how it makes them. Ours are smooth walks: a start anywhere in the box, steps of 2 % of half_side, a heading that turns by up to 0.3 rad
/// a step, and at the border the step is mirrored. Trip i depends on the key and i alone. No times.
TripSet generated_trips(const GeneratedTripsOptions& options, const random::Key& key);

}  // namespace fogline::traces
