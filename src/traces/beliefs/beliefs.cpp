// SPDX-License-Identifier: Apache-2.0
#include "traces/beliefs/beliefs.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "traces/beliefs/histograms.hpp"
#include "traces/beliefs/move_beliefs.hpp"
#include "traces/counts/moves.hpp"

namespace fogline::traces {
namespace {

using Table = std::vector<double>;
constexpr std::size_t grid_side = Layout::coarse, grid_cells = grid_side * grid_side;

/// Of a cell that as many trips pass as the mean cell. Integers about it, so that shares of a trip can be counted
/// exactly; wide enough to tell cells apart that are passed 256 times as often or as rarely.
constexpr double average_favour = 256;

double sum_of(const Table& table) {
  return std::accumulate(table.begin(), table.end(), 0.0);
}

/// The mean of the cells around each, itself left out: its own noise would else predict itself. Cells weigh by the
/// inverse square of their distance, so those at a corner half.
Table average_around(const Table& table, std::size_t columns) {
  const std::size_t rows = table.size() / columns;
  Table result(table.size());
  for (std::size_t y = 0; y < rows; ++y)
    for (std::size_t x = 0; x < columns; ++x) {
      double sum = 0, weight = 0;
      for (std::size_t v = y > 0 ? y - 1 : 0; v <= std::min(y + 1, rows - 1); ++v)
        for (std::size_t u = x > 0 ? x - 1 : 0; u <= std::min(x + 1, columns - 1); ++u) {
          if (u == x && v == y) continue;
          constexpr double at_side = 1, at_corner = 0.5;
          const double w = u == x || v == y ? at_side : at_corner;
          sum += w * table[v * columns + u];
          weight += w;
        }
      result[y * columns + x] = std::max(0.0, sum / weight);
    }
  return result;
}

/// Moves that a king needs from one coarse cell to another.
std::size_t king_distance(std::size_t a, std::size_t b) {
  const auto apart = [](std::size_t u, std::size_t v) { return u > v ? u - v : v - u; };
  return std::max(apart(a % grid_side, b % grid_side), apart(a / grid_side, b / grid_side));
}

/// The coarse cell that a cell of a grid with so many columns and rows lies in, or most of it does.
std::size_t coarse_cell_of(std::size_t cell, std::size_t columns) {
  return cell / columns * grid_side / columns * grid_side + cell % columns * grid_side / columns;
}

/// Sums of a fine table over the coarse cells.
Table sum_over_coarse(const Table& fine, std::size_t columns) {
  Table sums(grid_cells);
  for (std::size_t i = 0; i < fine.size(); ++i) sums[coarse_cell_of(i, columns)] += fine[i];
  return sums;
}

/// Two noisy sums of the same thing, weighed by their precisions: the mean of least variance.
double combine(double a, double variance_a, double b, double variance_b) {
  return std::max(0.0, (a * variance_b + b * variance_a) / (variance_a + variance_b));
}

/// A doubly constrained gravity model: starts times ends times a factor for how far apart they are, fitted so that it
/// sums to the starts, the ends and the noisy number of trips at each distance. It has 36 + 36 + 6 numbers for 1296
/// cells, so it is far surer than any single cell.
Table fit_gravity(const NoisyStatistics& known) {
  // Iterative proportional fitting, after Furness. A fixed number of rounds: sums that are noisy need not be met
  // exactly.
  constexpr int furness_rounds = 20;
  const NoisyTable& both = known.of(Statistic::start_end);
  const auto square = [](double x) { return x * x; };
  // Starts and ends are told twice, by sums over rows and columns of the pairs and by sums over fine cells. The
  // variances of both lack the factor of 2 of a Laplace law, which cancels.
  const double fine_cells = square(known.layout.fine / static_cast<double>(grid_side));
  const Table fine_start = sum_over_coarse(known.of(Statistic::starts).value, known.layout.fine);
  const Table fine_end = sum_over_coarse(known.of(Statistic::ends).value, known.layout.fine);
  Table row(grid_cells), column(grid_cells);
  for (std::size_t i = 0; i < both.value.size(); ++i) {
    row[i / grid_cells] += both.value[i];
    column[i % grid_cells] += both.value[i];
  }
  const double variance = grid_cells * square(both.scale);
  for (std::size_t c = 0; c < grid_cells; ++c) {
    row[c] = combine(row[c], variance, fine_start[c], fine_cells * square(known.of(Statistic::starts).scale));
    column[c] =
        combine(column[c], variance, fine_end[c], fine_cells * square(known.of(Statistic::ends).scale));
  }
  scale_to(row, known.trips);
  scale_to(column, known.trips);
  Table r = row, c = column, result(grid_cells * grid_cells);
  std::array<double, grid_side> near{};
  near.fill(1 / known.trips);
  for (int round = 0; round < furness_rounds; ++round) {
    std::array<double, grid_side> seen{}, expected{};
    Table row_sum(grid_cells), column_sum(grid_cells);
    for (std::size_t i = 0; i < result.size(); ++i) {
      const std::size_t d = king_distance(i / grid_cells, i % grid_cells);
      seen[d] += both.value[i];
      expected[d] += r[i / grid_cells] * c[i % grid_cells];
    }
    // Noise may have left nothing at a distance, or less. A model that has no trips there could never learn of any, so
    // there are as many as noise may hide.
    for (std::size_t d = 0; d < grid_side; ++d)
      near[d] = expected[d] > 0 ? std::max(seen[d], both.scale) / expected[d] : 0;
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i] = r[i / grid_cells] * c[i % grid_cells] * near[king_distance(i / grid_cells, i % grid_cells)];
      row_sum[i / grid_cells] += result[i];
    }
    for (std::size_t k = 0; k < grid_cells; ++k)
      if (row_sum[k] > 0) r[k] *= row[k] / row_sum[k];
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i] = r[i / grid_cells] * c[i % grid_cells] * near[king_distance(i / grid_cells, i % grid_cells)];
      column_sum[i % grid_cells] += result[i];
    }
    for (std::size_t k = 0; k < grid_cells; ++k)
      if (column_sum[k] > 0) c[k] *= column[k] / column_sum[k];
  }
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = r[i / grid_cells] * c[i % grid_cells] * near[king_distance(i / grid_cells, i % grid_cells)];
  return result;
}

