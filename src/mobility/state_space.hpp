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
/// For places (cells of a grid, vertices of a road network) the measurement is x and y in metres on the local plane around `centre`, and
/// positions are turned into states by `state_at`. For others it is a table that the user gives, of 1 to 8 columns; states without one can
/// only be told apart by number, which is what `numbered_query` measures.
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

/// A space and how sequences move in it: what the model file holds.
struct StateModel {
  StateSpace space;
  MarkovModel chain;
};

/// Finds the state of a position: its cell, or the nearest state; what lies outside the grid counts to the nearest cell.
class StateLocator {
 public:
  explicit StateLocator(
      const StateSpace& space);  ///< throws InvalidOption unless the space is of places; keeps no reference
  ~StateLocator();
  StateId at(const geometry::PointXY& point) const;  ///< on the plane
  StateId at(const geometry::LonLat& position) const;

 private:
  struct Index;
  std::unique_ptr<Index> index_;
};

/// The model file: JSON, plain or gzipped by its suffix (docs/formats.md). Throws DataError, naming the state or the entry: a row that
/// does not sum to one, an unknown state, a probability outside 0 to 1, a state without measurement, a name given twice.
StateModel read_model(const std::string& file);
std::string to_json(const StateModel& model);

}  // namespace fogline::mobility
