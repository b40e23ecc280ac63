// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "path/public_path.hpp"
#include "path/published_split.hpp"
#include "privacy/guarantee.hpp"
#include "random/stream.hpp"

namespace fogline::path {

/// The paper's layered publication of a route, for comparison.
///
///     PublishedPath paper{{.epsilon_edges = privacy::Epsilon{1, 1}}};
///     PublicPath shown = paper.release(map, route, noise);         // shown.layers: the paper's G_P
///
/// Guarantee  none. Stops, layers and splits follow the order of the route, and a pair that is ruled out is certainly no step of it. The paper claims
///            (epsilon_v + epsilon_e + ln 2)-DP.
/// Source     Lu and Shen, Protect Edge Privacy in Path Publishing with Differential Privacy, 2020; Algorithms 1 to 6, with what their lost listings leave open decided in
///            published_layers.hpp and published_split.hpp.
/// Utility    who knows all roads reads every step; the direction as often as path/published_direction.hpp can tell.
/// Cost       3 s at 100 stops, which is the most, else InvalidOption; under a millisecond at ten.
struct PublishedOptions {
  std::optional<privacy::Epsilon> epsilon_vertices =
      {};  ///< Algorithm 1. Empty: a vertex has as many stops as visits, at least one
  std::optional<privacy::Epsilon> epsilon_edges =
      {};  ///< Algorithm 2. Empty: every pair without a road is a candidate
  PublishedLayersOptions layers = {};
};

class PublishedPath {
 public:
  static constexpr std::size_t most_stops = 100;
  static constexpr std::uint32_t most_visits = 8;  ///< of a vertex, which the file can hold

  explicit PublishedPath(const PublishedOptions& options);  ///< throws InvalidOption for an epsilon above 40

  /// Throws InvalidRoute or InvalidOption, before the first draw, for what `release` refuses.
  void require(const RouteMap& map, const Route& route) const;
  PublicPath release(const RouteMap& map, const Route& route, random::Stream& noise) const;

  /// The same with what it took.
  struct Release {
    PublicPath shown;
    std::vector<StopId> path;  ///< private: the stops of the route in order
    std::uint64_t splits = 0, steps = 0, gave_ups = 0;
  };
  Release release_in_full(const RouteMap& map, const Route& route, random::Stream& noise) const;

  const PublishedOptions& options() const { return options_; }

 private:
  PublishedOptions options_;
};

/// Algorithm 1: how many stops each vertex has. n of num..max(2, the most visits of any vertex) with weight exp(-epsilon_v n / 2); the degrees of the paper's quality function
/// are the same for every n and cancel.
Stops published_stops(const RouteMap& map, const Route& route,
                      const std::optional<privacy::Epsilon>& epsilon_vertices, random::Stream& noise);

/// The route over stops: each visit takes the next stop of its vertex.
std::vector<StopId> stops_of_route(const Stops& stops, const Route& route);

/// Algorithm 2: the candidates. A step is one, another road is none, a pair without a road is one with probability 1 / (1 + exp(epsilon_e / 2)).
graph::BitGraph published_candidates(const RouteMap& map, const Stops& stops, const std::vector<StopId>& path,
                                     const std::optional<privacy::Epsilon>& epsilon_edges,
                                     random::Stream& noise);

/// Algorithm 3, lines 4 and 5: turned so that the roots are at least as close to the start of the path as the leaves, by rule 5. Layers are numbered from the roots.
PublishedLayers turned_to_start(PublishedLayers layers, const std::vector<StopId>& path);

}  // namespace fogline::path
