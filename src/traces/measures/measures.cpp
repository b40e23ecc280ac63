// SPDX-License-Identifier: Apache-2.0
#include "traces/measures/measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "random/key.hpp"
#include "traces/measures/divergence.hpp"
#include "traces/measures/set_counts.hpp"

namespace fogline::traces {
namespace {

/// Numbers of bins and strings, and the shares below, are those of the measures' definitions (measures.hpp): other ones
/// would be other measures, and no longer comparable.
constexpr std::size_t range_bins = 20, paper_bins = 400, top_strings = 100;
/// The radii of discs: as asked, and these parts of the larger side.
constexpr std::size_t radii = 3;
constexpr double sixth = 6, twelfth = 12;
/// The error of a count is told as a share of it, or of this part of all trips if that is more: a disc that hardly
/// anybody touches would else decide the mean.
constexpr double least_counted = 0.01;
/// The index has a bit for each disc in every cell.
constexpr std::uint32_t most_queries = 100'000;

void require(const TripSet& truth, const TripSet& synthetic, const MeasureOptions& options) {
  if (truth.size() == 0 || synthetic.size() == 0) throw InvalidOption("trips", "must not be an empty set");
  if (options.queries < 1 || options.queries > most_queries)
    throw InvalidOption("queries", "must lie between 1 and 100,000");
  if (!(options.query_share > 0) || options.query_share > 1)
    throw InvalidOption("query-share", "must lie above 0 and at most at 1");
}

/// The same centres for each radius.
std::vector<Disc> random_discs(const MeasureBox& box, const MeasureOptions& options) {
  random::Stream stream = random::SeededKey(options.seed).stream("traces measure discs");
  const auto uniform = [&] { return static_cast<double>(stream.next64() >> 11U) * 0x1p-53; };
  std::vector<Disc> discs(radii * std::size_t{options.queries});
  const double side = std::max(box.width_m, box.height_m);
  for (std::size_t i = 0; i < options.queries; ++i) {
    const double x = box.west_m + uniform() * box.width_m, y = box.south_m + uniform() * box.height_m;
    discs[i] = {x, y, side * options.query_share};
    discs[i + options.queries] = {x, y, side / sixth};
    discs[i + 2 * std::size_t{options.queries}] = {x, y, side / twelfth};
  }
  return discs;
}

double query_error(std::span<const std::uint64_t> truth, std::span<const std::uint64_t> synthetic,
                   std::size_t trips) {
  double sum = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const auto right = static_cast<double>(truth[i]);
    sum += std::abs(right - static_cast<double>(synthetic[i])) /
           std::max(right, least_counted * static_cast<double>(trips));
  }
  return sum / static_cast<double>(truth.size());
}

void compare_queries(const CountedSet& truth, const CountedSet& synthetic, TraceMeasures& m) {
  const std::span a(truth.counts.touching), b(synthetic.counts.touching);
  const std::size_t n = a.size() / radii, trips = truth.numbers.length_m.size();
  m.query = query_error(a.first(n), b.first(n), trips);
  m.query_sixth = query_error(a.subspan(n, n), b.subspan(n, n), trips);
  m.query_twelfth = query_error(a.last(n), b.last(n), trips);
}

void compare_cells(const SetCounts& a, const SetCounts& b, TraceMeasures& m) {
  m.kendall = kendall_tau_b(a.passing_15, b.passing_15);
  m.f1 = f1_of_keys(a.strings_6.most(top_strings), b.strings_6.most(top_strings));
  m.trip = jensen_shannon(a.trips_6, b.trips_6);
  m.trip_fine = jensen_shannon(a.trips_10, b.trips_10);
  m.density = jensen_shannon(a.visits_15, b.visits_15);
  m.density_fine = jensen_shannon(a.visits_30, b.visits_30);
  m.starts_fine = jensen_shannon(a.starts_30, b.starts_30);
  m.ends_fine = jensen_shannon(a.ends_30, b.ends_30);
  m.paper_density = jensen_shannon(a.points_100.sorted(), b.points_100.sorted());
  m.paper_trip = jensen_shannon(a.trips_100.sorted(), b.trips_100.sorted());
}

void compare_moves(const SetCounts& a, const SetCounts& b, TraceMeasures& m) {
  NextCellCounts all_a = a.even, all_b = b.even;
  all_a.add(a.odd);
  all_b.add(b.odd);
  m.transitions_fine = jensen_shannon(all_a.moves(), all_b.moves());
  m.next_cell_real = a.even.share_predicted(a.odd);
  m.next_cell_synthetic = all_b.share_predicted(a.odd);
}

void compare_shapes(const CountedSet& truth, const CountedSet& synthetic, TraceMeasures& m) {
  const SetCounts &a = truth.counts, &b = synthetic.counts;
  m.turns = jensen_shannon(a.turns, b.turns);
  m.spacing = jensen_shannon(a.spacings, b.spacings);
  m.median_turn_true = a.median_turn();
  m.median_turn_synthetic = b.median_turn();
  m.median_spacing_true = a.median_spacing();
  m.median_spacing_synthetic = b.median_spacing();
  const auto &lengths = truth.numbers.length_m, &other_lengths = synthetic.numbers.length_m;
  m.diameter = jensen_shannon_over_range(truth.numbers.diameter_m, synthetic.numbers.diameter_m, range_bins);
  m.length = jensen_shannon_over_range(lengths, other_lengths, range_bins);
  const double longest = *std::max_element(lengths.begin(), lengths.end());
  m.paper_length = jensen_shannon(histogram(lengths, 0, longest, paper_bins),
                                  histogram(other_lengths, 0, longest, paper_bins));
}

void compare_times(const CountedSet& truth, const CountedSet& synthetic, TraceMeasures& m) {
  m.time_of_day = jensen_shannon(truth.counts.half_hours, synthetic.counts.half_hours);
  m.duration = jensen_shannon_over_range(truth.numbers.duration_s, synthetic.numbers.duration_s, range_bins);
}

}  // namespace

MeasureBox box_of(const TripSet& trips) {
  if (trips.point.empty()) throw InvalidOption("trips", "must not be an empty set");
  double west = std::numeric_limits<double>::infinity(), south = west, east = -west, north = -west;
  for (const PlanePoint& p : trips.point) {
    west = std::min<double>(west, p.x);
    east = std::max<double>(east, p.x);
    south = std::min<double>(south, p.y);
    north = std::max<double>(north, p.y);
  }
  return {west, south, std::max(east - west, 1.0), std::max(north - south, 1.0)};
}

TraceMeasures measure(const TripSet& truth, const TripSet& synthetic, const MeasureBox& box,
                      const MeasureOptions& options) {
  require(truth, synthetic, options);
  const MeasureGrids grids(box, random_discs(box, options));
  ProgressMeter meter(options.progress, "measuring", truth.size() + synthetic.size());
  const CountedSet counted = count_set(truth, grids, options.parallel, meter);
  const CountedSet other = count_set(synthetic, grids, options.parallel, meter);
  meter.finish();
  TraceMeasures m;
  compare_queries(counted, other, m);
  compare_cells(counted.counts, other.counts, m);
  compare_moves(counted.counts, other.counts, m);
  compare_shapes(counted, other, m);
  if (truth.has_time() && synthetic.has_time()) compare_times(counted, other, m);
  return m;
}

}  // namespace fogline::traces
