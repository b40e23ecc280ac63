// SPDX-License-Identifier: Apache-2.0
#include "mobility/state_space.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/error.hpp"
#include "geometry/nearest_index.hpp"
#include "io/numbers.hpp"
#include "privacy/plain_text.hpp"

namespace fogline::mobility {
namespace {

[[noreturn]] void refuse(std::string_view problem) {
  throw InvalidOption("states", problem);
}

bool is_good_name(std::string_view name) {
  return !name.empty() && io::trim(name) == name && privacy::is_plain_text(name);
}

std::uint64_t cells_of(const CellGrid& grid) {
  return std::uint64_t{grid.columns} * grid.rows;
}

void check_grid(const CellGrid& grid) {
  if (!(grid.cell_m > 0) || !std::isfinite(grid.cell_m)) refuse("the side of a cell must be above 0");
  if (cells_of(grid) < 1 || cells_of(grid) > most_cells)
    refuse(fmt::format("a grid must have 1 to {} cells", most_cells));
  const double east_m = grid.west_m + grid.cell_m * grid.columns;
  const double north_m = grid.south_m + grid.cell_m * grid.rows;
  for (const double edge_m : {grid.west_m, grid.south_m, east_m, north_m})
    if (!(std::abs(edge_m) <= largest_measurement)) refuse("the grid lies more than 10^12 m from the origin");
}

void check_columns(const StateSpace& space) {
  if (space.dimension() < 1 || space.dimension() > most_columns)
    refuse(fmt::format("a measurement must have 1 to {} columns", most_columns));
  for (const std::string& column : space.columns)
    if (!is_good_name(column)) refuse("a column of the measurement has no proper name");
}

void check_values(const StateSpace& space) {
  if (space.values.size() != space.states() * space.dimension())
    refuse("there must be a measurement of each state");
  for (std::size_t i = 0; i < space.values.size(); ++i)
    if (!(std::abs(space.values[i]) <= largest_measurement))
      refuse(fmt::format("state {} has a measurement that is not finite or beyond 10^12",
                         space.names.name(static_cast<StateId>(i / space.dimension()))));
}

const std::vector<std::string>& place_columns() {
  static const std::vector<std::string> columns = {"x_m", "y_m"};
  return columns;
}

}  // namespace

void check(const StateSpace& space) {
  if (space.states() == 0) refuse("there is none");
  for (StateId s = 0; s < space.states(); ++s)
    if (!is_good_name(space.names.name(s)))
      refuse(
          fmt::format("the name of state {} is empty, has blanks at its ends, holds an invisible character "
                      "or is not UTF-8",
                      s + 1));
  check_columns(space);
  check_values(space);
  if (space.centre && !geometry::is_valid(*space.centre)) refuse("the centre is out of range");
  if (space.grid) check_grid(*space.grid);
  if (space.grid && cells_of(*space.grid) != space.states()) refuse("the grid has another number of cells");
  if (space.centre && !space.grid && space.columns != place_columns())
    refuse("places that are not cells must be measured by x_m and y_m");
}

StateSpace grid_space(const CellGrid& grid, const std::optional<geometry::LonLat>& centre) {
  check_grid(grid);
  StateSpace space{.columns = place_columns(), .centre = centre, .grid = grid};
  space.values.reserve(2 * cells_of(grid));
  for (std::uint32_t row = 0; row < grid.rows; ++row) {
    for (std::uint32_t column = 0; column < grid.columns; ++column) {
      space.names.intern(fmt::format("c{}r{}", column, row));
      space.values.push_back(grid.west_m + (column + 0.5) * grid.cell_m);
      space.values.push_back(grid.south_m + (row + 0.5) * grid.cell_m);
    }
  }
  return space;
}

void measure_by_number(StateSpace& space) {
  space.columns = {"number"};
  space.values.resize(space.states());
  for (std::size_t s = 0; s < space.states(); ++s) space.values[s] = static_cast<double>(s);
}

constexpr double least_border_m = 1000;  // around one place, or places on a line

struct StateLocator::Index {
  std::optional<CellGrid> grid = {};
  std::optional<geometry::LocalProjection> plane = {};
  std::optional<geometry::NearestIndex> nearest = {};
  geometry::PointXY south_west = {}, north_east = {};  // of the grid, or of the box around the places

  StateId cell_of(const geometry::PointXY& point) const {
    const auto place = [&](double from_edge_m, std::uint32_t cells) {
      const double cell = std::floor(from_edge_m / grid->cell_m);
      return static_cast<std::uint32_t>(std::clamp(cell, 0.0, cells - 1.0));
    };
    return place(point.y_m - grid->south_m, grid->rows) * grid->columns +
           place(point.x_m - grid->west_m, grid->columns);
  }
};

StateLocator::StateLocator(const StateSpace& space) : index_(std::make_unique<Index>()) {
  if (!space.is_places())
    throw InvalidOption("model", "its states are not places; give the states by name, not by position");
  check(space);
  index_->grid = space.grid;
  if (space.centre) index_->plane.emplace(*space.centre);
  if (space.grid) {
    index_->south_west = {space.grid->west_m, space.grid->south_m};
    index_->north_east = {space.grid->west_m + space.grid->columns * space.grid->cell_m,
                          space.grid->south_m + space.grid->rows * space.grid->cell_m};
    return;
  }
  std::vector<geometry::PointXY> points;
  points.reserve(space.states());
  for (StateId s = 0; s < space.states(); ++s) points.push_back({space.value(s)[0], space.value(s)[1]});
  constexpr double infinity = std::numeric_limits<double>::infinity();
  geometry::PointXY low{infinity, infinity}, high{-infinity, -infinity};
  for (const geometry::PointXY& point : points) {
    low = {std::min(low.x_m, point.x_m), std::min(low.y_m, point.y_m)};
    high = {std::max(high.x_m, point.x_m), std::max(high.y_m, point.y_m)};
  }
  // People are seen around the outermost places too.
  const double border_m = std::max({high.x_m - low.x_m, high.y_m - low.y_m, least_border_m});
  index_->south_west = {low.x_m - border_m, low.y_m - border_m};
  index_->north_east = {high.x_m + border_m, high.y_m + border_m};
  index_->nearest.emplace(std::move(points));
}

StateLocator::StateLocator(StateLocator&&) noexcept = default;
StateLocator::~StateLocator() = default;

bool StateLocator::takes_degrees() const {
  return index_->plane.has_value();
}

bool StateLocator::covers(const geometry::PointXY& point) const {
  const geometry::PointXY &low = index_->south_west, &high = index_->north_east;
  return point.x_m >= low.x_m && point.x_m <= high.x_m && point.y_m >= low.y_m && point.y_m <= high.y_m;
}

bool StateLocator::covers(const geometry::LonLat& position) const {
  return index_->plane && covers(index_->plane->forward(position));
}

StateId StateLocator::at(const geometry::PointXY& point) const {
  if (!std::isfinite(point.x_m) || !std::isfinite(point.y_m))
    throw InvalidOption("position", "must be finite");
  return index_->grid ? index_->cell_of(point) : index_->nearest->nearest(point).vertex;
}

StateId StateLocator::at(const geometry::LonLat& position) const {
  if (!index_->plane)
    throw InvalidOption("position", "is in degrees, but the model's places are in metres on a plane");
  return at(index_->plane->forward(position));
}

}  // namespace fogline::mobility
