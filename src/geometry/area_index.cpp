// SPDX-License-Identifier: Apache-2.0
#include "geometry/area_index.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "base/error.hpp"

namespace fogline::geometry {
namespace {

// Where in a cell its known place lies. Irrational, so that borders drawn at round numbers do not pass through it.
constexpr double known_x = 0.41421356237, known_y = 0.57721566490;

double cross(const PointXY& o, const PointXY& a, const PointXY& b) {
  return (a.x_m - o.x_m) * (b.y_m - o.y_m) - (a.y_m - o.y_m) * (b.x_m - o.x_m);
}

// Points on a line count to its left, so that a step through a corner crosses exactly one of the two edges that meet there, or both or none if it
// only touches.
bool meets(const PointXY& a, const PointXY& b, const AreaIndex::Edge& edge) {
  return (cross(a, b, edge.from) >= 0) != (cross(a, b, edge.to) >= 0) &&
         (cross(edge.from, edge.to, a) >= 0) != (cross(edge.from, edge.to, b) >= 0);
}

double doubled_area(const Ring& ring) {
  double sum = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const PointXY &a = ring[i], &b = ring[(i + 1) % ring.size()];
    sum += (a.x_m - ring[0].x_m) * (b.y_m - ring[0].y_m) - (b.x_m - ring[0].x_m) * (a.y_m - ring[0].y_m);
  }
  return sum;
}

}  // namespace

AreaIndex::AreaIndex(std::span<const Polygons> areas, const Options& options)
    : west_(options.south_west.x_m), south_(options.south_west.y_m), reach_(options.reach_m) {
  const double width = options.north_east.x_m - west_, height = options.north_east.y_m - south_;
  if (!(width > 0) || !(height > 0)) throw InvalidOption("box", "needs a width and a height above 0");
  if (options.cells < 1 || options.cells > 4096) throw InvalidOption("cells", "must lie between 1 and 4,096");
  side_ = std::max(width, height) / options.cells;
  per_metre_ = 1 / side_;
  columns_ = std::max(1u, static_cast<std::uint32_t>(std::ceil(width / side_)));
  rows_ = std::max(1u, static_cast<std::uint32_t>(std::ceil(height / side_)));

  area_first_edge_.push_back(0);
  for (const Polygons& area : areas) add_edges(area);
  std::vector<std::uint32_t> cells;  // of the entries
  for (std::uint32_t area = 0; area < areas.size(); ++area) add_entries(area, cells);

  // Put in order of their cells, those of a cell in order of their areas.
  cell_first_.assign(std::size_t{columns_} * rows_ + 1, 0);
  for (const std::uint32_t cell : cells) ++cell_first_[cell + 1];
  for (std::size_t cell = 1; cell < cell_first_.size(); ++cell) cell_first_[cell] += cell_first_[cell - 1];
  std::vector<std::uint32_t> next(cell_first_.begin(), cell_first_.end() - 1);
  std::vector<Entry> sorted(entries_.size());
  for (std::size_t i = 0; i < entries_.size(); ++i) sorted[next[cells[i]]++] = entries_[i];
  entries_ = std::move(sorted);
}

void AreaIndex::add_entries(std::uint32_t area, std::vector<std::uint32_t>& cells) {
  const std::vector<Listed> listed = list_edges(area);
  const std::vector<char> inside = known_inside(area);
  std::size_t next = 0;
  for (std::uint32_t cell = 0; cell < inside.size(); ++cell) {
    const auto first = static_cast<std::uint32_t>(listed_.size());
    for (; next < listed.size() && listed[next].cell == cell; ++next) listed_.push_back(listed[next].edge);
    const auto last = static_cast<std::uint32_t>(listed_.size());
    if (first == last && inside[cell] == 0) continue;
    entries_.push_back({area, first, last, inside[cell] != 0});
    cells.push_back(cell);
  }
}

void AreaIndex::add_edges(const Polygons& area) {
  const auto add_ring = [this](Ring ring, bool hole) {
    if ((doubled_area(ring) > 0) == hole) std::reverse(ring.begin(), ring.end());
    for (std::size_t i = 0; i < ring.size(); ++i)
      edges_.push_back({ring[i], ring[(i + 1) % ring.size()], rings_});
    ++rings_;
  };
  for (const Polygon& polygon : area) {
    add_ring(polygon.outer, false);
    for (const Ring& hole : polygon.holes) add_ring(hole, true);
  }
  area_first_edge_.push_back(static_cast<std::uint32_t>(edges_.size()));
}

