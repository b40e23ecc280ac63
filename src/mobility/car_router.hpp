// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "roads/network.hpp"

namespace fogline::mobility {

/// Speed at which a class of road is driven when it is empty, in km/h.
std::uint32_t free_speed_km_h(roads::RoadClass road_class);

/// One road of a route, and whether it is driven from its tail to its head.
struct RouteStep {
  std::uint32_t road = 0;  ///< index into RoadNetwork::roads
  bool forward = true;
};

/// Quickest ways by car: travel time by class of road, one-way streets respected.
///
///     CarRouter router(city.network);
///     std::vector<RouteStep> way = router.route(home, work, {.taste_seed = driver});
///
/// People differ in what they take for the quickest way: a taste changes the time of each road by up to 15%, the
/// same for the same seed. One router per thread; the network must outlive it. Cost: a search that ends at the
/// goal, O(m log n) at worst.
class CarRouter {
 public:
  struct Options {
    std::uint64_t taste_seed = 0;  ///< 0: exact travel times
  };

  explicit CarRouter(const roads::RoadNetwork& network);

  /// Empty if start and goal are the same or there is no way.
  std::vector<RouteStep> route(graph::VertexId start, graph::VertexId goal, const Options& options);

 private:
  struct Exit {
    graph::VertexId to = 0;
    RouteStep step;
  };
  struct Label {
    std::uint64_t time_ms = 0;
    std::uint64_t search = 0;  ///< the label counts only in the search it was set in
    graph::VertexId from = 0;
    RouteStep step;
  };

  std::uint64_t time_ms(std::uint32_t road, std::uint64_t taste_seed) const;
  std::vector<RouteStep> trace_back(graph::VertexId start, graph::VertexId goal) const;

  const roads::RoadNetwork* network_;
  std::vector<std::vector<Exit>> exits_;
  std::vector<Label> labels_;
  std::uint64_t search_ = 0;
};

}  // namespace fogline::mobility
