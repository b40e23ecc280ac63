// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/progress.hpp"
#include "random/public_key.hpp"
#include "traces/beliefs/beliefs.hpp"
#include "traces/frame/trip_set.hpp"

namespace fogline::traces {

/// Trips as a few nodes each, with what they should become: the drafts that refinement works on.
struct Outlines {
  std::vector<std::uint64_t> offset = {
      0};  ///< trip i owns the nodes offset[i] to offset[i + 1] - 1, two or more
  std::vector<PlanePoint> node;
  std::vector<float> length_m, diameter_m;  ///< wanted
  std::vector<float> cells;                 ///< wanted number of medium cells passed; set by refine()
  std::vector<float> moves;                 ///< wanted number of moves between coarse cells; likewise
  std::vector<float> step_m;                ///< wanted mean distance of points

  std::size_t size() const { return offset.size() - 1; }
  std::span<PlanePoint> trip(std::size_t i) {
    return std::span(node).subspan(offset[i], offset[i + 1] - offset[i]);
  }
  std::span<const PlanePoint> trip(std::size_t i) const {
    return std::span(node).subspan(offset[i], offset[i + 1] - offset[i]);
  }
};

/// Of an outline. Points between them are placed later; what a trip costs to refine grows with them. Chosen, not
/// derived.
inline constexpr std::size_t most_nodes = 32;

/// Draws outlines: numbers of trips between cells, of starts and ends in them, of lengths, diameters and steps as
/// believed, rounded so that sums stay right rather than drawn; then joined by rank where they are not known
/// together, and a curve between start and end for each. `open` says where nodes may lie; empty: everywhere.
/// `progress` is told of trips, and may cancel.
Outlines draw_outlines(const Beliefs& beliefs, std::uint64_t trips, const random::PublicKey& key,
                       const std::function<bool(const PlanePoint&)>& open, const Progress& progress = {});

}  // namespace fogline::traces