/// For each pair of cells the mean of the pairs that differ by one cell at one end.
Table average_neighbours(const Table& table) {
  Table by_start(table.size()), column(grid_cells);
  for (std::size_t d = 0; d < grid_cells; ++d) {
    for (std::size_t o = 0; o < grid_cells; ++o) column[o] = table[o * grid_cells + d];
    const Table near = average_around(column, grid_side);
    for (std::size_t o = 0; o < grid_cells; ++o) by_start[o * grid_cells + d] += near[o] / 2;
  }
  for (std::size_t o = 0; o < grid_cells; ++o) {
    const Table near =
        average_around(Table(table.begin() + static_cast<std::ptrdiff_t>(o * grid_cells),
                             table.begin() + static_cast<std::ptrdiff_t>((o + 1) * grid_cells)),
                       grid_side);
    for (std::size_t d = 0; d < grid_cells; ++d) by_start[o * grid_cells + d] += near[d] / 2;
  }
  return by_start;
}

/// How many of the trips are wider than this, by a histogram of diameters with squared bins.
double count_wider(double metres, const Table& diameters, double most) {
  const auto bins = static_cast<std::uint32_t>(diameters.size());
  const std::uint32_t bin = Layout::square_bin(metres, most, bins);
  const double low = Layout::square_edge(bin, most, bins), high = Layout::square_edge(bin + 1, most, bins);
  double sum = diameters[bin] * std::clamp((high - metres) / (high - low), 0.0, 1.0);
  for (std::uint32_t k = bin + 1; k < bins; ++k) sum += diameters[k];
  return sum;
}

