// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "traces/frame/cell_grid.hpp"
#include "traces/frame/trip_set.hpp"
#include "traces/measures/discs.hpp"
#include "traces/measures/key_counts.hpp"
#include "traces/measures/measures.hpp"
#include "traces/measures/next_cell.hpp"

namespace fogline::traces {

/// The grids and discs that both sets are counted on.
struct MeasureGrids {
  MeasureGrids(const MeasureBox& box, std::vector<Disc> query_discs);

  CellGrid six, ten, fifteen, thirty;
  CellGrid hundred_m;  ///< cells of 100 m; those in the east and north reach beyond the box
  DiscIndex discs;
};

/// What one set of trips looks like on these grids: all that the measures need of it. Whole numbers only, so that parts add up to the same
/// whole in any order.
struct SetCounts {
  explicit SetCounts(const MeasureGrids& grids);

  std::vector<std::uint64_t> touching;              ///< trips per disc
  std::vector<std::uint64_t> passing_15;            ///< trips per cell, each once
  std::vector<std::uint64_t> visits_15, visits_30;  ///< cells of walks; a return counts again
  std::vector<std::uint64_t> starts_30, ends_30;
  std::vector<std::uint64_t> trips_6, trips_10;  ///< start cell times the number of cells, plus end cell
  std::vector<std::uint64_t> turns, turn_hundredths;
  std::vector<std::uint64_t> spacings, spacing_thousandths;  ///< logarithms to base 10
  std::vector<std::uint64_t> half_hours;                     ///< of the day, at which trips start
  KeyCounts strings_6;                                       ///< of 2 to 8 cells, six bits each
  KeyCounts points_100, trips_100;
  NextCellCounts even, odd;  ///< on 15 x 15, trips of even and of odd index

  void add(const SetCounts& other);
  double median_turn() const;     ///< degrees, to a hundredth; 0 if there is none
  double median_spacing() const;  ///< metres, to a part in 500
};

/// Numbers of each trip by itself.
struct TripNumbers {
  std::vector<double> length_m, diameter_m;
  std::vector<double> duration_s;  ///< empty without times
};

struct CountedSet {
  SetCounts counts;
  TripNumbers numbers;
};

/// One pass over the trips.
CountedSet count_set(const TripSet& trips, const MeasureGrids& grids, const ParallelOptions& parallel,
                     ProgressMeter& meter);

}  // namespace fogline::traces
