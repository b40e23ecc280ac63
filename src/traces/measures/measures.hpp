// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "traces/frame/trip_set.hpp"

namespace fogline::traces {

/// How good a synthetic set of trips is, by the field's measures; docs/measures.md has each definition. JSD is the Jensen-Shannon divergence with natural
/// logarithms, 0 to ln 2. Smaller is better but for kendall, f1, and the shares.
struct TraceMeasures {
  double query = 0;          ///< mean relative error of counts of trips that touch a disc
  double query_sixth = 0;    ///< discs of a sixth of the larger side
  double query_twelfth = 0;  ///< and of a twelfth
  double kendall = 0;        ///< tau-b of trip counts on 15 x 15 cells
  double f1 = 0;             ///< of the 100 most frequent strings of 2 to 8 cells, 6 x 6
  double trip = 0;           ///< JSD of starts and ends together, 6 x 6
  double trip_fine = 0;      ///< 10 x 10
  double diameter = 0;       ///< JSD over 20 bins of the true range
  double length = 0;         ///< JSD over 20 bins of the true range
  double density = 0;        ///< JSD of cell visits, 15 x 15
  double density_fine = 0;   ///< 30 x 30
  double starts_fine = 0;    ///< JSD of starts, 30 x 30
  double ends_fine = 0;
  double transitions_fine = 0;  ///< JSD of moves between cells of 15 x 15
  double turns = 0;             ///< JSD of turning angles, 36 bins of 0 to 180 degrees
  double spacing = 0;           ///< JSD of distances between successive points, 40 bins on a log scale
  double median_turn_true = 0, median_turn_synthetic = 0;        ///< degrees
  double median_spacing_true = 0, median_spacing_synthetic = 0;  ///< metres
  double paper_length = 0;   ///< the paper's length density error: JSD over 400 bins from 0 to the longest
  double paper_density = 0;  ///< the paper's trajectory density error: JSD of points in cells of 100 m
  double paper_trip = 0;     ///< the paper's trip error: JSD of start and end cells of 100 m
  std::optional<double> time_of_day;  ///< JSD of start times, 48 bins; if both have times
  std::optional<double> duration;     ///< JSD of durations, 20 bins of the true range
  double next_cell_real =
      0;  ///< share of next cells (15 x 15) of held-out real trips that a second-order model of the other real trips predicts
  double next_cell_synthetic = 0;  ///< the same, the model learned from the synthetic trips
};

struct MeasureOptions {
  std::uint32_t queries = 200;  ///< 1 to 100,000
  std::uint64_t seed = 1;       ///< of the discs; the same seed gives the same discs
  double query_share =
      1.0 /
      3;  ///< radius of a disc as a share of the larger side; the field takes 1/3 for T-Drive and 1/2.5 for Geolife
  ParallelOptions parallel = {};
  Progress progress = {};
};

/// The box in which discs are drawn and which all grids divide.
struct MeasureBox {
  double west_m = 0, south_m = 0, width_m = 0, height_m = 0;
};
MeasureBox box_of(
    const TripSet&
        trips);  ///< the smallest that holds them (at least 1 m wide and high), as the field's evaluators take it

/// Every measure, in one pass over each set.
///
///     TraceMeasures m = measure(truth, synthetic, box_of(truth), {.queries = 200, .seed = 7});
///
/// Throws InvalidOption outside the ranges, or for an empty set. Cost: about a second for 16,000 trips of 100 points on two cores.
TraceMeasures measure(const TripSet& truth, const TripSet& synthetic, const MeasureBox& box,
                      const MeasureOptions& options);

}  // namespace fogline::traces
