// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "random/key.hpp"
#include "traces/beliefs/beliefs.hpp"
#include "traces/invention/outline.hpp"

namespace fogline::traces {

struct EmitOptions {
  std::int64_t max_duration_s = 86'400;  ///< no trip takes longer; 1 or more
  std::function<bool(const PlanePoint&)> open =
      {};  ///< where points may lie; one that would not stays on its outline; empty: everywhere
  ParallelOptions parallel = {};  ///< the result does not depend on it
  Progress progress = {};         ///< is told of trips, and may cancel
};

/// Points along outlines, as far from each other as is believed and turning about as much, with times of a day if
/// these are known: starts as believed over the day, and a speed as believed for the trip's length. Times rise within
/// a trip; one that would have more points than seconds has fewer points. The trips come in random order, so that the
/// first ones are a fair sample of all.
///
/// Cost: about 50 nanoseconds a point.
TripSet emit(const Outlines& outlines, const Beliefs& beliefs, const random::Key& key,
             const EmitOptions& options);

}  // namespace fogline::traces
