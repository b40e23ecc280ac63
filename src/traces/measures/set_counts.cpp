// SPDX-License-Identifier: Apache-2.0
#include "traces/measures/set_counts.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>

#include "traces/frame/trip_shape.hpp"

namespace fogline::traces {
namespace {

/// As the measures are defined (measures.hpp): other numbers would be other measures.
constexpr std::size_t turn_bins = 36, spacing_bins = 40, shortest_string = 2, longest_string = 8;
constexpr double spacing_decades = 5;  // from 1 m to 100 km
constexpr double fine_cell_m = 100;
constexpr std::uint32_t cells_of_fifteen = 15 * 15;
/// A cell of 6 x 6 takes six bits of a key, and 0 is none: the longest string has 48 bits.
constexpr unsigned bits_a_cell = 6;
static_assert(longest_string * bits_a_cell <= 64);
/// More cells than a grid may have along a side: it refuses them, but the number must still fit an integer.
constexpr double beyond_any_grid = 1e6;
/// Medians are told to a hundredth of a degree, and to a thousandth of a decade, which is a part in 500: finely enough
/// for a table, and the same from any number of threads.
constexpr int parts_a_degree = 100, parts_a_decade = 1000;
constexpr std::size_t turn_parts = 180 * parts_a_degree + 1,
                      spacing_parts = static_cast<std::size_t>(spacing_decades) * parts_a_decade + 1;
constexpr double half_a_degree_part = 0.005,
                 half_a_decade_part = 0.0005;  // numbers are rounded to the nearest part
constexpr std::int64_t seconds_a_day = 86'400, half_hour_s = 1'800;

CellGrid square_grid(const MeasureBox& box, std::uint32_t cells) {
  return CellGrid({box.west_m, box.south_m, box.width_m, box.height_m, cells, cells});
}

CellGrid hundred_metre_grid(const MeasureBox& box) {
  const double columns = std::ceil(box.width_m / fine_cell_m), rows = std::ceil(box.height_m / fine_cell_m);
  return CellGrid({box.west_m, box.south_m, columns * fine_cell_m, rows * fine_cell_m,
                   static_cast<std::uint32_t>(std::min(columns, beyond_any_grid)),
                   static_cast<std::uint32_t>(std::min(rows, beyond_any_grid))});
}

void add_to(std::vector<std::uint64_t>& sum, const std::vector<std::uint64_t>& part) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += part[i];
}

std::size_t bin_of(double value, double per_unit, std::size_t bins) {
  return static_cast<std::size_t>(std::clamp(value * per_unit, 0.0, static_cast<double>(bins - 1)));
}

/// The place of the (lower) middle one of all that is counted.
std::size_t median_bin(const std::vector<std::uint64_t>& counts) {
  const std::uint64_t all = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  std::uint64_t up_to = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    up_to += counts[i];
    if (up_to > 0 && up_to * 2 >= all) return i;
  }
  return 0;
}

/// Counts trips one after the other; holds the room they need on the way.
class TripCounter {
 public:
  TripCounter(const TripSet& trips, const MeasureGrids& grids)
      : trips_(trips),
        grids_(grids),
        counts_(grids),
        touched_(grids.discs.words()),
        last_(cells_of_fifteen, 0) {}

  void add(std::size_t i) {
    const auto trip = trips_.trip(i);
    grids_.discs.touch(trip, touched_);
    grids_.discs.count(touched_, counts_.touching);
    add_walks(i, trip);
    add_ends(trip);
    add_steps(trip);
    if (trips_.has_time()) add_start(trips_.times(i).front());
  }
  const SetCounts& counts() const { return counts_; }

 private:
  void add_walks(std::size_t i, std::span<const PlanePoint> trip) {
    grids_.fifteen.walk(trip, walk_);
    (i % 2 == 0 ? counts_.even : counts_.odd).add(walk_);
    for (const std::uint32_t cell : walk_) {
      ++counts_.visits_15[cell];
      if (last_[cell] == i + 1) continue;
      last_[cell] = i + 1;
      ++counts_.passing_15[cell];
    }
    grids_.thirty.walk(trip, walk_);
    for (const std::uint32_t cell : walk_) ++counts_.visits_30[cell];
    grids_.six.walk(trip, walk_);
    add_strings();
  }

  void add_strings() {
    for (std::size_t begin = 0; begin < walk_.size(); ++begin) {
      std::uint64_t key = 0;
      const std::size_t end = std::min(walk_.size(), begin + longest_string);
      for (std::size_t at = begin; at < end; ++at) {
        // Cells count from 1, so that a string of fewer cells is another number.
        key = key << bits_a_cell | (walk_[at] + 1);
        if (at + 1 >= begin + shortest_string) counts_.strings_6.add(key);
      }
    }
  }

  void add_ends(std::span<const PlanePoint> trip) {
    const auto pair_on = [&](const CellGrid& grid) {
      return std::uint64_t{grid.cell_of(trip.front())} * grid.size() + grid.cell_of(trip.back());
    };
    ++counts_.trips_6[pair_on(grids_.six)];
    ++counts_.trips_10[pair_on(grids_.ten)];
    counts_.trips_100.add(pair_on(grids_.hundred_m));
    ++counts_.starts_30[grids_.thirty.cell_of(trip.front())];
    ++counts_.ends_30[grids_.thirty.cell_of(trip.back())];
  }

