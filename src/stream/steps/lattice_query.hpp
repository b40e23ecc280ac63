// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "geometry/lattice_body.hpp"
#include "mobility/state_space.hpp"

namespace fogline::stream {

using mobility::StateId;

/// The measurement of every state in whole steps of a public lattice, so that differences, hulls and noise are integers.
///
///     LatticeQuery query(model.space, 1);           // places: to the metre
///     query.at(state);                                         // its coordinates in steps
///     query.point(query.at(state));                            // and in the units of the space
///
/// Rounding to the lattice happens to public numbers, before anything private is looked at: it costs precision, never privacy.
class LatticeQuery {
 public:
  /// `step` is in the units of the space; 0: 1 metre for places, else the power of ten below 2^-16 of the widest column, coarser if it must be. Throws
  /// InvalidOption for a step that is negative, or too fine for LatticeBody's coordinates.
  explicit LatticeQuery(const mobility::StateSpace& space, double step = 0);

  std::size_t states() const { return points_.size(); }
  std::size_t dimension() const { return points_.dimension; }
  double step() const { return step_; }
  std::span<const std::int64_t> at(StateId state) const { return points_[state]; }
  std::vector<double> point(std::span<const std::int64_t> steps) const;  ///< in the units of the space
  double distance(StateId a, StateId b) const;  ///< Euclidean, in the units of the space

 private:
  geometry::LatticePoints points_;
  double step_;
};

}  // namespace fogline::stream
