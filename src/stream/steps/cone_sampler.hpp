// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "base/int128.hpp"
#include "base/rational.hpp"
#include "geometry/lattice_body.hpp"
#include "random/samplers.hpp"
#include "random/stream.hpp"

namespace fogline::stream {

/// How coefficients of a cone's corners are to be drawn: every integer point of a cone, as coefficients c of its corners, with weight
/// exp(-epsilon * sum of c), by attempts that each have the same chance per point in every cone.
///
/// A corner is cut into `parts` parts, so that one part costs between 1 and 2 (or all of epsilon, if that is less); whole parts come from one
/// geometric law for all cones.
struct ConeLaw {
  explicit ConeLaw(const Rational& epsilon);
  static constexpr std::uint64_t most_parts =
      64;  ///< more in one draw has a chance below 2^-92, and is an error

  Rational epsilon;
  std::uint64_t parts;
  random::Geometric whole_parts;  ///< rate epsilon / parts
};

using ConeMatrix = std::array<std::array<Int128, geometry::most_dimensions>, geometry::most_dimensions>;

/// determinant * V^-1 for the matrix V whose columns are the corners, the determinant taken positive: row i times an integer point is the
/// numerator of its coefficient of corner i.
ConeMatrix cone_inverse(const geometry::LatticePoints& corners);

/// Which coefficients lie in (0, 1] rather than [0, 1) in a cone's half-open parallelepiped: points on a side belong to the cone that a shift by
/// (d, d^2, ...), with d arbitrarily small, moves them into; coefficient i then changes in the direction of the first entry of row i that
/// is not 0.
std::array<bool, geometry::most_dimensions> without_zero(const ConeMatrix& inverse, std::size_t rank);

/// Coefficients of the corners: whole + numerator / determinant, with numerators up to the determinant.
struct ConeCoefficients {
  std::array<Uint128, geometry::most_dimensions> whole = {}, numerator = {};
};

/// The coefficients that occur are a lattice with a triangular basis: numerator i runs through an arithmetic progression whose offset the
/// numerators before decide. For epsilon up to about 1, or few points.
class ConeProgressions {
 public:
  ConeProgressions(const geometry::LatticePoints& corners, Uint128 determinant, const ConeLaw& law);

  /// Attempts that a cone of this determinant takes per attempt of one point.
  static Uint128 share(Uint128 determinant, const ConeLaw& law);
  bool draw(const ConeLaw& law, ConeCoefficients& out, random::Stream& noise) const;  ///< false: try again

 private:
  std::size_t rank_;
  Uint128 determinant_;
  std::array<Uint128, geometry::most_dimensions> step_ = {}, count_ = {}, block_ = {};
  std::array<std::array<Uint128, geometry::most_dimensions>, geometry::most_dimensions> row_ = {};
  std::array<bool, geometry::most_dimensions> without_zero_;
  Uint128 kept_ = 1;  // of share() attempts
};

/// The coefficients cut into cells of one part each way: a cell is drawn, then an integer point of a box around it, by coordinates in which the box is
/// close to the cell. For large epsilon on fine lattices.
class ConeCells {
 public:
  explicit ConeCells(const geometry::LatticePoints& corners);

  Uint128 share(const ConeLaw& law) const;  ///< 0 if the numbers would not fit
  bool draw(Uint128 determinant, const ConeLaw& law, ConeCoefficients& out, random::Stream& noise) const;

 private:
  std::size_t rank_;
  geometry::LatticePoints
      reduced_;         // rows: coordinate i of every corner, in a basis of the lattice that makes them small
  ConeMatrix inverse_;  // of these coordinates
  std::array<bool, geometry::most_dimensions> without_zero_;
};

}  // namespace fogline::stream