/// No more trips end far from where they start than are so wide: noise over a thousand pairs of cells, few of which lie
/// near each other, would else lead many trips through the whole area. What is too much goes to pairs that lie nearer.
void keep_ends_near(Table& both, const Table& diameters, const Layout& layout, double trips) {
  std::array<double, grid_side> mass{}, scale{};
  for (std::size_t i = 0; i < both.size(); ++i)
    mass[king_distance(i / grid_cells, i % grid_cells)] += both[i];
  const double side = std::min(layout.width_m, layout.height_m) / static_cast<double>(grid_side);
  double beyond = 0, kept_beyond = 0;
  // Points of cells that touch may be as near to each other as one likes, so that no width forbids these.
  constexpr std::size_t nearest_bounded = 2;
  for (std::size_t d = grid_side; d-- > nearest_bounded;) {
    beyond += mass[d];
    // The least that two points can be apart whose cells have d - 1 cells between them.
    const double apart = side * static_cast<double>(d - 1);
    const double kept =
        std::min(beyond, std::max(kept_beyond, count_wider(apart, diameters, layout.diagonal_m())));
    scale[d] = mass[d] > 0 ? (kept - kept_beyond) / mass[d] : 0;
    kept_beyond = kept;
  }
  scale[0] = mass[0] + mass[1] > 0 ? (trips - kept_beyond) / (mass[0] + mass[1]) : 0;
  scale[1] = scale[0];
  for (std::size_t i = 0; i < both.size(); ++i)
    both[i] *= scale[king_distance(i / grid_cells, i % grid_cells)];
  scale_to(both, trips);
}

/// Pairs of ends about the gravity model, then about that, the way back (many trips have one) and the pairs beside
/// them, which need a first estimate to be worth much.
Estimate believe_ends(const NoisyStatistics& known, const Table& diameters) {
  const NoisyTable& both = known.of(Statistic::start_end);
  const Table by_gravity = fit_gravity(known);
  const Table first = denoise(both, {by_gravity}).mean;
  Table back(first.size());
  for (std::size_t i = 0; i < first.size(); ++i)
    back[i] = first[i % grid_cells * grid_cells + i / grid_cells];
  Estimate estimate = denoise(both, {by_gravity, back, average_neighbours(first)});
  scale_to(estimate.mean, known.trips);
  keep_ends_near(estimate.mean, diameters, known.layout, known.trips);
  return estimate;
}

/// Every cell's even share of the larger cell that holds it.
Table share_parents(const Table& coarse, std::size_t coarse_columns, std::size_t fine_columns) {
  const std::size_t times = fine_columns / coarse_columns;
  Table result(fine_columns * fine_columns);
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = coarse[i / fine_columns / times * coarse_columns + i % fine_columns / times] /
                static_cast<double>(times * times);
  return result;
}

/// Fine visits summed over the medium cells.
Table sum_over_medium(const NoisyStatistics& known) {
  const std::size_t fine = known.layout.fine, times = fine / Layout::medium;
  const Table& fine_value = known.of(Statistic::fine_visits).value;
  Table sums(Layout::medium * Layout::medium);
  for (std::size_t i = 0; i < fine_value.size(); ++i)
    sums[i / fine / times * Layout::medium + i % fine / times] += fine_value[i];
  return sums;
}

/// Visits of medium cells, each trip sharing itself evenly: what fine visits, ends and moves say together. Known before
/// `visits` are asked, since it decides their favours.
Table estimate_even_visits(const NoisyStatistics& known) {
  // A sum of many Laplace variables is nearer to normal; a Laplace law of the same variance stands for it.
  const double times = static_cast<double>(known.layout.fine) / Layout::medium;
  const NoisyTable sums{sum_over_medium(known), times * known.of(Statistic::fine_visits).scale};
  const Table &both = known.of(Statistic::start_end).value, &moves = known.of(Statistic::pairs).value;
  Table coarse(grid_cells);
  for (std::size_t i = 0; i < both.size(); ++i) {
    coarse[i / grid_cells] += both[i] / 2;
    coarse[i % grid_cells] += both[i] / 2;
  }
  for (std::size_t i = 0; i < moves.size(); ++i)
    if (can_move(i / king_moves, i % king_moves)) coarse[i / king_moves] += moves[i];
  scale_to(coarse, known.trips);
  Table spread(Layout::medium * Layout::medium);
  constexpr double per_cell = static_cast<double>(grid_side * grid_side) / (Layout::medium * Layout::medium);
  for (std::size_t c = 0; c < spread.size(); ++c)
    spread[c] = coarse[coarse_cell_of(c, Layout::medium)] * per_cell;
  const Table smooth = average_around(spread, Layout::medium);
  Table first = denoise(sums, {spread, smooth}).mean;
  scale_to(first, known.trips);
  Table result = denoise(sums, {spread, smooth, average_around(first, Layout::medium)}).mean;
  scale_to(result, known.trips);
  return result;
}

