// SPDX-License-Identifier: Apache-2.0
#include "traces/roads/legal_paths.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/error.hpp"
#include "traces/roads/driving_map.hpp"

namespace fogline::traces {
namespace {

using geometry::distance_m;
using geometry::PointXY;
using roads::Direction;

/// A straight piece of a road in one driving direction.
struct Piece {
  PointXY from, to;
  std::uint32_t next = 0;  ///< the next piece of the road, or `at_end`
  std::uint32_t head = 0;  ///< the junction at the end of the road
};
constexpr std::uint32_t at_end = ~std::uint32_t{0};

/// Where a car may be: on a piece, so far from its beginning.
struct Place {
  std::uint32_t piece = 0;
  double at_m = 0;
};

struct Foot {
  double at_m = 0, away_m = 0;
};

/// The nearest point of a line to p: how far along, how far away.
Foot foot_on(const PointXY& p, const PointXY& a, const PointXY& b) {
  const double dx = b.x_m - a.x_m, dy = b.y_m - a.y_m, length = std::hypot(dx, dy);
  if (!(length > 0)) return {0, distance_m(p, a)};
  const double at = std::clamp(((p.x_m - a.x_m) * dx + (p.y_m - a.y_m) * dy) / length, 0.0, length);
  return {at, distance_m(p, {a.x_m + at / length * dx, a.y_m + at / length * dy})};
}

/// Cells in which pieces of roads are listed: small, and not too many in a large area. What is found does not depend on
/// them. Chosen, not derived.
constexpr int least_cell_m = 25, most_cells_a_side = 2000;
/// Trips, each of many points, are worth a thread's while by so many.
constexpr unsigned fewest_trips_a_task = 64;

class LegalPaths {
 public:
  LegalPaths(const roads::RoadNetwork& network, const Frame& frame, const LegalPathOptions& options)
      : tolerance_m_(options.tolerance_m),
        cell_m_(std::max<double>(least_cell_m, frame.larger_side_m() / most_cells_a_side)),
        columns_(cells_along(frame.width_m())),
        rows_(cells_along(frame.height_m())),
        exits_(network.vertex_count()) {
    const PlaneRoads lines = plane_roads(network, frame, options.parallel);
    for (std::size_t r = 0; r < network.roads.size(); ++r) {
      const roads::Road& road = network.roads[r];
      const auto line = lines.road(r);
      if (road.direction != Direction::backward) add({line.begin(), line.end()}, road.tail, road.head);
      if (road.direction != Direction::forward) add({line.rbegin(), line.rend()}, road.head, road.tail);
    }
    list_pieces();
  }

  bool is_legal(std::span<const PlanePoint> trip) const {
    std::vector<Place> places = begin_at({trip[0].x, trip[0].y}), next;
    for (std::size_t i = 1; i < trip.size() && !places.empty(); ++i) {
      follow({trip[i - 1].x, trip[i - 1].y}, {trip[i].x, trip[i].y}, places, next);
      places.swap(next);
    }
    return !places.empty();
  }

 private:
  std::uint32_t cells_along(double metres) const { return static_cast<std::uint32_t>(metres / cell_m_) + 1; }
  std::uint32_t cell_along(double metres, std::uint32_t cells) const {
    const double at = metres / cell_m_;
    return at <= 0 ? 0 : at >= cells ? cells - 1 : static_cast<std::uint32_t>(at);
  }

  void add(const std::vector<PointXY>& line, graph::VertexId tail, graph::VertexId head) {
    exits_[tail].push_back(static_cast<std::uint32_t>(pieces_.size()));
    for (std::size_t i = 1; i < line.size(); ++i) {
      const bool last = i + 1 == line.size();
      pieces_.push_back(
          {line[i - 1], line[i], last ? at_end : static_cast<std::uint32_t>(pieces_.size() + 1), head});
    }
  }

  template <class Use>
  void each_cell(const PointXY& low, const PointXY& high, Use use) const {
    const std::uint32_t right = cell_along(high.x_m, columns_), top = cell_along(high.y_m, rows_);
    for (std::uint32_t row = cell_along(low.y_m, rows_); row <= top; ++row)
      for (std::uint32_t column = cell_along(low.x_m, columns_); column <= right; ++column)
        use(std::size_t{row} * columns_ + column);
  }

