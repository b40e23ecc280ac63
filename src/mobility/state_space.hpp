// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "geometry/coordinates.hpp"
#include "geometry/projection.hpp"
#include "io/name_table.hpp"
#include "mobility/markov_model.hpp"

namespace fogline::mobility {

/// Square cells over a plane: cell (column, row) is state row * columns + column.
struct CellGrid {
  double cell_m = 0;               ///< side of a cell; above 0
  double west_m = 0, south_m = 0;  ///< corner of cell (0, 0) on the plane of the space's projection
  std::uint32_t columns = 0, rows = 0;
  friend bool operator==(const CellGrid&, const CellGrid&) = default;
};

/// The states of a model by name, and what is measured of each: a point of R^d. Public.
///
///     StateSpace city = grid_space({.cell_m = 340, .columns = 20, .rows = 12}, LonLat{13.4, 52.5});
///     StateLocator(city).at(LonLat{13.41, 52.49});              // the state of a position
///
/// For places (cells of a grid, vertices of a road network) the measurement is x and y in metres on the local plane around `centre`, and
/// positions are turned into states by StateLocator. For others it is a table that the user gives, of 1 to 8 columns; of states without one
/// the number is measured (`measure_by_number`).
struct StateSpace {
  io::NameTable names = {};               ///< one per state
  std::vector<std::string> columns = {};  ///< what the coordinates are called: {"x_m", "y_m"} for places
  std::vector<double> values = {};        ///< states * columns.size(), finite
  std::optional<geometry::LonLat> centre = {};  ///< set for places given in degrees
  std::optional<CellGrid> grid = {};            ///< set for cells

  std::size_t states() const { return names.size(); }
  std::size_t dimension() const { return columns.size(); }
  std::span<const double> value(StateId state) const {
    return std::span(values).subspan(state * dimension(), dimension());
  }
  bool is_places() const { return grid.has_value() || centre.has_value(); }
};

inline constexpr std::size_t most_columns = 8;           ///< of a measurement
inline constexpr double largest_measurement = 1e12;      ///< each value lies within this of 0
inline constexpr std::uint64_t most_cells = 16'000'000;  ///< of a grid

/// Throws InvalidOption, naming the state or the column: no state, a name that is empty, has blanks at its ends, holds an invisible character or is not UTF-8,
/// more than 8 columns, a column without a name, values that do not fit, are not finite or beyond 10^12, a centre out of range, a grid of
/// another number of cells than states, vertices without x and y.
void check(const StateSpace& space);

/// The cells of a grid, called c0r0, c1r0, ... by column and row, with their centres as measurements. Throws InvalidOption for a side that is
/// not above 0 or a grid without cells or with more than 16 million.
StateSpace grid_space(const CellGrid& grid, const std::optional<geometry::LonLat>& centre);

/// Makes the state's number, from 0, its only measurement.
void measure_by_number(StateSpace& space);

/// A space and how sequences move in it: what the model file holds.
struct StateModel {
  StateSpace space;
  MarkovModel chain;
};

/// Finds the state of a position: its cell, or the nearest state; what lies outside the grid counts to the nearest cell.
///
///     StateLocator locator(model.space);
///     StateId here = locator.at(LonLat{13.41, 52.49});
///
/// Cost: constant time in a grid, logarithmic elsewhere; under two microseconds with the projection.
class StateLocator {
 public:
  /// Throws InvalidOption unless the space is of places. Keeps no reference to it.
  explicit StateLocator(const StateSpace& space);
  StateLocator(StateLocator&&) noexcept;
  ~StateLocator();

  bool takes_degrees() const;  ///< the space has a centre
  /// Whether a position lies in the grid, or in the box around the places: outside, the nearest one says little.
  bool covers(const geometry::PointXY& point) const;
  bool covers(const geometry::LonLat& position) const;
  StateId at(const geometry::PointXY& point) const;    ///< on the plane
  StateId at(const geometry::LonLat& position) const;  ///< throws InvalidOption for a space on a bare plane

 private:
  struct Index;
  std::unique_ptr<Index> index_;
};

}  // namespace fogline::mobility