// Row by row the cells between the edge's ends there, a reach further on every side. Edges beyond the box leave traces in the outermost cells only where
// they come near them: a point never lies beyond.
std::vector<AreaIndex::Listed> AreaIndex::list_edges(std::uint32_t area) const {
  std::vector<Listed> found;
  const double wide = reach_ + side_ * 1e-6;
  const double east = west_ + columns_ * side_, north = south_ + rows_ * side_;
  for (std::uint32_t e = area_first_edge_[area]; e < area_first_edge_[area + 1]; ++e) {
    const PointXY low = edges_[e].from.y_m <= edges_[e].to.y_m ? edges_[e].from : edges_[e].to;
    const PointXY high = edges_[e].from.y_m <= edges_[e].to.y_m ? edges_[e].to : edges_[e].from;
    if (high.y_m + wide < south_ || low.y_m - wide > north) continue;
    const double per_metre = high.y_m > low.y_m ? (high.x_m - low.x_m) / (high.y_m - low.y_m) : 0;
    const std::uint32_t first_row = cells_of({low.x_m, low.y_m - wide}).row;
    const std::uint32_t last_row = cells_of({high.x_m, high.y_m + wide}).row;
    for (std::uint32_t row = first_row; row <= last_row; ++row) {
      const double bottom = std::clamp(south_ + row * side_ - wide, low.y_m, high.y_m);
      const double top = std::clamp(south_ + (row + 1) * side_ + wide, low.y_m, high.y_m);
      double left = low.x_m + (bottom - low.y_m) * per_metre, right = low.x_m + (top - low.y_m) * per_metre;
      if (high.y_m <= low.y_m) right = high.x_m;
      if (left > right) std::swap(left, right);
      if (right + wide < west_ || left - wide > east) continue;
      const std::uint32_t last = cells_of({right + wide, low.y_m}).column;
      for (std::uint32_t column = cells_of({left - wide, low.y_m}).column; column <= last; ++column)
        found.push_back({row * columns_ + column, e});
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Listed& a, const Listed& b) { return a.cell < b.cell; });
  return found;
}

PointXY AreaIndex::known_place(std::size_t cell) const {
  return {west_ + (static_cast<double>(cell % columns_) + known_x) * side_,
          south_ + (static_cast<double>(cell / columns_) + known_y) * side_};
}

// Each row of known places is a line; what lies between an odd and an even crossing of it is inside.
std::vector<char> AreaIndex::known_inside(std::uint32_t area) const {
  std::vector<std::vector<double>> crossed(rows_);
  for (const Edge& edge : edges_of(area)) {
    const PointXY& low = edge.from.y_m <= edge.to.y_m ? edge.from : edge.to;
    const PointXY& high = edge.from.y_m <= edge.to.y_m ? edge.to : edge.from;
    const double first = std::ceil((low.y_m - south_) / side_ - known_y);
    for (double row = std::max(0.0, first); row < rows_; ++row) {
      const double y = south_ + (row + known_y) * side_;
      if (y >= high.y_m) break;
      if (y < low.y_m) continue;
      crossed[static_cast<std::size_t>(row)].push_back(low.x_m + (y - low.y_m) * (high.x_m - low.x_m) /
                                                                     (high.y_m - low.y_m));
    }
  }
  std::vector<char> inside(std::size_t{columns_} * rows_);
  for (std::uint32_t row = 0; row < rows_; ++row) {
    std::sort(crossed[row].begin(), crossed[row].end());
    std::size_t passed = 0;
    for (std::uint32_t column = 0; column < columns_; ++column) {
      const std::size_t cell = std::size_t{row} * columns_ + column;
      while (passed < crossed[row].size() && crossed[row][passed] < known_place(cell).x_m) ++passed;
      inside[cell] = static_cast<char>(passed % 2);
    }
  }
  return inside;
}

