// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/int128.hpp"
#include "base/rational.hpp"
#include "geometry/lattice_body.hpp"
#include "random/samplers.hpp"
#include "random/stream.hpp"

namespace fogline::stream {

/// Integer noise with P(v) proportional to exp(-epsilon ||v||), over all integer points v of the slice that a body spans. Exact: no
/// floating-point number takes part in a draw.
///
///     LatticeKNorm noise(body, {1, 1});
///     std::vector<std::int64_t> v = noise.draw(stream);
///     noise.log_weight(v);                               // -epsilon ||v||
///
/// How: every integer point lies in one cone over a piece of the boundary, with corners v_i of norm 1, as a sum of c_i v_i; its norm is the sum of
/// the c_i. The c that occur are a lattice with a triangular basis, so they can be drawn one after another: c_i runs through an arithmetic
/// progression whose offset the earlier ones decide. Points on a side that several cones share belong to the one that an infinitesimal
/// shift in a fixed generic direction moves them into. docs/mechanisms/k-norm.md has the proof.
///
/// Limits: epsilon above 0, at most 1,000, its numerator and denominator at most 2^40. Cost: a draw takes a number of attempts that grows as
/// max(1, epsilon)^(rank - 1), most of which end early; the first draw in a cone prepares it. Safe to call from several threads.
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
  struct Progressions;
  struct Prepared;
  struct Attempt;
  Progressions prepare(std::size_t cone) const;
  const Progressions& progressions(std::size_t cone) const;
  bool draw_in(std::size_t cone, Attempt& attempt, random::Stream& noise) const;
  std::vector<std::int64_t> point(std::size_t cone, const Attempt& attempt) const;

  std::shared_ptr<const geometry::LatticeBody> body_;
  Rational epsilon_;
  std::uint64_t parts_;                   // into how many a corner is cut, so that one part costs about 1
  random::Geometric whole_parts_;         // rate epsilon / parts
  std::vector<Uint128> cumulative_ = {};  // of the cones' shares of attempts
  std::unique_ptr<Prepared[]> prepared_;
};

}  // namespace fogline::stream
