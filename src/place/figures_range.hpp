// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "place/figures.hpp"
#include "roads/network.hpp"

namespace fogline::place {

/// What GEM's optimised range gains: figures 7, 8, 10 and 16 of the paper.
///
///     Figure figure = four_places_figure({});
///     figure.result;                       // "Q_loss ... m with every vertex, ... m with the range"

/// Figures 7 and 8. Square lattices of side 1,000 m, all vertices equally likely, 0.01 per metre.
Figure optimise_time_figure(const FigureOptions& options);
Figure optimise_gain_figure(const FigureOptions& options);

/// Figure 10. The lattice of 20 x 20 and side 1,500 m with four_places_prior at 0.01 per metre. A row per vertex.
Figure four_places_figure(const FigureOptions& options);

/// Figure 16. A real map, 1,000 m around its centre, with bus_stops_prior, epsilon varied.
Figure bus_stops_figure(const FigureOptions& options);

/// Likely places a quarter of the way in from each corner of a square lattice: 1 everywhere, and 40 exp(-d / 75 m) more at road distance d
/// from each of the four, divided by the sum. The paper shows its prior in a picture only.
std::vector<double> four_places_prior(const roads::RoadNetwork& lattice);

/// Stops are chosen outwards from the centre: every vertex at least 300 m by road from the stops before it. The k-th is used by
/// 1/k of the people of the first, and they are exp(-d / 100 m) as likely to be at road distance d from it. Invented and public.
struct BusStops {
  std::vector<graph::VertexId> stop = {};  ///< the most used first
  std::vector<double> prior = {};          ///< per vertex
};
BusStops bus_stops_prior(const roads::RoadNetwork& map);

}  // namespace fogline::place
