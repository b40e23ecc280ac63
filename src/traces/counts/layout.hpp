// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "base/rational.hpp"

namespace fogline::traces {

/// What is counted. What is counted later may look at the noisy answers of what came before: strings at pairs and
/// triples, visits at ends, moves and fine visits, and everything at the number of trips.
enum class Statistic : std::uint8_t {
  trips,          ///< how many
  start_end,      ///< start and end cell together, coarse grid
  starts,         ///< start cell, fine grid
  ends,           ///< end cell, fine grid
  pairs,          ///< moves between coarse cells
  triples,        ///< two moves in a row
  strings,        ///< likely strings of four to six coarse cells
  fine_visits,    ///< cells passed, fine grid
  coarse_visits,  ///< cells passed, coarse grid, those that few pass getting more of a trip
  visits,         ///< cells passed, medium grid, likewise
  lengths,
  diameters,
  reaches,    ///< number of medium cells passed, by length
  crossings,  ///< number of moves between coarse cells, by length
  shapes,     ///< diameter, length against it and displacement against it, together
  steps,      ///< mean distance of successive points, by length
  strides,    ///< distances of successive points against a trip's mean
  turns,      ///< turning angles
  hours,      ///< time of day of the start
  speeds      ///< mean speed, by length
};
inline constexpr std::size_t statistic_count = 20;
std::string_view to_string(Statistic statistic);

/// Cells and bins of every statistic, and how the budget is shared. A function of public things and of the noisy
/// number of trips alone.
struct Layout {
  /// Columns and rows. Pairs of coarse cells and two moves in a row are tables of their own, of 1,296 and 2,916
  /// numbers: hence so coarse a grid. Cells of the finest one have numbers of 16 bits. Chosen, not derived, and so are
  /// the numbers of bins and the edges below: any keep the promise, but a file of counts means these.
  static constexpr std::uint32_t coarse = 6, medium = 15, finest = 180;
  /// Of lengths and diameters; a class of lengths, or of diameters in `shapes`, is several of their bins.
  static constexpr std::uint32_t length_bins = 48, diameter_bins = 32, length_classes = 4;
  static constexpr std::uint32_t shape_diameters = 8, shape_ratios = 8, shape_displacements = 6;
  /// What a bin of steps, strides and speeds is: layout.cpp. One of turns has five degrees, one of hours half an hour.
  static constexpr std::uint32_t step_bins = 22, stride_bins = 30, reach_bins = 12, crossing_bins = 12,
                                 turn_bins = 36, hour_bins = 48, speed_bins = 32;

  /// A move counts as one of so many, or of as many as the trip has if these are more: trips with few moves do not
  /// use all that they may count, so that a move of theirs weighs as much as another's. Chosen, not derived.
  static constexpr std::uint32_t least_moves = 4;

  /// Likewise for the favours of the cells that a trip passes, an average cell having 256: trips along the beaten
  /// track alone count for less than one, so that a rare cell counts about as much in one trip as in another. Two and a
  /// half average cells: chosen, not derived.
  static constexpr std::uint32_t least_favour = 640;

  /// Likewise for a string of cells; how many are asked about: each has its noise, and later ones are expected less
  /// often. Chosen, not derived.
  static constexpr std::uint32_t least_strings = 2, most_strings = 256;

  /// Shares of epsilon are counted in these; what a statistic gets at least if it is asked at all.
  static constexpr std::uint32_t all_shares = 10'000, least_share = 40;

  double width_m = 0, height_m = 0;
  double max_length_m = 0;
  std::uint32_t fine = 30;  ///< columns and rows of the fine grid: 30 or a multiple
  std::array<std::uint32_t, statistic_count> share{};  ///< of 10,000; sums to 10,000

  double diagonal_m() const { return std::hypot(width_m, height_m); }
  std::uint32_t share_of(Statistic s) const { return share[static_cast<std::size_t>(s)]; }
  std::uint32_t bins_of(Statistic s) const;

  /// Bins that grow like squares: short trips are told apart finely.
  static std::uint32_t square_bin(double value, double most, std::uint32_t bins) {
    const double at = std::sqrt(std::clamp(value / most, 0.0, 1.0)) * bins;
    return std::min(static_cast<std::uint32_t>(at), bins - 1);
  }
  static double square_edge(std::uint32_t bin, double most, std::uint32_t bins) {
    const double part = static_cast<double>(bin) / bins;
    return most * part * part;
  }
  std::uint32_t length_class(double length_m) const {
    return square_bin(length_m, max_length_m, length_bins) * length_classes / length_bins;
  }
  std::uint32_t shape_bin(double diameter_m, double length_m, double displacement_m) const;
  static std::uint32_t reach_bin(std::uint32_t cells);
  static std::uint32_t crossing_bin(std::uint32_t moves);
  static std::uint32_t step_bin(double metres);           ///< half powers of two from 8 m on
  static double step_edge(std::uint32_t bin);             ///< lower edge
  static std::uint32_t stride_bin(double share_of_mean);  ///< third roots of two from 1/256 on
  static double stride_edge(std::uint32_t bin);
  /// Half powers of two from 1/256 m/s, 14 m an hour, to 256 m/s: waiting, and flying; what is slower or faster counts
  /// as that.
  static std::uint32_t speed_bin(double m_s);
  static double speed_edge(std::uint32_t bin);
};

/// The lower edges of the classes of length/diameter and displacement/diameter: narrow where trips go straight or come
/// back to where they started, that these may be told from all others.
inline constexpr std::array<double, 9> ratio_edges{1, 1.05, 1.15, 1.3, 1.6, 2.1, 3, 4.5, 8};
inline constexpr std::array<double, 7> displacement_edges{0, 0.1, 0.35, 0.65, 0.9, 0.99, 1};

/// The lower edges of the classes of numbers of cells; the last is where the highest class is taken to end. One number
/// each at first, then a quarter to a half more from one to the next.
inline constexpr std::array<std::uint32_t, 13> reach_edges{1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 23, 32, 48};
/// Likewise for numbers of moves.
inline constexpr std::array<std::uint32_t, 13> crossing_edges{0, 1, 2, 3, 4, 5, 6, 8, 11, 15, 21, 29, 40};

/// How much can be told of so many trips times epsilon: 0 at 1,400 and below, 1 from 14,000 on.
double telling(double trips_times_epsilon);

struct LayoutOptions {
  double width_m = 0, height_m = 0, max_length_m = 0;
  double trips = 0;    ///< noisy or declared
  double epsilon = 0;  ///< per trip: already divided by what one user may add
  bool has_time = false;
  bool counts_trips = true;  ///< false: their number is public
};
Layout make_layout(const LayoutOptions& options);

}  // namespace fogline::traces
