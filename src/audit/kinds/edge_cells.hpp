// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "random/stream.hpp"
#include "weights/mechanisms/mechanism.hpp"

namespace fogline::audit {

/// What is counted of the draws of an edge: cells around the true point, so that draws from different points may be counted together.
///
///     auto cells = edge_cells(mechanism, points_stream);
///     std::int64_t point = cells->random_point(points_stream);
///     std::size_t cell = cells->cell_of(cells->slot_of(point), point, drawn);      // cells->cells(): impossible
///
/// Noise: the number added, in cells of equal width, then what lies below and above them. A table: the output, counted on from the likeliest one of the
/// point's row. A slot stands for the points of the same probabilities: all of them for noise, each one of a table's. Four classes of cells: quarters of the law for
/// noise; for a table the likeliest output, and thirds of the others.
class EdgeCells {
 public:
  static constexpr std::size_t classes = 4;
  using ClassChances = std::array<double, classes>;

  virtual ~EdgeCells() = default;
  virtual std::int64_t random_point(random::Stream& choice) const = 0;
  virtual std::size_t slots() const = 0;
  virtual std::size_t slot_of(std::int64_t point) const = 0;
  virtual std::size_t cells() const = 0;
  virtual std::size_t cell_of(std::size_t slot, std::int64_t point, std::int64_t drawn) const = 0;
  virtual std::size_t class_of(std::size_t cell) const = 0;
  virtual const ClassChances& class_chances(std::size_t slot) const = 0;
  virtual std::vector<double> chances(std::size_t slot) const = 0;  ///< of each cell

  /// A table's likeliest output, from which cells are counted; noise: 0.
  virtual std::size_t origin(std::size_t) const { return 0; }
  virtual bool of_table() const = 0;
};

/// Throws InvalidOption for a table without ends, or noise that is too wide.
std::unique_ptr<EdgeCells> edge_cells(const weights::EdgeMechanism& mechanism, random::Stream& choice);

/// A point anywhere on the grid: one in 16 an end, of a grid without end any order of magnitude alike.
std::int64_t random_point(const weights::WeightGrid& grid, random::Stream& choice);

/// The sensitivity in steps that a noise mechanism declares, over its epsilon. Throws InvalidOption if it declares none, or is wider than 100,000 steps.
double noise_scale_steps(const weights::EdgeMechanism& mechanism);

/// The `sensitivity_steps` among the parameters of a noise mechanism. Throws InvalidOption if it declares none.
std::uint64_t declared_steps(const weights::EdgeMechanism& mechanism);

/// Noise farther out than this is hardly ever drawn: 20 scales and some.
std::int64_t reach_of_noise(const weights::EdgeMechanism& mechanism);

}  // namespace fogline::audit
