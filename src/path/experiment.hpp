// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/figure_kind.hpp"
#include "path/published.hpp"
#include "path/sample_route.hpp"
#include "random/key.hpp"

namespace fogline::path {

/// A size of the maps that the paper publishes routes on.
struct MapSize {
  std::uint32_t vertices = 0;
  std::uint64_t roads = 0;
  friend bool operator==(const MapSize&, const MapSize&) = default;
};

/// Section 5.1: 5 to 10 vertices, and from the roads of a route through all of them to a road between any two. 122 sizes.
std::vector<MapSize> paper_sizes();

/// The map of one run: a route through all vertices and other roads, drawn evenly (path/sample_route.hpp). The same for the same size and run.
SampleRoute experiment_map(const MapSize& size, std::uint64_t run, bool cyclic = false);

/// What the paper counts of one publication: 1 if the start of the route is found, 0.5 if both ends are as likely, 0 if the other end is taken for it.
double good_output(const PublishedLayers& layers, const std::vector<StopId>& path);

/// The paper's layers of a map without differential privacy and without splitting (Figure 8).
struct PlainLayers {
  bool usable = false;      ///< backtracking found layers
  bool orientable = false;  ///< transitive orientation says there are some
  double good = 0;          ///< good_output, if usable
  std::uint64_t steps = 0;  ///< of backtracking, to the end
};
PlainLayers plain_layers(const SampleRoute& made);

/// Means over the publications of maps of one size, as many as there are runs.
struct PublishedRuns {
  double good = 0;
  double pieces_per_stop = 0;
  double steps = 0;
  double milliseconds = 0;  ///< 0 without a clock
  std::uint64_t gave_ups = 0;
};
PublishedRuns publish_runs(const MapSize& size, const PublishedOptions& options, std::uint64_t runs,
                           bool cyclic, const std::function<double()>& seconds);

/// Calls `body` for 0, 1, ..., count - 1, on the threads that the figure may use, and reports progress.
void for_each_cell(std::size_t count, const FigureOptions& options,
                   const std::function<void(std::size_t)>& body);

}  // namespace fogline::path
