// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "stream/steps/step_mechanism.hpp"

namespace fogline::stream {

/// States merged into groups that are near each other and unlikely to matter one by one.
struct StateGroups {
  std::vector<std::uint32_t> group_of = {};              ///< of each state given
  std::vector<std::vector<std::uint32_t>> members = {};  ///< of each group, increasing
};

/// Cuts sets of states into `groups` groups in all, none of which reaches over two sets. A function of points and prior alone, which are
/// public.
///
/// Starts with one group per set and cuts where most is gained: the group whose mass times spread is largest, across the axis of its largest
/// variance, at the place that leaves least of it. So a likely state is soon alone, and unlikely ones far away share a group. Groups of one
/// place are not cut. If there are more sets than `groups`, every set is a group.
///
/// Cost: groups passes at most, usually log(groups), each with a sort of what is cut.
StateGroups group_states(const Situation& situation, std::span<const std::vector<std::uint32_t>> sets,
                         std::size_t groups);

}  // namespace fogline::stream