bool AreaIndex::holds_near_border(const Entry& entry, const PointXY& p) const {
  const PointXY inside_box{std::clamp(p.x_m, west_, west_ + columns_ * side_),
                           std::clamp(p.y_m, south_, south_ + rows_ * side_)};
  const PointXY known = known_place(cell_of(p));
  bool inside = entry.middle_inside;
  for (std::uint32_t i = entry.first; i < entry.last; ++i)
    if (meets(known, inside_box, edges_[listed_[i]])) inside = !inside;
  return inside;
}

double AreaIndex::distance_to(const PointXY& p, const Edge& edge) {
  const double dx = edge.to.x_m - edge.from.x_m, dy = edge.to.y_m - edge.from.y_m;
  const double square = dx * dx + dy * dy;
  const double along = (p.x_m - edge.from.x_m) * dx + (p.y_m - edge.from.y_m) * dy;
  const double share = square > 0 ? std::clamp(along / square, 0.0, 1.0) : 0.0;
  return std::hypot(edge.from.x_m + share * dx - p.x_m, edge.from.y_m + share * dy - p.y_m);
}

// From cell to cell, always over the side that the step reaches first. Edges are listed a reach beyond their cells, so a side missed by rounding loses
// nothing.
template <class Use>
void AreaIndex::walk(const PointXY& a, const PointXY& b, Use use) const {
  const Cells from = cells_of(a), to = cells_of(b);
  if (from.column == to.column && from.row == to.row) {
    use(std::size_t{from.row} * columns_ + from.column);
    return;
  }
  std::int64_t column = from.column, row = from.row;
  const double dx = b.x_m - a.x_m, dy = b.y_m - a.y_m;
  const int right = dx > 0 ? 1 : -1, up = dy > 0 ? 1 : -1;
  std::int64_t steps = std::abs(std::int64_t{to.column} - column) + std::abs(std::int64_t{to.row} - row);
  for (;; --steps) {
    if (use(static_cast<std::size_t>(row) * columns_ + static_cast<std::size_t>(column)) || steps == 0)
      return;
    const double next_x = west_ + static_cast<double>(column + (right > 0 ? 1 : 0)) * side_;
    const double next_y = south_ + static_cast<double>(row + (up > 0 ? 1 : 0)) * side_;
    const bool columns_left = column != to.column, rows_left = row != to.row;
    const bool sideways = columns_left && (!rows_left || (next_x - a.x_m) / dx <= (next_y - a.y_m) / dy);
    (sideways ? column : row) += sideways ? right : up;
  }
}

bool AreaIndex::crosses(std::uint32_t area, const PointXY& a, const PointXY& b) const {
  bool found = false;
  walk(a, b, [&](std::size_t cell) {
    const Entry* entry = find(area, cell);
    if (entry == nullptr) return false;
    for (std::uint32_t i = entry->first; i < entry->last && !found; ++i)
      found = meets(a, b, edges_[listed_[i]]);
    return found;
  });
  return found;
}

void AreaIndex::crossings(std::uint32_t area, const PointXY& a, const PointXY& b,
                          std::vector<Crossing>& found) const {
  found.clear();
  walk(a, b, [&](std::size_t cell) {
    const Entry* entry = find(area, cell);
    if (entry == nullptr) return false;
    for (std::uint32_t i = entry->first; i < entry->last; ++i) {
      const Edge& edge = edges_[listed_[i]];
      if (!meets(a, b, edge)) continue;
      const double from = cross(edge.from, edge.to, a), to = cross(edge.from, edge.to, b);
      found.push_back({from / (from - to), listed_[i]});
    }
    return false;
  });
  std::sort(found.begin(), found.end(), [](const Crossing& one, const Crossing& other) {
    return one.share != other.share ? one.share < other.share : one.edge < other.edge;
  });
  const auto same = [](const Crossing& one, const Crossing& other) { return one.edge == other.edge; };
  found.erase(std::unique(found.begin(), found.end(), same), found.end());
}

void AreaIndex::bordering(const PointXY& a, const PointXY& b, std::vector<std::uint32_t>& areas) const {
  areas.clear();
  walk(a, b, [&](std::size_t cell) {
    for (std::uint32_t i = cell_first_[cell]; i < cell_first_[cell + 1]; ++i)
      if (entries_[i].first != entries_[i].last) areas.push_back(entries_[i].area);
    return false;
  });
}

}  // namespace fogline::geometry