/// What cells get of the trips that pass them if even visits are these. What a cell gets of a trip depends on what else
/// the trip passes, which is not known: three predictors span what may be. `even` as if all cells were favoured alike;
/// `root` and `part` half way, on a scale of logarithms, to favours that make all cells alike.
struct Favoured {
  /// Trips along the beaten track alone count for less than one, but noise must not take all of them.
  static constexpr double least_part = 10;  // a tenth; chosen, not derived

  Favoured(const Table& even_visits, const std::vector<std::uint32_t>& favour, const NoisyTable& noisy,
           double trips)
      : all(std::clamp(sum_of(noisy.value), trips / least_part, trips)), even(even_visits) {
    for (std::size_t c = 0; c < even.size(); ++c) {
      root.push_back(std::sqrt(even[c]));
      part.push_back(even[c] * std::sqrt(favour[c] / average_favour));
    }
    scale_to(root, all);
    scale_to(part, all);
  }
  double all;  ///< that trips count for together, one at most each
  Table even, root, part;
};

Estimate believe_visits(const NoisyStatistics& known) {
  const NoisyTable& noisy = known.of(Statistic::visits);
  const Favoured f(estimate_even_visits(known), known.favour, noisy, known.trips);
  const Table near = average_around(noisy.value, Layout::medium);
  Table first = denoise(noisy, {near, f.even, f.root, f.part}).mean;
  scale_to(first, f.all);
  Estimate estimate = denoise(noisy, {near, f.even, f.root, f.part, average_around(first, Layout::medium)});
  scale_to(estimate.mean, f.all);
  return estimate;
}

/// Medium cells put together to coarse ones, those on a border halved: 15 columns are not a multiple of 6, but 30 are.
Table merge_to_coarse(const Table& medium) {
  constexpr std::size_t side = 2 * std::size_t{Layout::medium}, per = side / grid_side;
  static_assert(side % grid_side == 0);
  Table sums(grid_cells);
  for (std::size_t y = 0; y < side; ++y)
    for (std::size_t x = 0; x < side; ++x)
      sums[y / per * grid_side + x / per] += medium[y / 2 * Layout::medium + x / 2] / 4;
  return sums;
}

Estimate believe_coarse_visits(const NoisyStatistics& known) {
  const NoisyTable& noisy = known.of(Statistic::coarse_visits);
  if (noisy.value.empty())  // not asked
    return {Table(grid_cells), Table(grid_cells, INFINITY)};
  const Favoured f(merge_to_coarse(estimate_even_visits(known)), known.coarse_favour, noisy, known.trips);
  Estimate estimate = denoise(noisy, {f.even, f.root, f.part});
  scale_to(estimate.mean, f.all);
  return estimate;
}

Estimate believe_fine_visits(const NoisyStatistics& known, const Table& visits) {
  const NoisyTable& noisy = known.of(Statistic::fine_visits);
  // The favours undone. What a visit counts depends on what else its trip passes: not at all, half and wholly are the
  // predictors.
  Table half(visits.size()), whole(visits.size());
  for (std::size_t c = 0; c < visits.size(); ++c) {
    whole[c] = visits[c] * average_favour / known.favour[c];
    half[c] = visits[c] * std::sqrt(average_favour / known.favour[c]);
  }
  const auto spread = [&](const Table& medium) {
    return share_parents(medium, Layout::medium, known.layout.fine);
  };
  const Table from_whole = spread(whole), from_half = spread(half), from_even = spread(visits);
  Table first =
      denoise(noisy, {from_even, from_half, from_whole, average_around(from_half, known.layout.fine)}).mean;
  scale_to(first, known.trips);
  Estimate estimate =
      denoise(noisy, {from_even, from_half, from_whole, average_around(from_half, known.layout.fine),
                      average_around(first, known.layout.fine)});
  scale_to(estimate.mean, known.trips);
  return estimate;
}

