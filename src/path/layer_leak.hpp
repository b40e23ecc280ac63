// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/progress.hpp"
#include "path/attacks.hpp"
#include "path/public_path.hpp"

namespace fogline::path {

inline constexpr std::size_t most_layered_vertices = 16;

struct LayerLeakOptions {
  std::uint64_t most_paths = 200'000;  ///< that are built, both directions counted; 1 to 10^7
  int threads = 0;
  Progress progress = {};
};

/// What the layers of the paper's form tell beyond the labels, because they are built in the order of the route.
struct LayerLeak {
  std::uint64_t paths = 0;  ///< that the labels leave, both directions counted
  std::uint64_t left = 0;   ///< of these, for which the paper's construction gives the published layers
  std::vector<Belief> beliefs =
      {};  ///< per pair that was asked for: before from the labels alone, after from the layers too
  std::optional<double> direction =
      {};  ///< what a reader who knows the route, but not which end is its start, believes of the likelier one: 1/2 or 1. Empty without a route
};

/// A reader who knows no road, but that the route visits every vertex once, builds the layers of every path that the labels leave and keeps those that agree.
///
///     std::optional<LayerLeak> leak = layer_leak(shown, pairs, route);
///     if (leak) leak->left;                           // often 1: the route, with its direction
///
/// The numbers that pieces have in the file are not looked at. `route` is over stops, or empty. Empty result: not the published form, several stops a vertex, more than
/// most_layered_vertices, or more than most_paths paths. Cost: one construction a path.
std::optional<LayerLeak> layer_leak(const PublicPath& shown, std::span<const VertexPair> pairs,
                                    std::span<const StopId> route, const LayerLeakOptions& options = {});

}  // namespace fogline::path
