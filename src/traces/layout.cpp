// SPDX-License-Identifier: Apache-2.0
#include "traces/layout.hpp"

#include <numeric>

namespace fogline::traces {
namespace {

std::uint32_t root_bin(double value, double first, double root, std::uint32_t bins) {
  if (!(value > first)) return 0;
  return std::min(static_cast<std::uint32_t>(root * std::log2(value / first)), bins - 1);
}

template <std::size_t n>
std::uint32_t class_of(double value, const std::array<double, n>& edges) {
  std::uint32_t found = 0;
  while (found + 2 < n && value >= edges[found + 1]) ++found;
  return found;
}

constexpr double first_step_m = 8, first_stride = 1.0 / 256, first_speed_m_s = 0.25;

}  // namespace

std::string_view to_string(Statistic statistic) {
  constexpr std::array<std::string_view, statistic_count> names{
      "trips",       "start-end",     "starts",  "ends",    "pairs",     "triples", "strings",
      "fine visits", "coarse visits", "visits",  "lengths", "diameters", "reaches", "crossings",
      "shapes",      "steps",         "strides", "turns",   "hours",     "speeds"};
  return names[static_cast<std::size_t>(statistic)];
}

std::uint32_t Layout::bins_of(Statistic s) const {
  constexpr std::uint32_t cells = coarse * coarse;
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
      return cells * 9;
    case Statistic::triples:
      return cells * 81;
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
  const double per = diameter_m > 0 ? 1 / diameter_m : 0;
  return (d * shape_ratios + class_of(length_m * per, ratio_edges)) * shape_displacements +
         class_of(displacement_m * per, displacement_edges);
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
  return root_bin(metres, first_step_m, 2, step_bins);
}
double Layout::step_edge(std::uint32_t bin) {
  return first_step_m * std::exp2(bin / 2.0);
}
std::uint32_t Layout::stride_bin(double share) {
  return root_bin(share, first_stride, 3, stride_bins);
}
double Layout::stride_edge(std::uint32_t bin) {
  return first_stride * std::exp2(bin / 3.0);
}
std::uint32_t Layout::speed_bin(double m_s) {
  return root_bin(m_s, first_speed_m_s, 2, speed_bins);
}
double Layout::speed_edge(std::uint32_t bin) {
  return first_speed_m_s * std::exp2(bin / 2.0);
}

namespace {

/// Of 10,000: what a statistic gets if little can be told, and if much can.
struct StatisticShare {
  Statistic statistic;
  std::uint32_t little, much;
};
/// Start-end gets the rest. With few trips or a small epsilon histograms and ends come first, since all else builds on them; what has many cells would be noise.
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
constexpr std::uint32_t whole = 10'000, most_for_trips = 600;

/// A share lies between the two, and so does their sum.
constexpr std::uint32_t largest_sum() {
  std::uint32_t little = most_for_trips, much = most_for_trips;
  for (const StatisticShare& s : shares) little += s.little, much += s.much;
  for (const StatisticShare& s : shares_of_time) little += s.little, much += s.much;
  return std::max(little, much);
}
static_assert(largest_sum() + 500 < whole, "something must be left for start-end, whatever the others get");

}  // namespace

double telling(double trips_times_epsilon) {
  return trips_times_epsilon > 0 ? std::clamp(std::log10(trips_times_epsilon / 1'400), 0.0, 1.0) : 0;
}

Layout make_layout(const LayoutOptions& options) {
  Layout layout;
  layout.width_m = options.width_m;
  layout.height_m = options.height_m;
  layout.max_length_m = options.max_length_m;
  // As fine as eight expected trips a cell would allow if all of epsilon were spent on them.
  const double cells_afforded = std::max(0.0, options.trips) * options.epsilon / 8;
  const double times = std::floor(std::sqrt(cells_afforded) / 30);
  layout.fine = 30 * static_cast<std::uint32_t>(std::clamp(times, 1.0, Layout::finest / 30.0));
  const auto set = [&](Statistic s, double of_ten_thousand) {
    layout.share[static_cast<std::size_t>(s)] = static_cast<std::uint32_t>(of_ten_thousand);
  };
  // A wrong number of trips puts every other count wrong, and is the one number that a small epsilon can still tell well. It is asked before anything is known of
  // the trips, so its share may depend on epsilon alone.
  if (options.counts_trips)
    set(Statistic::trips, std::clamp(100 * std::pow(std::max(options.epsilon, 1e-3), -0.7), 50.0,
                                     static_cast<double>(most_for_trips)));
  const double much = telling(options.trips * options.epsilon);
  const auto set_all = [&](const auto& list) {
    for (const StatisticShare& s : list) {
      // What is not worth asking if little can be told is asked once a third of its share can be spent on it.
      const double share = s.little + much * (static_cast<double>(s.much) - s.little);
      set(s.statistic, s.little == 0 && 3 * much < 1 ? 0 : share);
    }
  };
  set_all(shares);
  if (options.has_time) set_all(shares_of_time);
  set(Statistic::start_end, whole - std::accumulate(layout.share.begin(), layout.share.end(), 0U));
  return layout;
}

}  // namespace fogline::traces
