// SPDX-License-Identifier: Apache-2.0
#include "kernel/capped_drawer.hpp"

#include <algorithm>

#include "base/parallel.hpp"
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
    if (position >= found_sum() && found_mm_ < near_mm_) search_until(input, position);
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
  if (kernel_->draw_bounds().empty()) {
    find_bound(input);
  } else {
    vertex_.clear();
    up_to_.clear();
    found_mm_ = 0;
    near_mm_ = kernel_->near_part(input).radius_mm;
    bound_ = kernel_->draw_bounds()[input];
  }
  input_ = input;
}

void CappedDrawer::search_until(VertexId input, const Uint128& position) {
  // An eighth of the near part first: its area, and what a search costs, is a sixty-fourth.
  constexpr graph::DistanceMm first_part = 8;
  while (found_mm_ < near_mm_ && position >= found_sum()) {
    found_mm_ = found_mm_ == 0 ? std::max<graph::DistanceMm>(near_mm_ / first_part, 1) : 2 * found_mm_;
    found_mm_ = std::min(found_mm_, near_mm_);
    find_within(input, found_mm_);
  }
}

void CappedDrawer::find_bound(VertexId input) {
  const CappedExponential::NearPart part = kernel_->near_part(input);
  near_mm_ = found_mm_ = part.radius_mm;
  find_within(input, part.radius_mm);
  const Uint128 most_beyond = part.most_of_one * (part.most_count - vertex_.size()) + part.most_of_rest;
  bound_ = found_sum() + most_beyond;
  // Little near the input, as in a range far away: a bound so loose would cost more draws than it saves searching.
  if (most_beyond > found_sum()) {
    complete(input);
    bound_ = total_;
  }
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

std::vector<Uint128> find_draw_bounds(const CappedExponential& kernel, const graph::Graph& graph,
                                      const BoundOptions& options) {
  std::vector<Uint128> bounds(graph.vertex_count());
  ProgressMeter meter(options.progress, "bounding the draws", bounds.size());
  // A thread's search has memory of the map's size to make first.
  constexpr std::size_t searches_a_task = 256;
  parallel_for(bounds.size(), {.threads = options.threads, .grain = searches_a_task},
               [&](std::size_t begin, std::size_t end) {
                 graph::Dijkstra search(graph);
                 CappedDrawer drawer(kernel, search);
                 for (std::size_t v = begin; v < end; ++v) {
                   drawer.complete_ = false;
                   drawer.find_bound(static_cast<VertexId>(v));
                   bounds[v] = drawer.bound_;
                   meter.advance();
                 }
               });
  meter.finish();
  return bounds;
}

}  // namespace fogline::kernel
