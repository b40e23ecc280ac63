// SPDX-License-Identifier: Apache-2.0
#include "traces/invention/outline.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "traces/frame/trip_shape.hpp"
#include "traces/invention/curve.hpp"
#include "traces/invention/quick_random.hpp"

namespace fogline::traces {
namespace {

using Table = std::vector<double>;
constexpr std::size_t coarse_side = Layout::coarse, coarse_cells = coarse_side * coarse_side;

/// Whole numbers near the table's, in proportion, that sum to `total`: running sums are rounded, so neighbours'
/// errors cancel (systematic sampling). `start`, drawn evenly from 0 to 1, makes each number right in the mean.
/// Numbers drawn one by one would add the noise of a multinomial law to that of the counts.
std::vector<std::uint32_t> round_to_sum(const Table& table, std::uint64_t total, double start) {
  const double sum = std::accumulate(table.begin(), table.end(), 0.0);
  std::vector<std::uint32_t> result(table.size());
  double running = 0;
  std::uint64_t given = 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    running += table[i];
    const auto upto =
        std::min(total, static_cast<std::uint64_t>(running / sum * static_cast<double>(total) + start));
    result[i] = static_cast<std::uint32_t>(upto - given);
    given = upto;
  }
  // Rounding of the running sum may leave one over: the largest number bears it best.
  if (given < total)
    result[static_cast<std::size_t>(std::max_element(table.begin(), table.end()) - table.begin())] +=
        static_cast<std::uint32_t>(total - given);
  return result;
}

template <class T>
void shuffle(std::vector<T>& values, QuickRandom& random) {
  for (std::size_t i = values.size(); i > 1; --i)
    std::swap(values[i - 1], values[random.below(static_cast<std::uint32_t>(i))]);
}

/// The value below which a share of a histogram with squared bins lies.
double find_quantile(const Table& running, double share, double most, std::uint32_t bins) {
  const double at = share * running.back();
  const auto bin =
      static_cast<std::uint32_t>(std::lower_bound(running.begin(), running.end(), at) - running.begin());
  const std::uint32_t b = std::min(bin, bins - 1);
  const double before = b > 0 ? running[b - 1] : 0, mass = running[b] - before;
  const double within = mass > 0 ? (at - before) / mass : 0.5;
  const double low = Layout::square_edge(b, most, bins), high = Layout::square_edge(b + 1, most, bins);
  return low + within * (high - low);
}

Table sum_running(const Table& table) {
  Table sums(table.size());
  std::partial_sum(table.begin(), table.end(), sums.begin());
  return sums;
}

std::vector<std::uint32_t> order_by(const std::vector<double>& values) {
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return values[a] != values[b] ? values[a] < values[b] : a < b;
  });
  return order;
}

struct Shape {
  double diameter_m, length_m, displacement_m;
};

class Drawing {
 public:
  Drawing(const Beliefs& beliefs, std::uint64_t trips, const random::PublicKey& key,
          const std::function<bool(const PlanePoint&)>& open)
      : b_(beliefs),
        trips_(trips),
        random_(key.stream("traces outlines")),
        drawer_(beliefs, random_),
        open_(open) {}

  Outlines run(const Progress& progress) {
    draw_ends();
    draw_shapes();
    match();
    ProgressMeter meter(progress, "drawing trips", trips_);
    for (std::size_t i = 0; i < trips_; ++i) {
      add(i);
      meter.advance();
    }
    meter.finish();
    return std::move(out_);
  }

 private:
  /// A point anywhere in a fine cell, on open ground if there is some to be found.
  PlanePoint draw_inside(std::uint32_t fine_cell) {
    // With a tenth of the cell open, one in a thousand is not found (0.9^64). Constraints are enforced later anyway.
    constexpr int attempts = 64;
    const std::uint32_t fine = b_.layout.fine;
    PlanePoint p;
    for (int attempt = 0; attempt < attempts; ++attempt) {
      p = {static_cast<float>((fine_cell % fine + random_.uniform()) * b_.layout.width_m / fine),
           static_cast<float>((fine_cell / fine + random_.uniform()) * b_.layout.height_m / fine)};
      if (!open_ || open_(p)) break;
    }
    return p;
  }

  /// For each coarse cell as many fine cells as trips start (or end) there, in the believed proportion, in random
  /// order.
  std::vector<std::vector<std::uint32_t>> fill_pools(const Table& fine_table,
                                                     const std::vector<std::uint32_t>& wanted) {
    constexpr double least_mass =
        1e-9;  // where nothing is believed of a whole coarse cell, its fine ones are alike
    const std::uint32_t fine = b_.layout.fine;
    std::vector<std::vector<std::uint32_t>> members(coarse_cells), pools(coarse_cells);
    for (std::uint32_t i = 0; i < fine * fine; ++i)
      members[i / fine * coarse_side / fine * coarse_side + i % fine * coarse_side / fine].push_back(i);
    for (std::size_t c = 0; c < coarse_cells; ++c) {
      Table mass;
      for (const std::uint32_t f : members[c]) mass.push_back(fine_table[f] + least_mass);
      const auto counts = round_to_sum(mass, wanted[c], random_.uniform());
      for (std::size_t k = 0; k < counts.size(); ++k)
        pools[c].insert(pools[c].end(), counts[k], members[c][k]);
      shuffle(pools[c], random_);
    }
    return pools;
  }

