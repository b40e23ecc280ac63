// SPDX-License-Identifier: Apache-2.0
#include "roads/city_outline.hpp"

#include <algorithm>
#include <map>

namespace fogline::roads::sketch {
namespace {

class Contour {
 public:
  Contour(const std::function<double(Point)>& height, double side_m)
      : cell_m_(side_m),
        columns_(static_cast<int>(2 * half_width_m / side_m) + 3),
        rows_(static_cast<int>(2 * half_height_m / side_m) + 3) {
    for (int row = 0; row < rows_; ++row) {
      for (int column = 0; column < columns_; ++column) {
        const Point p = corner(column, row);
        const bool rim = row == 0 || column == 0 || row == rows_ - 1 || column == columns_ - 1;
        // Never exactly 0, so that every crossing lies strictly between two corners.
        const double value = rim ? -1 : height(p);
        heights_.push_back(value == 0 ? -1e-9 : value);
      }
    }
  }

  std::vector<Line> rings() {
    for (int row = 0; row + 1 < rows_; ++row) {
      for (int column = 0; column + 1 < columns_; ++column) cross_cell(column, row);
    }
    std::vector<Line> result;
    while (!next_.empty()) result.push_back(follow(next_.begin()->first));
    return result;
  }

 private:
  Point corner(int column, int row) const {
    return {(column - 1) * cell_m_ - half_width_m, (row - 1) * cell_m_ - half_height_m};
  }
  double height(int column, int row) const {
    return heights_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                    static_cast<std::size_t>(column)];
  }

  /// An edge of the raster, named by its lower left corner and whether it runs up.
  struct RasterEdge {
    int column = 0;
    int row = 0;
    bool up = false;
    auto operator<=>(const RasterEdge&) const = default;
  };

  Point cut(RasterEdge edge) const {
    const int column = edge.column + (edge.up ? 0 : 1);
    const int row = edge.row + (edge.up ? 1 : 0);
    const double from = height(edge.column, edge.row);
    const double to = height(column, row);
    const Point a = corner(edge.column, edge.row);
    return a + (corner(column, row) - a) * (from / (from - to));
  }

  /// Walks round a cell counter-clockwise: the outline enters where height falls and leaves where it rises.
  void cross_cell(int column, int row) {
    const RasterEdge edges[4] = {
        {column, row, false}, {column + 1, row, true}, {column, row + 1, false}, {column, row, true}};
    const double heights[5] = {height(column, row), height(column + 1, row), height(column + 1, row + 1),
                               height(column, row + 1), height(column, row)};
    for (int i = 0; i < 4; ++i) {
      if (!(heights[i] > 0 && heights[i + 1] < 0)) continue;
      // High ground lies to the left of the outline: it runs from the fall back to the rise before it.
      for (int back = 1; back < 4; ++back) {
        const int k = (i + back) % 4;
        if (heights[k] < 0 && heights[k + 1] > 0) {
          next_[edges[i]] = edges[k];
          break;
        }
      }
    }
  }

  Line follow(RasterEdge start) {
    Line ring;
    for (auto found = next_.find(start); found != next_.end(); found = next_.find(start)) {
      ring.push_back(cut(found->first));
      start = found->second;
      next_.erase(found);
    }
    return ring;
  }

  double cell_m_;
  int columns_;
  int rows_;
  std::vector<double> heights_;
  std::map<RasterEdge, RasterEdge> next_;
};

}  // namespace

std::vector<Line> outlines(const std::function<double(Point)>& height, double cell_m) {
  std::vector<Line> rings = Contour(height, cell_m).rings();
  std::erase_if(rings, [](const Line& ring) { return ring.size() < 3; });
  return rings;
}

}  // namespace fogline::roads::sketch