  void list_pieces() {
    const auto cells_of = [&](const Piece& piece, auto use) {
      const PointXY low{std::min(piece.from.x_m, piece.to.x_m) - tolerance_m_,
                        std::min(piece.from.y_m, piece.to.y_m) - tolerance_m_};
      const PointXY high{std::max(piece.from.x_m, piece.to.x_m) + tolerance_m_,
                         std::max(piece.from.y_m, piece.to.y_m) + tolerance_m_};
      if (high.x_m < 0 || high.y_m < 0 || low.x_m > columns_ * cell_m_ || low.y_m > rows_ * cell_m_) return;
      each_cell(low, high, use);
    };
    cell_first_.assign(std::size_t{columns_} * rows_ + 1, 0);
    for (const Piece& piece : pieces_) cells_of(piece, [&](std::size_t cell) { ++cell_first_[cell + 1]; });
    for (std::size_t i = 1; i < cell_first_.size(); ++i) cell_first_[i] += cell_first_[i - 1];
    listed_.resize(cell_first_.back());
    std::vector<std::uint32_t> next(cell_first_.begin(), cell_first_.end() - 1);
    for (std::uint32_t p = 0; p < pieces_.size(); ++p)
      cells_of(pieces_[p], [&](std::size_t cell) { listed_[next[cell]++] = p; });
  }

  std::vector<Place> begin_at(const PointXY& p) const {
    std::vector<Place> places;
    const std::size_t cell = std::size_t{cell_along(p.y_m, rows_)} * columns_ + cell_along(p.x_m, columns_);
    for (std::uint32_t i = cell_first_[cell]; i < cell_first_[cell + 1]; ++i) {
      const Foot foot = foot_on(p, pieces_[listed_[i]].from, pieces_[listed_[i]].to);
      if (foot.away_m <= tolerance_m_) places.push_back({listed_[i], foot.at_m});
    }
    return places;
  }

  struct Visit {
    std::uint32_t piece = 0;
    double from_m = 0;      ///< on the piece
    double progress_m = 0;  ///< along the step
  };

  // Everywhere a drive from one of the places may be at b, having kept to the straight line from a.
  void follow(const PointXY& a, const PointXY& b, const std::vector<Place>& places,
              std::vector<Place>& reached) const {
    reached.clear();
    std::vector<Visit> open;
    std::vector<std::uint32_t> seen;
    for (const Place& place : places) open.push_back({place.piece, place.at_m, 0});
    while (!open.empty()) {
      const Visit visit = open.back();
      open.pop_back();
      const Piece& piece = pieces_[visit.piece];
      const Foot end = foot_on(b, piece.from, piece.to);
      if (end.away_m <= tolerance_m_ && end.at_m >= visit.from_m - tolerance_m_) {
        const auto same = [&](const Place& place) { return place.piece == visit.piece; };
        if (std::none_of(reached.begin(), reached.end(), same)) reached.push_back({visit.piece, end.at_m});
      }
      const Foot kept = foot_on(piece.to, a, b);
      if (kept.away_m > tolerance_m_ || kept.at_m < visit.progress_m - tolerance_m_) continue;
      const auto enter = [&](std::uint32_t next) {
        if (std::find(seen.begin(), seen.end(), next) != seen.end()) return;
        seen.push_back(next);
        open.push_back({next, 0, std::max(kept.at_m, visit.progress_m)});
      };
      if (piece.next != at_end) {
        enter(piece.next);
      } else {
        for (const std::uint32_t next : exits_[piece.head]) enter(next);
      }
    }
  }

  double tolerance_m_, cell_m_;
  std::uint32_t columns_, rows_;
  std::vector<Piece> pieces_;
  std::vector<std::vector<std::uint32_t>>
      exits_;  ///< per junction, the first pieces of the roads that leave it
  std::vector<std::uint32_t> cell_first_, listed_;
};

}  // namespace

double legal_share(const TripSet& trips, const roads::RoadNetwork& network, const Frame& frame,
                   const LegalPathOptions& options) {
  constexpr double most_tolerance_m = 100;  // farther off, a point is on no road
  if (!(options.tolerance_m > 0) || !(options.tolerance_m <= most_tolerance_m))
    throw InvalidOption("tolerance_m", "must be above 0 and at most 100");
  if (trips.size() == 0) throw InvalidOption("trips", "must not be empty");
  const LegalPaths paths(network, frame, options);
  std::vector<char> legal(trips.size());
  parallel_for(trips.size(),
               {options.parallel.threads, std::max<std::size_t>(options.parallel.grain, fewest_trips_a_task)},
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t i = begin; i < end; ++i) legal[i] = paths.is_legal(trips.trip(i)) ? 1 : 0;
               });
  return static_cast<double>(std::count(legal.begin(), legal.end(), 1)) / static_cast<double>(trips.size());
}

}  // namespace fogline::traces
