// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/int128.hpp"
#include "base/rational.hpp"
#include "geometry/lattice_body.hpp"
#include "random/stream.hpp"
#include "stream/steps/cone_sampler.hpp"

namespace fogline::stream {

/// Integer noise with P(v) proportional to exp(-epsilon ||v||), over all integer points v of the slice that a body spans. Exact: no
/// floating-point number takes part in a draw.
///
///     LatticeKNorm noise(body, {1, 1});
///     std::vector<std::int64_t> v = noise.draw(stream);
///     noise.log_weight(v);                               // -epsilon ||v||
///
/// How: every integer point lies in one cone over a piece of the boundary, with corners v_i of norm 1, as a sum of c_i v_i; its norm is the sum of
/// the c_i. A cone is chosen by its number of attempts, then coefficients that integer points have (stream/steps/cone_sampler.hpp), kept or tried
/// anew so that each has its weight. docs/mechanisms/k-norm.md has the proof.
///
/// Limits: epsilon above 0, at most 1,000, its numerator and denominator at most 2^40. Cost: under a microsecond a draw in the plane and in
/// space, a few to a hundred in five dimensions, whatever epsilon; the first draw in a cone prepares it, and an epsilon of 2 or more looks at all
/// cones first. Safe to call from several threads.
class LatticeKNorm {
 public:
  LatticeKNorm(std::shared_ptr<const geometry::LatticeBody> body,
               const Rational& epsilon);  ///< throws InvalidOption
  ~LatticeKNorm();

  std::vector<std::int64_t> draw(random::Stream& noise) const;
  double log_weight(std::span<const std::int64_t> v) const;  ///< minus infinity outside the slice
  const geometry::LatticeBody& body() const { return *body_; }
  const std::shared_ptr<const geometry::LatticeBody>& shared_body() const { return body_; }

 private:
  struct Prepared;
  geometry::LatticePoints corners(std::size_t cone) const;
  bool draw_in(std::size_t cone, ConeCoefficients& out, random::Stream& noise) const;
  std::vector<std::int64_t> point(std::size_t cone, const ConeCoefficients& coefficients) const;

  std::shared_ptr<const geometry::LatticeBody> body_;
  ConeLaw law_;
  std::vector<Uint128> cumulative_ = {};  // of the cones' shares of attempts
  std::unique_ptr<Prepared[]> prepared_;  // by cone
};

}  // namespace fogline::stream
