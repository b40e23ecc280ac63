// SPDX-License-Identifier: Apache-2.0
#include "place/automatic_spacing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/int128.hpp"

namespace fogline::place {
namespace {

constexpr double mm_per_m = 1000;

/// Of 1 / epsilon; in millimetres for a metre.
constexpr std::uint64_t share_mm = 750;

/// Half of it is what a phone does not know of its place.
constexpr std::uint64_t least_mm = 5'000;

/// A point on a road lies half a piece from a vertex at most: twice the farthest distance would do, on a perfect plane. The plane on
/// which distances are measured stretches them towards the ends of a large map, and a tenth is more than it does.
constexpr double pieces_of_max_snap = 2 * 0.9;

constexpr std::uint64_t most_mm = std::numeric_limits<graph::LengthMm>::max();

}  // namespace

graph::LengthMm automatic_spacing_mm(const privacy::EpsilonPerMetre& epsilon, double max_snap_m) {
  if (!(max_snap_m > 0)) throw InvalidOption("max-snap", "must be above 0");
  const Rational& rate = epsilon.value();
  const Uint128 share_of_inverse = static_cast<Uint128>(rate.denominator()) * share_mm / rate.numerator();
  const double bound_mm = std::floor(max_snap_m * mm_per_m * pieces_of_max_snap);
  const auto most = bound_mm < static_cast<double>(most_mm)
                        ? std::max<std::uint64_t>(1, static_cast<std::uint64_t>(bound_mm))
                        : most_mm;
  const auto wanted = static_cast<std::uint64_t>(std::clamp<Uint128>(share_of_inverse, least_mm, most_mm));
  return static_cast<graph::LengthMm>(std::min(wanted, most));
}

}  // namespace fogline::place
