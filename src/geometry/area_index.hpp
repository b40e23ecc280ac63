// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/polygons.hpp"

namespace fogline::geometry {

/// Answers in nanoseconds which of several areas hold a point, and where a straight step crosses their borders.
///
///     AreaIndex index({park, lake}, {.south_west = {0, 0}, .north_east = {38'400, 38'920}});
///     index.contains(0, {x, y});                                    // in the park?
///     index.at({x, y}, 0, [](std::uint32_t area) { ... });          // each area that holds the point
///     index.crossings(1, a, b, found);                              // where the step enters and leaves the lake
///
/// A raster of the box: cells that no border comes near know their areas, the others hold the edges that do and one place whose areas are known,
/// so that a point's are told by the parity of the edges in between. Points outside of the box are taken as the nearest point of it.
/// Exact but for points on a border, which may fall to either side. Many threads may ask at once.
/// Cost: building is linear in cells plus edges times the cells they pass; a few nanoseconds a question in cells without a border.
class AreaIndex {
 public:
  struct Options {
    PointXY south_west{}, north_east{};  ///< a box with a width and height above 0
    std::uint32_t cells = 256;           ///< along the larger side, 1 to 4,096
    double reach_m = 1;                  ///< questions about what is near a border may go up to this
  };
  AreaIndex() = default;
  AreaIndex(std::span<const Polygons> areas, const Options& options);  ///< throws InvalidOption

  std::size_t size() const { return area_first_edge_.empty() ? 0 : area_first_edge_.size() - 1; }

  bool contains(std::uint32_t area, const PointXY& p) const {
    const Entry* entry = find(area, cell_of(p));
    return entry != nullptr && holds(*entry, p);
  }
  /// Inside, and no nearer to the border than this; only edges count for which keep(edge) holds.
  template <class Keep>
  bool contains_well(std::uint32_t area, const PointXY& p, double distance_m, Keep keep) const {
    const Entry* entry = find(area, cell_of(p));
    if (entry == nullptr) return false;
    return entry->first == entry->last ||
           (holds_near_border(*entry, p) && !near_listed(*entry, p, distance_m, keep));
  }
  bool near_border(std::uint32_t area, const PointXY& p, double distance_m) const {
    const Entry* entry = find(area, cell_of(p));
    return entry != nullptr && near_listed(*entry, p, distance_m, [](std::uint32_t) { return true; });
  }

  /// True if no area has a part in this cell: most points need no further question.
  bool empty_at(const PointXY& p) const {
    const std::size_t cell = cell_of(p);
    return cell_first_[cell] == cell_first_[cell + 1];
  }
  /// use(area) for each area that holds the point, or has its border nearer than `slack_m`.
  template <class Use>
  void at(const PointXY& p, double slack_m, Use use) const {
    const std::size_t cell = cell_of(p);
    for (std::uint32_t i = cell_first_[cell]; i < cell_first_[cell + 1]; ++i) {
      const Entry& entry = entries_[i];
      if (holds(entry, p) ||
          (slack_m > 0 && near_listed(entry, p, slack_m, [](std::uint32_t) { return true; })))
        use(entry.area);
    }
  }

  struct Crossing {
    double share = 0;        ///< of the way from a to b
    std::uint32_t edge = 0;  ///< see edge()
  };
  bool crosses(std::uint32_t area, const PointXY& a, const PointXY& b) const;
  /// In the order of the step; `found` is cleared first.
  void crossings(std::uint32_t area, const PointXY& a, const PointXY& b, std::vector<Crossing>& found) const;

  /// Areas with a border in the cells that a step passes, each at least once: the only ones it may cross. `areas` is cleared first.
  void bordering(const PointXY& a, const PointXY& b, std::vector<std::uint32_t>& areas) const;

  struct Edge {
    PointXY from, to;  ///< the area lies on the left
    std::uint32_t ring = 0;
  };
  const Edge& edge(std::uint32_t i) const { return edges_[i]; }
  /// The edges of an area, ring after ring; those of a ring follow each other round it.
  std::span<const Edge> edges_of(std::uint32_t area) const {
    return std::span(edges_).subspan(area_first_edge_[area],
                                     area_first_edge_[area + 1] - area_first_edge_[area]);
  }
  std::uint32_t first_edge_of(std::uint32_t area) const { return area_first_edge_[area]; }

 private:
  struct Entry {
    std::uint32_t area = 0;
    std::uint32_t first = 0, last = 0;  ///< of `listed_`; none: the cell lies wholly inside
    bool middle_inside = true;          ///< whether the cell's known place lies inside
  };

  struct Cells {
    std::uint32_t column = 0, row = 0;
  };
  Cells cells_of(const PointXY& p) const;
  std::size_t cell_of(const PointXY& p) const {
    const Cells at = cells_of(p);
    return std::size_t{at.row} * columns_ + at.column;
  }
  const Entry* find(std::uint32_t area, std::size_t cell) const {
    for (std::uint32_t i = cell_first_[cell]; i < cell_first_[cell + 1]; ++i)
      if (entries_[i].area == area) return &entries_[i];
    return nullptr;
  }
  bool holds(const Entry& entry, const PointXY& p) const {
    return entry.first == entry.last || holds_near_border(entry, p);
  }
  bool holds_near_border(const Entry& entry, const PointXY& p) const;
  static double distance_to(const PointXY& p, const Edge& edge);
  template <class Keep>
  bool near_listed(const Entry& entry, const PointXY& p, double distance_m, Keep keep) const {
    for (std::uint32_t i = entry.first; i < entry.last; ++i)
      if (keep(listed_[i]) && distance_to(p, edges_[listed_[i]]) < distance_m) return true;
    return false;
  }
  PointXY known_place(std::size_t cell) const;
  void add_edges(const Polygons& area);
  struct Listed {
    std::uint32_t cell = 0, edge = 0;
  };
  std::vector<Listed> list_edges(std::uint32_t area) const;
  void add_entries(std::uint32_t area, std::vector<std::uint32_t>& cells);
  std::vector<char> known_inside(std::uint32_t area) const;
  template <class Use>
  void walk(const PointXY& a, const PointXY& b, Use use) const;  ///< use(cell) until it says stop

  std::uint32_t columns_ = 0, rows_ = 0, rings_ = 0;
  double west_ = 0, south_ = 0, side_ = 1, per_metre_ = 1, reach_ = 1;
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> area_first_edge_;
  std::vector<std::uint32_t> cell_first_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> listed_;  ///< edges of entries
};

inline AreaIndex::Cells AreaIndex::cells_of(const PointXY& p) const {
  const auto place = [this](double metres, std::uint32_t cells) {
    const double at = metres * per_metre_;
    return at <= 0 ? 0u : at >= cells ? cells - 1 : static_cast<std::uint32_t>(at);
  };
  return {place(p.x_m - west_, columns_), place(p.y_m - south_, rows_)};
}

}  // namespace fogline::geometry