/// Starts (or ends) on the fine grid, agreeing with what is believed of the coarse one. Predicted by an even share of
/// the coarse cell, by visits, by the ends (or starts) of others, since trips start where trips end, and by cells
/// around.
Estimate believe_fine_ends(const NoisyTable& noisy, const Table& coarse, const Table& fine_visits,
                           const Table& others, std::size_t fine) {
  const Table parent = share_parents(coarse, grid_side, fine);
  Table by_visits = fine_visits;
  const Table visits = sum_over_coarse(fine_visits, fine);
  for (std::size_t i = 0; i < by_visits.size(); ++i) {
    const std::size_t c = coarse_cell_of(i, fine);
    by_visits[i] = visits[c] > 0 ? fine_visits[i] * coarse[c] / visits[c] : 0;
  }
  Estimate estimate = denoise(noisy, {parent, by_visits, others, average_around(noisy.value, fine)});
  const Table sums = sum_over_coarse(estimate.mean, fine);
  for (std::size_t i = 0; i < estimate.mean.size(); ++i) {
    const std::size_t c = coarse_cell_of(i, fine);
    estimate.mean[i] = sums[c] > 0 ? estimate.mean[i] * coarse[c] / sums[c] : parent[i];
  }
  return estimate;
}

/// The mean of a histogram with squared bins.
double average_squares(const Table& histogram, double most) {
  const auto bins = static_cast<std::uint32_t>(histogram.size());
  double sum = 0, weight = 0;
  for (std::uint32_t k = 0; k < bins; ++k) {
    sum += histogram[k] * (Layout::square_edge(k, most, bins) + Layout::square_edge(k + 1, most, bins)) / 2;
    weight += histogram[k];
  }
  return weight > 0 ? sum / weight : most / 2;
}

/// The believed number of trips in each class of lengths.
Table count_length_classes(const Table& lengths) {
  Table sums(Layout::length_classes);
  for (std::size_t k = 0; k < lengths.size(); ++k)
    sums[k * Layout::length_classes / Layout::length_bins] += lengths[k];
  return sums;
}

Table believe_shapes(const NoisyStatistics& known) {
  const NoisyTable& noisy = known.of(Statistic::shapes);
  constexpr std::size_t inner = Layout::shape_ratios * Layout::shape_displacements;
  const Table free = product_of_sums(noisy.value, inner);
  // Given the diameter, length and displacement as if they had nothing to do with each other.
  Table apart(noisy.value.size());
  for (std::size_t d = 0; d < Layout::shape_diameters; ++d) {
    const Table slice(noisy.value.begin() + static_cast<std::ptrdiff_t>(d * inner),
                      noisy.value.begin() + static_cast<std::ptrdiff_t>((d + 1) * inner));
    const Table product = product_of_sums(slice, Layout::shape_displacements);
    std::copy(product.begin(), product.end(), apart.begin() + static_cast<std::ptrdiff_t>(d * inner));
  }
  Table result = denoise(noisy, {free, apart}).mean;
  scale_to(result, known.trips);
  return result;
}

/// The fewer are expected, the more: in inverse proportion, so that of trips that share themselves by it every cell
/// gets about the same, and is as far above its noise as any other.
std::vector<std::uint32_t> favour_against(const Table& expected) {
  const double mean = sum_of(expected) / static_cast<double>(expected.size());
  std::vector<std::uint32_t> favour;
  for (const double e : expected) {
    // Noise alone may leave nothing to expect anywhere; then all cells are alike.
    const double times = mean > 0 ? mean / std::max(e, mean / average_favour) : 1;
    favour.push_back(
        static_cast<std::uint32_t>(std::clamp(average_favour * times, 1.0, average_favour * average_favour)));
  }
  return favour;
}

}  // namespace

Favours favours_of(const NoisyStatistics& so_far) {
  const Table even = estimate_even_visits(so_far);
  return {favour_against(even), favour_against(merge_to_coarse(even))};
}

