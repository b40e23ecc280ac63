// SPDX-License-Identifier: Apache-2.0
#include "kernel/capped_exponential.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "base/error.hpp"
#include "kernel/ball_bound.hpp"
#include "kernel/capped_drawer.hpp"

namespace fogline::kernel {
namespace {

/// What outputs beyond weigh at most is made of two such parts, near and far: a quarter of an output at distance 0, so
/// that of a draw whose input is in the range four in five need no more than the first search.
constexpr Uint128 eighth = 8;

/// The least distance below the cap at which so many outputs together weigh at most an eighth of one at distance 0.
graph::DistanceMm radius_for(const ExponentialRule& rule, std::uint64_t outputs) {
  const Uint128 enough = rule.weight(0) / eighth / std::max<std::uint64_t>(outputs, 1);
  graph::DistanceMm low = 0, high = rule.cap_mm() - 1;
  while (low < high) {
    const graph::DistanceMm middle = low + (high - low) / 2;
    if (rule.weight(middle) <= enough) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace

CappedExponential::CappedExponential(const graph::Graph& graph, const Options& options)
    : rule_(options.rate_per_mm), range_(options.range), in_range_(graph.vertex_count(), 0) {
  if (graph.vertex_count() == 0) throw InvalidOption("network", "has no vertex");
  if (graph.vertex_count() > ExponentialRule::largest_count) {
    throw InvalidOption("network", fmt::format("has {} vertices; at most {} are supported",
                                               graph.vertex_count(), ExponentialRule::largest_count));
  }
  if (range_.empty()) {
    range_.resize(graph.vertex_count());
    std::iota(range_.begin(), range_.end(), graph::VertexId{0});
  }
  for (const graph::VertexId vertex : range_) {
    if (vertex >= graph.vertex_count()) {
      throw InvalidOption("range", fmt::format("vertex {} is not on the network, whose vertices are 0 to {}",
                                               vertex, graph.vertex_count() - 1));
    }
    if (in_range(vertex)) throw InvalidOption("range", fmt::format("vertex {} stands twice", vertex));
    in_range_[vertex] = 1;
  }
  far_radius_mm_ = radius_for(rule_, range_.size());
  near_outputs_ = options.near_outputs.empty() ? find_near_outputs(graph) : options.near_outputs;
  if (near_outputs_.size() != graph.vertex_count())
    throw InvalidOption("near outputs", "must be given for each vertex");
  for (const std::uint32_t near : near_outputs_)
    if (near > range_.size()) throw InvalidOption("near outputs", "must not be more than there are outputs");
  set_handicaps(options.handicap_mm, graph.vertex_count());
  if (!options.draw_bounds.empty()) keep_draw_bounds(options.draw_bounds);
}

void CappedExponential::keep_draw_bounds(std::vector<Uint128> bounds) {
  if (bounds.size() != in_range_.size()) throw InvalidOption("draw bounds", "must be given for each vertex");
  // A draw below 0 would not come to an end.
  for (const Uint128& bound : bounds)
    if (bound == 0) throw InvalidOption("draw bounds", "must be above 0");
  draw_bounds_ = std::move(bounds);
}

std::vector<std::uint32_t> CappedExponential::find_near_outputs(const graph::Graph& graph) const {
  return ball_bounds(graph, far_radius_mm_, in_range_);
}

CappedExponential::NearPart CappedExponential::near_part(graph::VertexId input) const {
  if (input >= near_outputs_.size()) throw InvalidOption("input", "is not a vertex of the graph");
  const std::uint64_t near = near_outputs_[input];
  const graph::DistanceMm radius_mm = std::min(radius_for(rule_, near), far_radius_mm_);
  return {.radius_mm = radius_mm,
          .most_of_one = rule_.weight(radius_mm),
          .most_count = near,
          .most_of_rest = rule_.weight(far_radius_mm_) * (range_.size() - near)};
}

void CappedExponential::set_handicaps(std::span<const std::uint32_t> handicap_mm, std::size_t vertex_count) {
  if (handicap_mm.empty()) return;
  if (handicap_mm.size() != range_.size()) {
    throw InvalidOption("handicap",
                        fmt::format("has {} numbers for {} outputs", handicap_mm.size(), range_.size()));
  }
  handicap_mm_.resize(vertex_count);
  for (std::size_t i = 0; i < range_.size(); ++i) handicap_mm_[range_[i]] = handicap_mm[i];
}

Uint128 CappedExponential::total(graph::VertexId input, graph::Dijkstra& search) const {
  return odds(range_.front(), input, search).total;
}

random::Odds CappedExponential::odds(graph::VertexId output, graph::VertexId input,
                                     graph::Dijkstra& search) const {
  random::Odds result{in_range(output) ? ExponentialRule::tail_weight : 0, 0};
  std::size_t inside = 0;
  for (const auto& [vertex, distance_mm] : search.within(input, rule_.cap_mm() - 1)) {
    if (!in_range(vertex)) continue;
    const Uint128 share = weight(vertex, distance_mm);
    if (vertex == output) result.weight = share;
    result.total += share;
    ++inside;
  }
  result.total += ExponentialRule::tail_weight * (range_.size() - inside);
  return result;
}

graph::VertexId CappedExponential::draw(graph::VertexId input, graph::Dijkstra& search,
                                        random::Stream& noise) const {
  return CappedDrawer(*this, search).draw(input, noise);
}

WeightRow CappedExponential::row(graph::VertexId input, graph::Dijkstra& search) const {
  const auto distance = search.one_to_all(input);
  WeightRow result;
  result.weights.reserve(range_.size());
  for (const graph::VertexId output : range_) {
    result.weights.push_back(weight(output, distance[output]));
    result.total += result.weights.back();
  }
  return result;
}

}  // namespace fogline::kernel
