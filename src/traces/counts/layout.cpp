// SPDX-License-Identifier: Apache-2.0
#include "traces/counts/layout.hpp"

#include <numeric>

namespace fogline::traces {
namespace {

/// Bins of which each ends at the same multiple of where it begins, the `root`-th root of two. What lies outside counts
/// for the first or the last one: every value must have a bin, or a trip would count for nothing.
std::uint32_t find_root_bin(double value, double first, double root, std::uint32_t bins) {
  if (!(value > first)) return 0;
  return std::min(static_cast<std::uint32_t>(root * std::log2(value / first)), bins - 1);
}

template <std::size_t n>
std::uint32_t find_class(double value, const std::array<double, n>& edges) {
  std::uint32_t found = 0;
  while (found + 2 < n && value >= edges[found + 1]) ++found;
  return found;
}

/// Where bins begin and how many there are to a doubling. Steps: 8 m to 16 km in 22 bins. Strides, as shares of a
/// trip's mean: 1/256 to 4 in 30 bins. Speeds: 1/256 m/s, 14 m an hour, to 256 m/s in 32 bins. Wide enough for people
/// on foot and for aircraft, since what a set holds is not known when bins are made.
constexpr double first_step_m = 8, first_stride = 1.0 / 256, first_speed_m_s = 1.0 / 256;
constexpr double steps_a_doubling = 2, strides_a_doubling = 3, speeds_a_doubling = 2;

/// The fine grid has a multiple of so many columns: the least common multiple of the coarse and the medium grid's, so
/// that each of its cells lies in one of theirs.
constexpr std::uint32_t fine_unit = 30;
static_assert(fine_unit % Layout::coarse == 0 && fine_unit % Layout::medium == 0);

}  // namespace

std::string_view to_string(Statistic statistic) {
  constexpr std::array<std::string_view, statistic_count> names{
      "trips",       "start-end",     "starts",  "ends",    "pairs",     "triples", "strings",
      "fine visits", "coarse visits", "visits",  "lengths", "diameters", "reaches", "crossings",
      "shapes",      "steps",         "strides", "turns",   "hours",     "speeds"};
  return names[static_cast<std::size_t>(statistic)];
}

std::uint32_t Layout::bins_of(Statistic s) const {
  constexpr std::uint32_t cells = coarse * coarse,
                          moves_of_a_king = 9;  // as in moves.hpp, which builds on this
  switch (s) {
    case Statistic::trips:
      return 1;
    case Statistic::start_end:
      return cells * cells;
    case Statistic::starts:
    case Statistic::ends:
    case Statistic::fine_visits:
      return fine * fine;
    case Statistic::coarse_visits:
      return cells;
    case Statistic::pairs:
      return cells * moves_of_a_king;
    case Statistic::triples:
      return cells * moves_of_a_king * moves_of_a_king;
    case Statistic::strings:
      return most_strings;
    case Statistic::visits:
      return medium * medium;
    case Statistic::lengths:
      return length_bins;
    case Statistic::diameters:
      return diameter_bins;
    case Statistic::reaches:
      return length_classes * reach_bins;
    case Statistic::crossings:
      return length_classes * crossing_bins;
    case Statistic::shapes:
      return shape_diameters * shape_ratios * shape_displacements;
    case Statistic::steps:
      return length_classes * step_bins;
    case Statistic::strides:
      return stride_bins;
    case Statistic::turns:
      return turn_bins;
    case Statistic::hours:
      return hour_bins;
    case Statistic::speeds:
      return length_classes * speed_bins;
  }
  return 0;
}

std::uint32_t Layout::shape_bin(double diameter_m, double length_m, double displacement_m) const {
  const std::uint32_t d =
      square_bin(diameter_m, diagonal_m(), diameter_bins) * shape_diameters / diameter_bins;
  const double per =
      diameter_m > 0 ? 1 / diameter_m : 0;  // a trip that stands still: the first class of both
  return (d * shape_ratios + find_class(length_m * per, ratio_edges)) * shape_displacements +
         find_class(displacement_m * per, displacement_edges);
}

std::uint32_t Layout::reach_bin(std::uint32_t cells) {
  std::uint32_t bin = 0;
  while (bin + 1 < reach_bins && cells >= reach_edges[bin + 1]) ++bin;
  return bin;
}

std::uint32_t Layout::crossing_bin(std::uint32_t moves) {
  std::uint32_t bin = 0;
  while (bin + 1 < crossing_bins && moves >= crossing_edges[bin + 1]) ++bin;
  return bin;
}

std::uint32_t Layout::step_bin(double metres) {
  return find_root_bin(metres, first_step_m, steps_a_doubling, step_bins);
}
double Layout::step_edge(std::uint32_t bin) {
  return first_step_m * std::exp2(bin / steps_a_doubling);
}
std::uint32_t Layout::stride_bin(double share) {
  return find_root_bin(share, first_stride, strides_a_doubling, stride_bins);
}
double Layout::stride_edge(std::uint32_t bin) {
  return first_stride * std::exp2(bin / strides_a_doubling);
}
std::uint32_t Layout::speed_bin(double m_s) {
  return find_root_bin(m_s, first_speed_m_s, speeds_a_doubling, speed_bins);
}
double Layout::speed_edge(std::uint32_t bin) {
  return first_speed_m_s * std::exp2(bin / speeds_a_doubling);
}

namespace {

/// Of 10,000: what a statistic gets if little can be told, and if much can.
struct StatisticShare {
  Statistic statistic;
  std::uint32_t little, much;
};
/// Start-end gets the rest. With few trips or a small epsilon histograms and ends come first, since all else builds on
/// them; what has many cells would be noise.
///
/// Chosen by experiment, on T-Drive and Geolife (docs/mechanisms/traces.md); any shares that add up keep the promise.
constexpr std::array shares{
    StatisticShare{Statistic::starts, 40, 100},       StatisticShare{Statistic::ends, 40, 100},
    StatisticShare{Statistic::pairs, 900, 1200},      StatisticShare{Statistic::triples, 200, 1300},
    StatisticShare{Statistic::strings, 0, 220},       StatisticShare{Statistic::visits, 2700, 2700},
    StatisticShare{Statistic::coarse_visits, 0, 150}, StatisticShare{Statistic::fine_visits, 60, 240},
    StatisticShare{Statistic::lengths, 500, 230},     StatisticShare{Statistic::diameters, 450, 390},
    StatisticShare{Statistic::reaches, 180, 70},      StatisticShare{Statistic::crossings, 80, 60},
    StatisticShare{Statistic::shapes, 600, 280},      StatisticShare{Statistic::steps, 250, 140},
    StatisticShare{Statistic::strides, 110, 60},      StatisticShare{Statistic::turns, 80, 100}};
constexpr std::array shares_of_time{StatisticShare{Statistic::hours, 230, 130},
                                    StatisticShare{Statistic::speeds, 230, 130}};
constexpr std::uint32_t most_for_trips = 600;  // six per cent, however small epsilon is: chosen, not derived
constexpr std::uint32_t least_for_start_end = 500;  // a guard for whoever changes the shares above

/// What is not worth asking if little can be told is asked once a third of its share can be spent on it: a smaller one
/// would buy noise.
constexpr double asked_from = 3;

/// The least that a statistic gets if it is asked.
constexpr double find_least_share(const StatisticShare& s) {
  return s.little > 0 ? std::min(s.little, s.much) : s.much / asked_from;
}
constexpr bool has_least_share(const StatisticShare& s) {
  return find_least_share(s) >= Layout::least_share;
}
static_assert(std::all_of(shares.begin(), shares.end(), has_least_share) &&
              std::all_of(shares_of_time.begin(), shares_of_time.end(), has_least_share));

/// A share lies between the two, and so does their sum.
constexpr std::uint32_t find_largest_sum() {
  std::uint32_t little = most_for_trips, much = most_for_trips;
  for (const StatisticShare& s : shares) {
    little += s.little;
    much += s.much;
  }
  for (const StatisticShare& s : shares_of_time) {
    little += s.little;
    much += s.much;
  }
  return std::max(little, much);
}
static_assert(find_largest_sum() + least_for_start_end < Layout::all_shares,
              "something must be left for start-end, whatever the others get");

}  // namespace

double telling(double trips_times_epsilon) {
  // How large counts are beside their noise depends on this product alone. From here up to ten times it the shares move
  // with the logarithm. Chosen by experiment, with the shares.
  constexpr double least_telling = 1'400;
  return trips_times_epsilon > 0 ? std::clamp(std::log10(trips_times_epsilon / least_telling), 0.0, 1.0) : 0;
}

Layout make_layout(const LayoutOptions& options) {
  Layout layout;
  layout.width_m = options.width_m;
  layout.height_m = options.height_m;
  layout.max_length_m = options.max_length_m;
  // As fine as eight expected trips a cell would allow if all of epsilon were spent on them.
  constexpr double trips_a_cell = 8;
  const double cells_afforded = std::max(0.0, options.trips) * options.epsilon / trips_a_cell;
  const double times = std::floor(std::sqrt(cells_afforded) / fine_unit);
  layout.fine = fine_unit * static_cast<std::uint32_t>(
                                std::clamp(times, 1.0, Layout::finest / static_cast<double>(fine_unit)));
  const auto set = [&](Statistic s, double of_ten_thousand) {
    layout.share[static_cast<std::size_t>(s)] = static_cast<std::uint32_t>(of_ten_thousand);
  };
  // A wrong number of trips puts every other count wrong, and is the one number that a small epsilon can still tell
  // well. It is asked before anything is known of the trips, so its share may depend on epsilon alone. One per cent
  // at epsilon 1, and 5 at 0.1: nearly in inverse proportion, so that its noise grows little. Chosen, not derived.
  constexpr double share_at_one = 100, falls_by = -0.7, least_epsilon = 1e-3, least_for_trips = 50.0;
  if (options.counts_trips)
    set(Statistic::trips,
        std::clamp(share_at_one * std::pow(std::max(options.epsilon, least_epsilon), falls_by),
                   least_for_trips, static_cast<double>(most_for_trips)));
  const double much = telling(options.trips * options.epsilon);
  const auto set_all = [&](const auto& list) {
    for (const StatisticShare& s : list) {
      const double share = s.little + much * (static_cast<double>(s.much) - s.little);
      set(s.statistic, s.little == 0 && asked_from * much < 1 ? 0 : share);
    }
  };
  set_all(shares);
  if (options.has_time) set_all(shares_of_time);
  // Shares are rounded down, and what that leaves goes here, so that they sum to the whole exactly.
  set(Statistic::start_end,
      Layout::all_shares - std::accumulate(layout.share.begin(), layout.share.end(), 0U));
  return layout;
}

}  // namespace fogline::traces