Beliefs believe(const NoisyStatistics& known) {
  Beliefs b;
  b.layout = known.layout;
  b.trips = known.trips;
  b.favour = known.favour;
  b.coarse_favour = known.coarse_favour;
  b.asked = known.strings;
  const Layout& layout = known.layout;
  // Where noise hides everything: trips a quarter of the area wide, 1.5 times as long, of some twenty steps (thirty
  // in the mean, since short steps weigh more), ten cells and three moves, at the speed of town traffic. What is
  // usual of trips anywhere, to be overruled by whatever shows.
  constexpr double diagonals_wide = 6, lengths_a_diameter = 1.5, usual_steps = 20, usual_speed_m_s = 8;
  constexpr std::uint32_t usual_cells = 10, usual_moves = 3;
  constexpr double diameter_strays = 0.7;  // of the logarithm: half or twice as wide
  constexpr double length_strays = 0.45;   // likewise: given the diameter, a length is better known
  // Bins of half a power of two, and classes of cells that widen alike: a quarter of what is usual to four times that.
  constexpr double row_strays = 4;
  // Most sets of trips have a third to three times as many points. Noise beside a few hundred trips shows what lies
  // thirty times off as readily as what is there.
  constexpr double step_strays = 3;
  b.diameters = believed_lengths(known.of(Statistic::diameters), known.trips,
                                 {.mean_m = layout.diagonal_m() / diagonals_wide,
                                  .strays = diameter_strays,
                                  .most_m = layout.diagonal_m()});
  const double mean_diameter = average_squares(b.diameters, layout.diagonal_m());
  b.start_end = believe_ends(known, b.diameters);
  b.visits = believe_visits(known);
  b.coarse_visits = believe_coarse_visits(known);
  b.fine_visits = believe_fine_visits(known, b.visits.mean);
  Table start(grid_cells), end(grid_cells);
  for (std::size_t i = 0; i < b.start_end.mean.size(); ++i) {
    start[i / grid_cells] += b.start_end.mean[i];
    end[i % grid_cells] += b.start_end.mean[i];
  }
  const std::size_t fine = known.layout.fine;
  Table raw_ends = known.of(Statistic::ends).value, raw_starts = known.of(Statistic::starts).value;
  for (double& x : raw_ends) x = std::max(0.0, x);
  for (double& x : raw_starts) x = std::max(0.0, x);
  b.starts = believe_fine_ends(known.of(Statistic::starts), start, b.fine_visits.mean, raw_ends, fine);
  b.ends = believe_fine_ends(known.of(Statistic::ends), end, b.fine_visits.mean, raw_starts, fine);
  const auto histogram = [&](Statistic s) { return believed_histogram(known.of(s), known.trips); };
  b.lengths =
      believed_lengths(known.of(Statistic::lengths), known.trips,
                       {.mean_m = std::min(lengths_a_diameter * mean_diameter, layout.max_length_m / 2),
                        .strays = length_strays,
                        .most_m = layout.max_length_m});
  const Table classes = count_length_classes(b.lengths);
  const auto rows = [&](Statistic s, std::uint32_t usual_bin, double strays) {
    return believed_rows(known.of(s), classes, {.bin = static_cast<double>(usual_bin), .strays = strays});
  };
  const double mean_length = average_squares(b.lengths, layout.max_length_m);
  b.reaches = rows(Statistic::reaches, Layout::reach_bin(usual_cells), row_strays);
  b.crossings = rows(Statistic::crossings, Layout::crossing_bin(usual_moves), row_strays);
  MoveBeliefs moves = believed_moves(known);
  b.strings = believed_strings(known, moves);
  b.pairs = std::move(moves.pairs);
  b.triples = std::move(moves.triples);
  b.shapes = believe_shapes(known);
  b.steps = rows(Statistic::steps, Layout::step_bin(mean_length / usual_steps), step_strays);
  b.strides = histogram(Statistic::strides);
  b.turns = histogram(Statistic::turns);
  if (known.has_time()) {
    b.hours = histogram(Statistic::hours);
    b.speeds = rows(Statistic::speeds, Layout::speed_bin(usual_speed_m_s), row_strays);
  }
  return b;
}

}  // namespace fogline::traces
