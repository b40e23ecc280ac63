// SPDX-License-Identifier: Apache-2.0
#include "kernel/capped_drawer.hpp"

#include <algorithm>

#include "random/noise.hpp"

namespace fogline::kernel {

using graph::VertexId;

VertexId CappedDrawer::draw(VertexId input, random::Stream& noise) {
  return static_cast<VertexId>(random::choose(
      "place", noise, [&] { return drawn(input, noise); },
      [&](std::uint64_t output) { return kernel_->odds(static_cast<VertexId>(output), input, *search_); }));
}

VertexId CappedDrawer::drawn(VertexId input, random::Stream& noise) {
  if (input_ != input) prepare(input);
  while (true) {
    const Uint128 position = noise.below128(bound_);
    if (position < found_sum()) return at(position);
    if (!complete_) complete(input);
    if (position < found_sum()) return at(position);
    if (position < total_) return drawn_beyond_cap(noise);
  }
}

VertexId CappedDrawer::at(const Uint128& position) const {
  const auto found = std::upper_bound(up_to_.begin(), up_to_.end(), position);
  return vertex_[static_cast<std::size_t>(found - up_to_.begin())];
}

VertexId CappedDrawer::drawn_beyond_cap(random::Stream& noise) const {
  // All weights are equal there: a uniform vertex of the range, drawn again while it lies inside.
  std::vector<VertexId> inside = vertex_;
  std::sort(inside.begin(), inside.end());
  const auto range = kernel_->range();
  while (true) {
    const VertexId candidate = range[noise.below(range.size())];
    if (!std::binary_search(inside.begin(), inside.end(), candidate)) return candidate;
  }
}

void CappedDrawer::prepare(VertexId input) {
  input_.reset();  // should the search throw
  complete_ = false;
  const CappedExponential::NearPart part = kernel_->near_part(input);
  find_within(input, part.radius_mm);
  const Uint128 most_beyond = part.most_of_one * (part.most_count - vertex_.size()) + part.most_of_rest;
  bound_ = found_sum() + most_beyond;
  // Little near the input, as in a range far away: a bound so loose would cost more draws than it saves searching.
  if (most_beyond > found_sum()) {
    complete(input);
    bound_ = total_;
  }
  input_ = input;
}

void CappedDrawer::find_within(VertexId input, graph::DistanceMm radius_mm) {
  vertex_.clear();
  up_to_.clear();
  Uint128 sum = 0;
  for (const auto& [vertex, distance_mm] : search_->within(input, radius_mm)) {
    if (!kernel_->in_range(vertex)) continue;
    sum += kernel_->weight(vertex, distance_mm);
    vertex_.push_back(vertex);
    up_to_.push_back(sum);
  }
}

void CappedDrawer::complete(VertexId input) {
  // Lists by distance: what was found before is the beginning of what is found now.
  find_within(input, kernel_->rule().cap_mm() - 1);
  total_ = found_sum() + ExponentialRule::tail_weight * (kernel_->range().size() - vertex_.size());
  complete_ = true;
}

}  // namespace fogline::kernel