  void draw_ends() {
    const auto counts = round_to_sum(b_.start_end.mean, trips_, random_.uniform());
    std::vector<std::uint32_t> starts(coarse_cells), ends(coarse_cells);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      starts[i / coarse_cells] += counts[i];
      ends[i % coarse_cells] += counts[i];
      for (std::uint32_t k = 0; k < counts[i]; ++k) {
        from_.push_back(static_cast<std::uint32_t>(i / coarse_cells));
        to_.push_back(static_cast<std::uint32_t>(i % coarse_cells));
      }
    }
    auto start_pool = fill_pools(b_.starts.mean, starts);
    end_pool_ = fill_pools(b_.ends.mean, ends);
    start_.resize(trips_);
    std::vector<std::uint32_t> end_at(coarse_cells);
    end_cell_.resize(trips_);
    for (std::size_t i = 0; i < trips_; ++i) {
      start_[i] = draw_inside(start_pool[from_[i]].back());
      start_pool[from_[i]].pop_back();
      end_cell_[i] = end_pool_[to_[i]][end_at[to_[i]]];
      ++end_at[to_[i]];
    }
  }

  /// Diameters, lengths and displacements together, each even within its class of the table of shapes.
  void draw_shapes() {
    constexpr double least_diameter_m = 1e-3;  // by which lengths and displacements are divided below
    const Layout& layout = b_.layout;
    const auto counts = round_to_sum(b_.shapes, trips_, random_.uniform());
    std::vector<double> diameter, ratio;
    for (std::uint32_t i = 0; i < counts.size(); ++i) {
      const std::uint32_t d = i / (Layout::shape_ratios * Layout::shape_displacements);
      const std::uint32_t r = i / Layout::shape_displacements % Layout::shape_ratios,
                          s = i % Layout::shape_displacements;
      const std::uint32_t per = Layout::diameter_bins / Layout::shape_diameters;
      for (std::uint32_t k = 0; k < counts[i]; ++k) {
        const double low = Layout::square_edge(d * per, layout.diagonal_m(), Layout::diameter_bins);
        const double high = Layout::square_edge((d + 1) * per, layout.diagonal_m(), Layout::diameter_bins);
        const double at = std::max(least_diameter_m, low + (high - low) * random_.uniform());
        const double stretch = ratio_edges[r] + (ratio_edges[r + 1] - ratio_edges[r]) * random_.uniform();
        const double share =
            displacement_edges[s] + (displacement_edges[s + 1] - displacement_edges[s]) * random_.uniform();
        shapes_.push_back({at, at * stretch, at * share});
        diameter.push_back(at);
      }
    }
    // The histograms of diameters and lengths are finer and surer than the table of both: values keep their rank, which
    // is what the table tells of how they go together, and take the quantile of that rank.
    const Table diameters = sum_running(b_.diameters), lengths = sum_running(b_.lengths);
    const auto by_diameter = order_by(diameter);
    std::vector<double> length(trips_);
    for (std::size_t k = 0; k < trips_; ++k) {
      Shape& s = shapes_[by_diameter[k]];
      const double now =
          find_quantile(diameters, (static_cast<double>(k) + 0.5) / static_cast<double>(trips_),
                        layout.diagonal_m(), Layout::diameter_bins);
      s.length_m *= now / s.diameter_m;
      s.displacement_m *= now / s.diameter_m;
      s.diameter_m = now;
      length[by_diameter[k]] = s.length_m;
    }
    const auto by_length = order_by(length);
    for (std::size_t k = 0; k < trips_; ++k)
      shapes_[by_length[k]].length_m =
          find_quantile(lengths, (static_cast<double>(k) + 0.5) / static_cast<double>(trips_),
                        layout.max_length_m, Layout::length_bins);
    // Ranks of lengths and diameters are not the same, so that a diameter may have been given a shorter length.
    for (Shape& s : shapes_) s.length_m = std::max(s.length_m, s.diameter_m);
  }

  /// Gives each pair of ends a shape: the farther apart, the farther the shape's displacement; then ends change
  /// places within their cell until displacements are nearly those of the shapes.
  void match() {
    // Ends that have moved may suit another shape better, so both steps take turns. Chosen, not derived.
    constexpr int turns = 3;
    end_.resize(trips_);
    std::vector<double> displacement(trips_), wanted(trips_);
    for (std::size_t i = 0; i < trips_; ++i) {
      end_[i] = draw_inside(end_cell_[i]);
      displacement[i] = distance_m(start_[i], end_[i]);
      wanted[i] = shapes_[i].displacement_m;
    }
    const auto by_shape = order_by(wanted);
    shape_of_.resize(trips_);
    for (int turn = 0; turn < turns; ++turn) {
      for (std::size_t i = 0; i < trips_; ++i) displacement[i] = distance_m(start_[i], end_[i]);
      const auto by_place = order_by(displacement);
      for (std::size_t k = 0; k < trips_; ++k) shape_of_[by_place[k]] = by_shape[k];
      swap_ends();
    }
  }

  double miss(std::size_t trip, const PlanePoint& end) const {
    return std::abs(distance_m(start_[trip], end) - shapes_[shape_of_[trip]].displacement_m);
  }

  /// Two trips that end in the same coarse cell change ends if both together then miss less: neither the pairs of
  /// coarse cells nor the fine ends change by that. Each may also end elsewhere in its fine cell.
  void swap_ends() {
    constexpr int swaps_a_trip = 12;  // chosen, not derived
    std::vector<std::vector<std::uint32_t>> of_cell(coarse_cells);
    for (std::uint32_t i = 0; i < trips_; ++i) of_cell[to_[i]].push_back(i);
    for (int round = 0; round < swaps_a_trip; ++round)
      for (std::uint32_t i = 0; i < trips_; ++i) {
        const auto& others = of_cell[to_[i]];
        const std::uint32_t j = others[random_.below(static_cast<std::uint32_t>(others.size()))];
        if (miss(i, end_[j]) + miss(j, end_[i]) < miss(i, end_[i]) + miss(j, end_[j])) {
          std::swap(end_[i], end_[j]);
          std::swap(end_cell_[i], end_cell_[j]);
        }
        const PlanePoint moved = draw_inside(end_cell_[i]);
        if (miss(i, moved) < miss(i, end_[i])) end_[i] = moved;
      }
  }

  void add(std::size_t i) {
    // Bounds what a trip costs to whom noise has given steps of a few metres.
    constexpr double fewest_points = 2, most_points = 1e4;
    // Refinement needs an inner node to move.
    constexpr std::size_t fewest_nodes = 3;
    constexpr int attempts = 8;  // each costs a new way: chosen, not derived
    Shape shape = shapes_[shape_of_[i]];
    const PlanePoint a = start_[i], z = end_[i];
    const double displacement = distance_m(a, z);
    // No trip is narrower than its ends are apart, nor shorter than it is wide.
    shape.diameter_m = std::max(shape.diameter_m, displacement);
    shape.length_m = std::max(shape.length_m, shape.diameter_m);
    const double step = draw_step(shape.length_m);
    const auto points = static_cast<std::size_t>(
        std::clamp(std::round(shape.length_m / step) + 1, fewest_points, most_points));
    const std::size_t nodes = std::clamp<std::size_t>(points, fewest_nodes, most_nodes);
    std::vector<PlanePoint> base(nodes);
    // Ways that lead through closed ground are drawn again; what cannot be drawn otherwise is left to refinement.
    for (int attempt = 0; attempt < attempts; ++attempt) {
      drawer_.draw(a, z, {static_cast<float>(shape.length_m), static_cast<float>(shape.diameter_m)}, random_,
                   base);
      if (!open_ || std::all_of(base.begin(), base.end(), open_)) break;
    }
    out_.node.insert(out_.node.end(), base.begin(), base.end());
    out_.offset.push_back(out_.node.size());
    out_.length_m.push_back(static_cast<float>(shape.length_m));
    out_.diameter_m.push_back(static_cast<float>(shape.diameter_m));
    out_.step_m.push_back(static_cast<float>(shape.length_m / static_cast<double>(points - 1)));
  }

  /// A mean distance of points for a trip of this length, even in its logarithm within a bin.
  double draw_step(double length) {
    const std::uint32_t row = b_.layout.length_class(length) * Layout::step_bins;
    double total = 0;
    for (std::uint32_t k = 0; k < Layout::step_bins; ++k) total += b_.steps[row + k];
    double at = random_.uniform() * total;
    std::uint32_t bin = 0;
    while (bin + 1 < Layout::step_bins && at >= b_.steps[row + bin]) {
      at -= b_.steps[row + bin];
      ++bin;
    }
    constexpr double steps_a_doubling = 2;  // bins are half powers of two: Layout::step_edge
    return Layout::step_edge(bin) * std::exp2(random_.uniform() / steps_a_doubling);
  }

  const Beliefs& b_;
  std::uint64_t trips_;
  QuickRandom random_;
  CurveDrawer drawer_;
  const std::function<bool(const PlanePoint&)>& open_;
  std::vector<std::uint32_t> from_, to_, end_cell_, shape_of_;
  std::vector<std::vector<std::uint32_t>> end_pool_;
  std::vector<PlanePoint> start_, end_;
  std::vector<Shape> shapes_;
  Outlines out_;
};

}  // namespace

Outlines draw_outlines(const Beliefs& beliefs, std::uint64_t trips, const random::PublicKey& key,
                       const std::function<bool(const PlanePoint&)>& open, const Progress& progress) {
  return Drawing(beliefs, trips, key, open).run(progress);
}

}  // namespace fogline::traces
