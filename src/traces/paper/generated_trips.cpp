// SPDX-License-Identifier: Apache-2.0
#include "traces/paper/generated_trips.hpp"

#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "random/published_noise.hpp"

namespace fogline::traces {
namespace {

constexpr double step_share = 0.02, most_turn = 0.3;

double between(double low, double high, random::Stream& stream) {
  return low + (high - low) * random::published::uniform(stream);
}

/// Where a step ends if the border is a mirror, and whether it was one.
bool mirror(double half_side, double& at) {
  const bool outside = std::abs(at) > half_side;
  if (outside) at = std::copysign(2 * half_side, at) - at;
  return outside;
}

}  // namespace

TripSet generated_trips(const GeneratedTripsOptions& options, const random::Key& key) {
  if (options.trips < 1 || options.trips > 10'000'000)
    throw InvalidOption("trips", "must lie between 1 and 10,000,000");
  if (options.points < 2 || options.points > 100'000)
    throw InvalidOption("points", "must lie between 2 and 100,000");
  if (!(options.half_side > 0 && options.half_side <= 1e6))
    throw InvalidOption("half_side", "must be above 0 and at most a million");
  const double side = options.half_side, step = step_share * side;
  const random::StreamFamily streams = key.streams("generated trips");
  TripSet set;
  for (std::size_t i = 0; i < options.trips; ++i) {
    random::Stream stream = streams.stream(i);
    double x = between(-side, side, stream), y = between(-side, side, stream);
    double heading = between(0, 2 * std::numbers::pi, stream);
    for (std::size_t k = 0; k < options.points; ++k) {
      set.point.push_back({static_cast<float>(x), static_cast<float>(y)});
      x += step * std::cos(heading);
      y += step * std::sin(heading);
      if (mirror(side, x)) heading = std::numbers::pi - heading;
      if (mirror(side, y)) heading = -heading;
      heading += between(-most_turn, most_turn, stream);
    }
    set.end_trip();
  }
  return set;
}

}  // namespace fogline::traces