  void add_steps(std::span<const PlanePoint> trip) {
    for (const PlanePoint& p : trip) counts_.points_100.add(grids_.hundred_m.cell_of(p));
    for (std::size_t i = 1; i < trip.size(); ++i) {
      const double digits = std::log10(std::max(1.0, distance_m(trip[i - 1], trip[i])));
      ++counts_.spacings[bin_of(digits, spacing_bins / spacing_decades, spacing_bins)];
      ++counts_.spacing_thousandths[bin_of(digits + half_a_decade_part, parts_a_decade,
                                           counts_.spacing_thousandths.size())];
      const double turn = i + 1 < trip.size() ? turn_degrees(trip[i - 1], trip[i], trip[i + 1]) : -1;
      if (turn < 0) continue;
      ++counts_.turns[bin_of(turn, turn_bins / 180.0, turn_bins)];
      ++counts_.turn_hundredths[bin_of(turn + half_a_degree_part, parts_a_degree,
                                       counts_.turn_hundredths.size())];
    }
  }

  void add_start(std::int64_t t) {
    const std::int64_t second = (t % seconds_a_day + seconds_a_day) % seconds_a_day;
    ++counts_.half_hours[static_cast<std::size_t>(second / half_hour_s)];
  }

  const TripSet& trips_;
  const MeasureGrids& grids_;
  SetCounts counts_;
  std::vector<std::uint64_t> touched_;
  std::vector<std::uint32_t> walk_;
  std::vector<std::size_t> last_;  // per cell of 15 x 15: the last trip that passed, plus 1
};

}  // namespace

MeasureGrids::MeasureGrids(const MeasureBox& box, std::vector<Disc> query_discs)
    : six(square_grid(box, 6)),
      ten(square_grid(box, 10)),
      fifteen(square_grid(box, 15)),
      thirty(square_grid(box, 30)),
      hundred_m(hundred_metre_grid(box)),
      discs(std::move(query_discs), {box.west_m, box.south_m, box.width_m, box.height_m, 1, 1}) {}

SetCounts::SetCounts(const MeasureGrids& grids)
    : touching(grids.discs.discs().size()),
      passing_15(grids.fifteen.size()),
      visits_15(grids.fifteen.size()),
      visits_30(grids.thirty.size()),
      starts_30(grids.thirty.size()),
      ends_30(grids.thirty.size()),
      trips_6(grids.six.size() * grids.six.size()),
      trips_10(grids.ten.size() * grids.ten.size()),
      turns(turn_bins),
      turn_hundredths(turn_parts),
      spacings(spacing_bins),
      spacing_thousandths(spacing_parts),
      half_hours(static_cast<std::size_t>(seconds_a_day / half_hour_s)),
      even(grids.fifteen),
      odd(grids.fifteen) {}

void SetCounts::add(const SetCounts& other) {
  for (const auto table :
       {&SetCounts::touching, &SetCounts::passing_15, &SetCounts::visits_15, &SetCounts::visits_30,
        &SetCounts::starts_30, &SetCounts::ends_30, &SetCounts::trips_6, &SetCounts::trips_10,
        &SetCounts::turns, &SetCounts::turn_hundredths, &SetCounts::spacings, &SetCounts::spacing_thousandths,
        &SetCounts::half_hours})
    add_to(this->*table, other.*table);
  for (const auto table : {&SetCounts::strings_6, &SetCounts::points_100, &SetCounts::trips_100})
    (this->*table).add(other.*table);
  even.add(other.even);
  odd.add(other.odd);
}

double SetCounts::median_turn() const {
  return static_cast<double>(median_bin(turn_hundredths)) / parts_a_degree;
}

double SetCounts::median_spacing() const {
  return std::pow(10, static_cast<double>(median_bin(spacing_thousandths)) / parts_a_decade);
}

CountedSet count_set(const TripSet& trips, const MeasureGrids& grids, const ParallelOptions& parallel,
                     ProgressMeter& meter) {
  CountedSet set{SetCounts(grids), {}};
  set.numbers.length_m.resize(trips.size());
  set.numbers.diameter_m.resize(trips.size());
  set.numbers.duration_s.resize(trips.has_time() ? trips.size() : 0);
  std::mutex adding;
  // Each piece has tables of its own, of about a megabyte; few pieces keep that small.
  constexpr std::size_t fewest_a_piece = 256, most_pieces = 16;
  const std::size_t grain = std::max<std::size_t>(fewest_a_piece, trips.size() / most_pieces);
  parallel_for(
      trips.size(), {.threads = parallel.threads, .grain = grain}, [&](std::size_t begin, std::size_t end) {
        TripCounter counter(trips, grids);
        for (std::size_t i = begin; i < end; ++i) {
          counter.add(i);
          set.numbers.length_m[i] = length_m(trips.trip(i));
          set.numbers.diameter_m[i] = diameter_m(trips.trip(i));
          if (trips.has_time())
            set.numbers.duration_s[i] = static_cast<double>(trips.times(i).back() - trips.times(i).front());
          meter.advance();
        }
        const std::scoped_lock lock(adding);
        set.counts.add(counter.counts());
      });
  return set;
}

}  // namespace fogline::traces
