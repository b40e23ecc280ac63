// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <limits>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "random/public_key.hpp"
#include "traces/beliefs/beliefs.hpp"
#include "traces/invention/outline.hpp"

namespace fogline::traces {

/// Thrown before there is a single one, since counts that somebody else wrote may ask for more points than there is room for.
class TooManyPoints : public Error {
 public:
  using Error::Error;
};

struct EmitOptions {
  std::int64_t max_duration_s = 86'400;  ///< no trip takes longer; 1 or more
  std::function<bool(const PlanePoint&)> open =
      {};  ///< where points may lie; one that would not stays on its outline; empty: everywhere
  std::uint64_t most_points =
      std::numeric_limits<std::uint64_t>::max();  ///< more are not made: TooManyPoints
  ParallelOptions parallel = {};                  ///< the result does not depend on it
  Progress progress = {};                         ///< is told of trips, and may cancel
};

/// Points along outlines, as far from each other as is believed and turning about as much, with times of a day if
/// these are known: starts as believed over the day, and a speed as believed for the trip's length. Times rise within
/// a trip; one that would have more points than seconds has fewer points. The trips come in random order, so that the
/// first ones are a fair sample of all.
///
/// Cost: about 50 nanoseconds a point.
TripSet emit(const Outlines& outlines, const Beliefs& beliefs, const random::PublicKey& key,
             const EmitOptions& options);

}  // namespace fogline::traces
