// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "random/stream.hpp"
#include "traces/rules/constraints.hpp"
#include "traces/rules/open_ground.hpp"

namespace fogline::traces {

/// What can be mended in the times of a trip alone. Each returns whether it changed anything.
///
///     delayed = keep_to_limits(course, rules, slack) | make_stops(course, rules);

/// Steps over a limit last as long as the limit asks, and what comes after is delayed. A delay is made up for on later steps under a limit that were slower than it.
bool keep_to_limits(Course& course, const Constraints& constraints, const Slack& slack);

/// Puts a point into each stop area that a step crosses, so that there is somewhere to stop; the way stays the same.
bool enter_stop_areas(Course& course, const Constraints& constraints, const Slack& slack);

/// Times rise from point to point again after points have been added: what shares a second with the point before comes a second later.
bool part_seconds(Course& course);

/// Waits where a stop is too short: a second point at the same place, and what comes after is delayed.
bool make_stops(Course& course, const Constraints& constraints);

/// The least shift in time, earlier or later, after which no point lies in a closed area; 0 if none does. Nothing if it would be more than longest_s.
std::optional<std::int64_t> least_shift(const Course& course, const Constraints& constraints,
                                        const Slack& slack, std::int64_t longest_s, random::Stream& ties);

}  // namespace fogline::traces
