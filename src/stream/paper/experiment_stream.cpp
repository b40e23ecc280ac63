// SPDX-License-Identifier: Apache-2.0
#include "stream/paper/experiment_stream.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

#include "mobility/learn.hpp"
#include "mobility/sample_walks.hpp"
#include "mobility/trips.hpp"
#include "roads/read_network.hpp"

namespace fogline::stream {
namespace {

using mobility::StateId;

/// One of the two data sets, as this project has it.
struct CityData {
  std::string name, file, header;
  double cell_m = 0, reach_m = 0;
  SequenceRule rule = {};
};

CityData data_of(ExperimentCity city) {
  if (city == ExperimentCity::beijing) {
    // Taxis report every five minutes or more often. A longer silence, or a stop, ends a sequence.
    return {
        .name =
            "T-Drive taxis within the third ring of Beijing, every minute on straight lines between reports",
        .file = "traces/tdrive599_raw.csv.gz",
        .header = "user_id,t,lon,lat",
        .cell_m = 340,
        .reach_m = 1000,
        .rule = {.west = 116.300,
                 .south = 39.856,
                 .east = 116.457,
                 .north = 39.967,
                 .largest_gap_s = 360,
                 .least_speed_m_s = 0.5,
                 .interval_s = 60}};
  }
  return {.name = "Gowalla check-ins in New York",
          .file = "streams/gowalla_nyc_checkins.tsv.gz",
          .header = "user_id,t,lat,lon,venue",
          .cell_m = 890,
          .reach_m = 2000};
}

io::PointTable points_of(const CityData& data, const FigureOptions& figure) {
  if (figure.data.empty()) {
    const auto network = roads::read_network(figure.quick ? "lattice:20x20:3000" : "city:1");
    return mobility::make_sample_walks(network, {.walkers = figure.quick ? 40U : 200U, .steps = 120}).history;
  }
  const std::string file = (std::filesystem::path(figure.data) / data.file).string();
  const auto points = io::read_points(file, {.format = io::PointFormat::csv,
                                             .duplicates = io::DuplicatePoints::drop,
                                             .outside = io::OutsidePoints::drop,
                                             .csv_header = data.header});
  return cut_into_sequences(points, data.rule);
}

void add_point(io::PointTable& table, double lon, double lat, std::int64_t t, std::uint32_t piece) {
  table.lon.push_back(lon);
  table.lat.push_back(lat);
  table.t.push_back(t);
  table.line.push_back(table.line.size() + 1);
  table.traj.push_back(piece);
}

/// Does another sequence begin between two points of one owner?
bool is_cut(const io::PointTable& points, std::size_t from, std::size_t to, const SequenceRule& rule) {
  const auto gap_s = static_cast<double>(points.t[to] - points.t[from]);
  if (rule.largest_gap_s > 0 && gap_s > static_cast<double>(rule.largest_gap_s)) return true;
  constexpr double metres_per_degree = 111'195;
  const double middle = points.lat[from] * std::numbers::pi / 180;
  const double moved_m =
      metres_per_degree *
      std::hypot((points.lon[to] - points.lon[from]) * std::cos(middle), points.lat[to] - points.lat[from]);
  return moved_m < rule.least_speed_m_s * gap_s;
}

/// The points of a piece as they are, or every `interval_s` seconds on the straight lines between them.
void add_piece(const io::PointTable& points, const std::vector<std::size_t>& piece, std::int64_t interval_s,
               io::PointTable& table) {
  const std::uint32_t name = table.traj_names.intern(fmt::format("{}", table.traj_names.size() + 1));
  if (interval_s == 0) {
    for (const std::size_t p : piece) add_point(table, points.lon[p], points.lat[p], points.t[p], name);
    return;
  }
  std::int64_t t = points.t[piece.front()];
  for (std::size_t i = 0; i + 1 < piece.size(); ++i) {
    const std::size_t from = piece[i], to = piece[i + 1];
    for (; t < points.t[to]; t += interval_s) {
      const double share =
          static_cast<double>(t - points.t[from]) / static_cast<double>(points.t[to] - points.t[from]);
      add_point(table, points.lon[from] + share * (points.lon[to] - points.lon[from]),
                points.lat[from] + share * (points.lat[to] - points.lat[from]), t, name);
    }
  }
}

/// Of all sequences that are long enough, so many, spread evenly; the first steps of each.
std::vector<std::vector<StateId>> chosen(const mobility::StateSequences& all,
                                         const ExperimentOptions& options) {
  std::vector<std::size_t> long_enough;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].size() >= options.steps) long_enough.push_back(i);
  }
  std::vector<std::vector<StateId>> result;
  const std::size_t count = std::min(options.sequences, long_enough.size());
  for (std::size_t k = 0; k < count; ++k) {
    const auto sequence = all[long_enough[k * long_enough.size() / count]];
    result.emplace_back(sequence.begin(), sequence.begin() + static_cast<std::ptrdiff_t>(options.steps));
  }
  return result;
}

}  // namespace

io::PointTable cut_into_sequences(const io::PointTable& points, const SequenceRule& rule) {
  const auto& owner = points.traj.empty() ? points.user : points.traj;
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return owner[a] != owner[b] ? owner[a] < owner[b] : points.t[a] < points.t[b];
  });
  io::PointTable result;
  result.source = points.source;
  result.has_time = true;
  std::vector<std::size_t> piece;
  const auto finish = [&] {
    if (piece.size() > 1) add_piece(points, piece, rule.interval_s, result);
    piece.clear();
  };
  for (const std::size_t p : order) {
    const bool is_inside = points.lon[p] >= rule.west && points.lon[p] <= rule.east &&
                           points.lat[p] >= rule.south && points.lat[p] <= rule.north;
    if (!piece.empty() &&
        (owner[p] != owner[piece.back()] || !is_inside || is_cut(points, piece.back(), p, rule)))
      finish();
    if (is_inside) piece.push_back(p);
  }
  finish();
  return result;
}

ExperimentStream experiment_stream(ExperimentCity city, const FigureOptions& figure,
                                   const ExperimentOptions& options) {
  const CityData data = data_of(city);
  const auto trips = mobility::make_trips(points_of(data, figure), {});
  const double cell_m = figure.data.empty() ? data.cell_m / 2 : data.cell_m;
  mobility::StateSpace space = mobility::grid_over(trips, cell_m);
  const mobility::StateSequences all = mobility::locate(trips, space);
  mobility::MarkovModel chain =
      mobility::learn_counts(all, mobility::grid_neighbourhood(*space.grid), {.smoothing = 0.1});
  const std::string name = figure.data.empty() ? "walks through a generated city" : data.name;
  return {.name = fmt::format("{}, {} cells of {} m, {} steps to learn from", name, space.states(), cell_m,
                              all.steps()),
          .model = {std::move(space), std::move(chain)},
          .sequences = chosen(all, options),
          .cell_m = cell_m,
          .reach_m = data.reach_m};
}

}  // namespace fogline::stream
