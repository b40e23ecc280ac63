// SPDX-License-Identifier: Apache-2.0
#include "traces/beliefs.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "traces/histograms.hpp"
#include "traces/move_beliefs.hpp"
#include "traces/moves.hpp"

namespace fogline::traces {
namespace {

using Table = std::vector<double>;
constexpr std::size_t grid_side = Layout::coarse, grid_cells = grid_side * grid_side;

double sum_of(const Table& table) {
  return std::accumulate(table.begin(), table.end(), 0.0);
}

/// The mean of the cells around each, itself left out.
Table around(const Table& table, std::size_t columns) {
  const std::size_t rows = table.size() / columns;
  Table result(table.size());
  for (std::size_t y = 0; y < rows; ++y)
    for (std::size_t x = 0; x < columns; ++x) {
      double sum = 0, weight = 0;
      for (std::size_t v = y > 0 ? y - 1 : 0; v <= std::min(y + 1, rows - 1); ++v)
        for (std::size_t u = x > 0 ? x - 1 : 0; u <= std::min(x + 1, columns - 1); ++u) {
          if (u == x && v == y) continue;
          const double w = u == x || v == y ? 1 : 0.5;
          sum += w * table[v * columns + u];
          weight += w;
        }
      result[y * columns + x] = std::max(0.0, sum / weight);
    }
  return result;
}

std::size_t king_distance(std::size_t a, std::size_t b) {
  const auto apart = [](std::size_t u, std::size_t v) { return u > v ? u - v : v - u; };
  return std::max(apart(a % grid_side, b % grid_side), apart(a / grid_side, b / grid_side));
}

/// Sums of a fine table over the coarse cells.
Table coarse_sums(const Table& fine, std::size_t columns) {
  Table sums(grid_cells);
  for (std::size_t i = 0; i < fine.size(); ++i)
    sums[i / columns * grid_side / columns * grid_side + i % columns * grid_side / columns] += fine[i];
  return sums;
}

/// Two noisy sums of the same thing, the surer one counting more.
double combined(double a, double variance_a, double b, double variance_b) {
  return std::max(0.0, (a * variance_b + b * variance_a) / (variance_a + variance_b));
}

/// Starts times ends times a factor for how far apart they are.
Table gravity(const NoisyStatistics& known) {
  const NoisyTable& both = known.of(Statistic::start_end);
  const auto square = [](double x) { return x * x; };
  const double fine_cells = square(known.layout.fine / static_cast<double>(grid_side));
  const Table fine_start = coarse_sums(known.of(Statistic::starts).value, known.layout.fine);
  const Table fine_end = coarse_sums(known.of(Statistic::ends).value, known.layout.fine);
  Table row(grid_cells), column(grid_cells);
  for (std::size_t i = 0; i < both.value.size(); ++i)
    row[i / grid_cells] += both.value[i], column[i % grid_cells] += both.value[i];
  const double variance = grid_cells * square(both.scale);
  for (std::size_t c = 0; c < grid_cells; ++c) {
    row[c] =
        combined(row[c], variance, fine_start[c], fine_cells * square(known.of(Statistic::starts).scale));
    column[c] =
        combined(column[c], variance, fine_end[c], fine_cells * square(known.of(Statistic::ends).scale));
  }
  scale_to(row, known.trips);
  scale_to(column, known.trips);
  Table r = row, c = column, result(grid_cells * grid_cells);
  std::array<double, grid_side> near{};
  near.fill(1 / known.trips);
  for (int round = 0; round < 20; ++round) {
    std::array<double, grid_side> seen{}, expected{};
    Table row_sum(grid_cells), column_sum(grid_cells);
    for (std::size_t i = 0; i < result.size(); ++i) {
      const std::size_t d = king_distance(i / grid_cells, i % grid_cells);
      seen[d] += both.value[i];
      expected[d] += r[i / grid_cells] * c[i % grid_cells];
    }
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
Table neighbouring_ends(const Table& table) {
  Table by_start(table.size()), column(grid_cells);
  for (std::size_t d = 0; d < grid_cells; ++d) {
    for (std::size_t o = 0; o < grid_cells; ++o) column[o] = table[o * grid_cells + d];
    const Table near = around(column, grid_side);
    for (std::size_t o = 0; o < grid_cells; ++o) by_start[o * grid_cells + d] += near[o] / 2;
  }
  for (std::size_t o = 0; o < grid_cells; ++o) {
    const Table near = around(Table(table.begin() + static_cast<std::ptrdiff_t>(o * grid_cells),
                                    table.begin() + static_cast<std::ptrdiff_t>((o + 1) * grid_cells)),
                              grid_side);
    for (std::size_t d = 0; d < grid_cells; ++d) by_start[o * grid_cells + d] += near[d] / 2;
  }
  return by_start;
}

Estimate believed_ends(const NoisyStatistics& known) {
  const NoisyTable& both = known.of(Statistic::start_end);
  const Table by_gravity = gravity(known);
  const Table first = denoise(both, {by_gravity}).mean;
  Table back(first.size());
  for (std::size_t i = 0; i < first.size(); ++i)
    back[i] = first[i % grid_cells * grid_cells + i / grid_cells];
  Estimate estimate = denoise(both, {by_gravity, back, neighbouring_ends(first)});
  scale_to(estimate.mean, known.trips);
  return estimate;
}

/// Every cell's share of the larger cell that holds it.
Table parent_share(const Table& coarse, std::size_t coarse_columns, std::size_t fine_columns) {
  const std::size_t times = fine_columns / coarse_columns;
  Table result(fine_columns * fine_columns);
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = coarse[i / fine_columns / times * coarse_columns + i % fine_columns / times] /
                static_cast<double>(times * times);
  return result;
}

/// Fine visits summed over the medium cells.
Table medium_sums(const NoisyStatistics& known) {
  const std::size_t fine = known.layout.fine, times = fine / Layout::medium;
  const Table& fine_value = known.of(Statistic::fine_visits).value;
  Table sums(Layout::medium * Layout::medium);
  for (std::size_t i = 0; i < fine_value.size(); ++i)
    sums[i / fine / times * Layout::medium + i % fine / times] += fine_value[i];
  return sums;
}

/// Visits of medium cells, each trip sharing itself evenly: what fine visits, ends and moves say together.
Table even_visits(const NoisyStatistics& known) {
  const double times = static_cast<double>(known.layout.fine) / Layout::medium;
  const NoisyTable sums{medium_sums(known), times * known.of(Statistic::fine_visits).scale};
  const Table &both = known.of(Statistic::start_end).value, &moves = known.of(Statistic::pairs).value;
  Table coarse(grid_cells);
  for (std::size_t i = 0; i < both.size(); ++i)
    coarse[i / grid_cells] += both[i] / 2, coarse[i % grid_cells] += both[i] / 2;
  for (std::size_t i = 0; i < moves.size(); ++i)
    if (can_move(i / 9, i % 9)) coarse[i / 9] += moves[i];
  scale_to(coarse, known.trips);
  Table spread(Layout::medium * Layout::medium);
  constexpr double per_cell = static_cast<double>(grid_side * grid_side) / (Layout::medium * Layout::medium);
  for (std::size_t c = 0; c < spread.size(); ++c)
    spread[c] = coarse[c / Layout::medium * grid_side / Layout::medium * grid_side +
                       c % Layout::medium * grid_side / Layout::medium] *
                per_cell;
  const Table smooth = around(spread, Layout::medium);
  Table first = denoise(sums, {spread, smooth}).mean;
  scale_to(first, known.trips);
  Table result = denoise(sums, {spread, smooth, around(first, Layout::medium)}).mean;
  scale_to(result, known.trips);
  return result;
}

/// What cells get of the trips that pass them if even visits are these: alike, by their favour in part, and in between.
struct Favoured {
  Favoured(const Table& even_visits, const std::vector<std::uint32_t>& favour, const NoisyTable& noisy,
           double trips)
      : all(std::clamp(sum_of(noisy.value), trips / 10, trips)), even(even_visits) {
    for (std::size_t c = 0; c < even.size(); ++c) {
      root.push_back(std::sqrt(even[c]));
      part.push_back(even[c] * std::sqrt(favour[c] / 256.0));
    }
    scale_to(root, all);
    scale_to(part, all);
  }
  double all;  ///< that trips count for together, one at most each
  Table even, root, part;
};

Estimate believed_visits(const NoisyStatistics& known) {
  const NoisyTable& noisy = known.of(Statistic::visits);
  const Favoured f(even_visits(known), known.favour, noisy, known.trips);
  const Table near = around(noisy.value, Layout::medium);
  Table first = denoise(noisy, {near, f.even, f.root, f.part}).mean;
  scale_to(first, f.all);
  Estimate estimate = denoise(noisy, {near, f.even, f.root, f.part, around(first, Layout::medium)});
  scale_to(estimate.mean, f.all);
  return estimate;
}

/// Medium cells put together to coarse ones, those on a border halved.
Table coarse_of_medium(const Table& medium) {
  constexpr std::size_t side = 2 * std::size_t{Layout::medium}, per = side / grid_side;
  static_assert(side % grid_side == 0);
  Table sums(grid_cells);
  for (std::size_t y = 0; y < side; ++y)
    for (std::size_t x = 0; x < side; ++x)
      sums[y / per * grid_side + x / per] += medium[y / 2 * Layout::medium + x / 2] / 4;
  return sums;
}

Estimate believed_coarse_visits(const NoisyStatistics& known) {
  const NoisyTable& noisy = known.of(Statistic::coarse_visits);
  if (noisy.value.empty())  // not asked
    return {Table(grid_cells), Table(grid_cells, INFINITY)};
  const Favoured f(coarse_of_medium(even_visits(known)), known.coarse_favour, noisy, known.trips);
  Estimate estimate = denoise(noisy, {f.even, f.root, f.part});
  scale_to(estimate.mean, f.all);
  return estimate;
}

Estimate believed_fine_visits(const NoisyStatistics& known, const Table& visits) {
  const NoisyTable& noisy = known.of(Statistic::fine_visits);
  // What a visit counts depends on what else its trip passes; between all alike and all in proportion to favour.
  Table half(visits.size()), whole(visits.size());
  for (std::size_t c = 0; c < visits.size(); ++c) {
    whole[c] = visits[c] * 256 / known.favour[c];
    half[c] = visits[c] * std::sqrt(256.0 / known.favour[c]);
  }
  const auto spread = [&](const Table& medium) {
    return parent_share(medium, Layout::medium, known.layout.fine);
  };
  const Table from_whole = spread(whole), from_half = spread(half), from_even = spread(visits);
  Table first = denoise(noisy, {from_even, from_half, from_whole, around(from_half, known.layout.fine)}).mean;
  scale_to(first, known.trips);
  Estimate estimate = denoise(noisy, {from_even, from_half, from_whole, around(from_half, known.layout.fine),
                                      around(first, known.layout.fine)});
  scale_to(estimate.mean, known.trips);
  return estimate;
}

/// Starts (or ends) on the fine grid, agreeing with what is believed of the coarse one.
Estimate believed_fine_ends(const NoisyTable& noisy, const Table& coarse, const Table& fine_visits,
                            const Table& others, std::size_t fine) {
  const Table parent = parent_share(coarse, grid_side, fine);
  Table by_visits = fine_visits;
  const Table visits = coarse_sums(fine_visits, fine);
  for (std::size_t i = 0; i < by_visits.size(); ++i) {
    const std::size_t c = i / fine * grid_side / fine * grid_side + i % fine * grid_side / fine;
    by_visits[i] = visits[c] > 0 ? fine_visits[i] * coarse[c] / visits[c] : 0;
  }
  Estimate estimate = denoise(noisy, {parent, by_visits, others, around(noisy.value, fine)});
  const Table sums = coarse_sums(estimate.mean, fine);
  for (std::size_t i = 0; i < estimate.mean.size(); ++i) {
    const std::size_t c = i / fine * grid_side / fine * grid_side + i % fine * grid_side / fine;
    estimate.mean[i] = sums[c] > 0 ? estimate.mean[i] * coarse[c] / sums[c] : parent[i];
  }
  return estimate;
}

/// The mean of a histogram with squared bins.
double mean_of_squares(const Table& histogram, double most) {
  const auto bins = static_cast<std::uint32_t>(histogram.size());
  double sum = 0, weight = 0;
  for (std::uint32_t k = 0; k < bins; ++k) {
    sum += histogram[k] * (Layout::square_edge(k, most, bins) + Layout::square_edge(k + 1, most, bins)) / 2;
    weight += histogram[k];
  }
  return weight > 0 ? sum / weight : most / 2;
}

/// The believed number of trips in each class of lengths.
Table length_classes(const Table& lengths) {
  Table sums(Layout::length_classes);
  for (std::size_t k = 0; k < lengths.size(); ++k)
    sums[k * Layout::length_classes / Layout::length_bins] += lengths[k];
  return sums;
}

Table believed_shapes(const NoisyStatistics& known) {
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

/// The fewer are expected, the more.
std::vector<std::uint32_t> favour_against(const Table& expected) {
  constexpr double usual = 256;
  const double mean = sum_of(expected) / static_cast<double>(expected.size());
  std::vector<std::uint32_t> favour;
  for (const double e : expected) {
    // Noise alone may leave nothing to expect anywhere; then all cells are alike.
    const double times = mean > 0 ? mean / std::max(e, mean / usual) : 1;
    favour.push_back(static_cast<std::uint32_t>(std::clamp(usual * times, 1.0, usual * usual)));
  }
  return favour;
}

}  // namespace

Favours favours_of(const NoisyStatistics& so_far) {
  const Table even = even_visits(so_far);
  return {favour_against(even), favour_against(coarse_of_medium(even))};
}

Beliefs believe(const NoisyStatistics& known) {
  Beliefs b;
  b.layout = known.layout;
  b.trips = known.trips;
  b.favour = known.favour;
  b.coarse_favour = known.coarse_favour;
  b.asked = known.strings;
  b.start_end = believed_ends(known);
  b.visits = believed_visits(known);
  b.coarse_visits = believed_coarse_visits(known);
  b.fine_visits = believed_fine_visits(known, b.visits.mean);
  Table start(grid_cells), end(grid_cells);
  for (std::size_t i = 0; i < b.start_end.mean.size(); ++i)
    start[i / grid_cells] += b.start_end.mean[i], end[i % grid_cells] += b.start_end.mean[i];
  const std::size_t fine = known.layout.fine;
  Table raw_ends = known.of(Statistic::ends).value, raw_starts = known.of(Statistic::starts).value;
  for (double& x : raw_ends) x = std::max(0.0, x);
  for (double& x : raw_starts) x = std::max(0.0, x);
  b.starts = believed_fine_ends(known.of(Statistic::starts), start, b.fine_visits.mean, raw_ends, fine);
  b.ends = believed_fine_ends(known.of(Statistic::ends), end, b.fine_visits.mean, raw_starts, fine);
  const auto histogram = [&](Statistic s) { return believed_histogram(known.of(s), known.trips); };
  b.lengths = histogram(Statistic::lengths);
  b.diameters = histogram(Statistic::diameters);
  const Table classes = length_classes(b.lengths);
  const auto rows = [&](Statistic s, std::uint32_t usual_bin, std::size_t bins) {
    return believed_rows(known.of(s), classes, bump_about(usual_bin, bins));
  };
  // Where noise hides everything: trips of some thirty points and ten cells, at the speed of town traffic.
  const double mean_length = mean_of_squares(b.lengths, known.layout.max_length_m);
  b.reaches = rows(Statistic::reaches, Layout::reach_bin(10), Layout::reach_bins);
  b.crossings = rows(Statistic::crossings, Layout::crossing_bin(3), Layout::crossing_bins);
  MoveBeliefs moves = believed_moves(known);
  b.strings = believed_strings(known, moves);
  b.pairs = std::move(moves.pairs);
  b.triples = std::move(moves.triples);
  b.shapes = believed_shapes(known);
  b.steps = rows(Statistic::steps, Layout::step_bin(mean_length / 30), Layout::step_bins);
  b.strides = histogram(Statistic::strides);
  b.turns = histogram(Statistic::turns);
  if (known.has_time()) {
    b.hours = histogram(Statistic::hours);
    b.speeds = rows(Statistic::speeds, Layout::speed_bin(8), Layout::speed_bins);
  }
  return b;
}

}  // namespace fogline::traces
