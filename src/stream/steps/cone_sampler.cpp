// SPDX-License-Identifier: Apache-2.0
#include "stream/steps/cone_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "geometry/minors.hpp"
#include "geometry/modular_lattice.hpp"

namespace fogline::stream {
namespace {

using geometry::LatticePoints;
using random::bernoulli_exp;

Uint128 divided_up(Uint128 value, std::uint64_t parts) {
  return value / parts + (value % parts != 0 ? 1 : 0);
}

Rational checked(const Rational& epsilon) {
  if (epsilon.is_zero() || epsilon > Rational(1000))
    throw InvalidOption("epsilon", "must be above 0 and at most 1,000");
  return epsilon;
}

std::uint64_t few_parts(const ConeLaw& law, random::Stream& noise) {
  const std::uint64_t parts = law.whole_parts(noise);
  if (parts >= ConeLaw::most_parts) throw Error("noise beyond 64 parts of the hull");
  return parts;
}

LatticePoints transposed(const LatticePoints& points) {
  LatticePoints result{.dimension = points.size()};
  for (std::size_t j = 0; j < points.dimension; ++j) {
    for (std::size_t i = 0; i < points.size(); ++i) result.coordinates.push_back(points[i][j]);
  }
  return result;
}

Int128 dot(std::span<const std::int64_t> a, std::span<const std::int64_t> b) {
  Int128 sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += static_cast<Int128>(a[j]) * b[j];
  return sum;
}

/// Subtracts multiples of rows from each other while that makes one shorter: a change of the lattice's basis.
void shorten(LatticePoints& rows) {
  const std::size_t size = rows.size(), width = rows.dimension;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t a = 0; a < size; ++a) {
      for (std::size_t b = 0; b < size; ++b) {
        if (a == b) continue;
        const Int128 square = dot(rows[b], rows[b]), product = dot(rows[a], rows[b]);
        // Rounded to the nearest: anything but 0 makes row a strictly shorter.
        const Int128 times = (2 * product + (product < 0 ? -square : square)) / (2 * square);
        if (times == 0 || 2 * product == square || 2 * product == -square) continue;
        for (std::size_t j = 0; j < width; ++j)
          rows.coordinates[a * width + j] -=
              static_cast<std::int64_t>(times) * rows.coordinates[b * width + j];
        changed = true;
      }
    }
  }
}

std::uint64_t sum_of_sizes(std::span<const std::int64_t> row) {
  std::uint64_t sum = 0;
  for (const std::int64_t x : row) sum += static_cast<std::uint64_t>(std::abs(x));
  return sum;
}

Int128 divided_towards_more(Int128 value, Int128 by) {
  return value / by + (value % by > 0 ? 1 : 0);
}

}  // namespace

ConeLaw::ConeLaw(const Rational& rate)
    : epsilon(checked(rate)),
      parts(std::max<std::uint64_t>(1, rate.numerator() / rate.denominator())),
      whole_parts(rate / parts) {}

ConeMatrix cone_inverse(const LatticePoints& corners) {
  const std::size_t rank = corners.size();
  ConeMatrix result{};
  const std::uint32_t all = (std::uint32_t{1} << rank) - 1;
  for (std::size_t i = 0; i < rank; ++i) {
    geometry::Minors minors(rank);
    for (std::size_t row = 0; row < rank; ++row) {
      if (row != i) minors.add_row(corners[row]);
    }
    for (std::size_t j = 0; j < rank; ++j) {
      const Int128 minor = minors.of(all & ~(std::uint32_t{1} << j));
      result[i][j] = (i + j) % 2 == 0 ? minor : -minor;
    }
  }
  Int128 determinant = 0;
  for (std::size_t j = 0; j < rank; ++j) determinant += result[0][j] * corners[0][j];
  if (determinant < 0) {
    for (auto& row : result) {
      for (Int128& entry : row) entry = -entry;
    }
  }
  return result;
}

std::array<bool, geometry::most_dimensions> without_zero(const ConeMatrix& inverse, std::size_t rank) {
  std::array<bool, geometry::most_dimensions> result{};
  for (std::size_t i = 0; i < rank; ++i)
    result[i] = *std::ranges::find_if(inverse[i], [](Int128 entry) { return entry != 0; }) < 0;
  return result;
}

ConeProgressions::ConeProgressions(const LatticePoints& corners, Uint128 determinant, const ConeLaw& law)
    : rank_(corners.size()), determinant_(determinant) {
  const ConeMatrix inverse = cone_inverse(corners);
  without_zero_ = without_zero(inverse, rank_);
  geometry::ModularLattice lattice(rank_, determinant);
  const auto modulus = static_cast<Int128>(determinant);
  for (std::size_t j = 0; j < rank_; ++j) {
    std::vector<Uint128> generator;
    for (std::size_t i = 0; i < rank_; ++i) {
      const Int128 rest = inverse[i][j] % modulus;
      generator.push_back(static_cast<Uint128>(rest < 0 ? rest + modulus : rest));
    }
    lattice.add(std::move(generator));
  }
  const auto triangular = lattice.triangular();
  for (std::size_t i = 0; i < rank_; ++i) {
    std::ranges::copy(triangular[i], row_[i].begin());
    step_[i] = triangular[i][i];
    count_[i] = determinant / step_[i];
    block_[i] = divided_up(count_[i], law.parts);
    kept_ *= block_[i];
  }
}

Uint128 ConeProgressions::share(Uint128 determinant, const ConeLaw& law) {
  return divided_up(determinant, law.parts);
}

bool ConeProgressions::draw(const ConeLaw& law, ConeCoefficients& out, random::Stream& noise) const {
  if (const Uint128 of = share(determinant_, law); kept_ != of && noise.below128(of) >= kept_) return false;
  std::array<Uint128, geometry::most_dimensions>
      decided{};  // by the numerators before, modulo the determinant
  for (std::size_t i = 0; i < rank_; ++i) {
    Uint128 offset = decided[i] % step_[i];
    if (offset == 0 && without_zero_[i]) offset = step_[i];
    if (!bernoulli_exp(law.epsilon, offset, determinant_, noise)) return false;
    Uint128 steps = noise.below128(block_[i]);
    if (!bernoulli_exp(law.epsilon, steps, count_[i], noise)) return false;
    if (law.parts == 1) {
      out.whole[i] = law.whole_parts(noise);
    } else {
      // A block may be longer than a part; what it is longer costs too.
      const std::uint64_t blocks = few_parts(law, noise);
      const Uint128 excess = block_[i] * law.parts - count_[i];
      for (std::uint64_t block = 0; block < blocks; ++block) {
        if (!bernoulli_exp(law.epsilon, excess, count_[i] * law.parts, noise)) return false;
      }
      steps += blocks * block_[i];
      out.whole[i] = steps / count_[i];
      steps %= count_[i];
    }
    out.numerator[i] = offset + steps * step_[i];
    const Uint128 times = (out.numerator[i] + determinant_ - decided[i]) % determinant_ / step_[i];
    for (std::size_t j = i + 1; j < rank_; ++j)
      decided[j] = (decided[j] + geometry::multiply_modulo(times, row_[i][j], determinant_)) % determinant_;
  }
  return true;
}

ConeCells::ConeCells(const LatticePoints& corners) : rank_(corners.size()), reduced_(transposed(corners)) {
  without_zero_ = without_zero(cone_inverse(corners), rank_);
  shorten(reduced_);
  inverse_ = cone_inverse(transposed(reduced_));
}

Uint128 ConeCells::share(const ConeLaw& law) const {
  Uint128 product = 1;
  for (std::size_t i = 0; i < rank_; ++i) {
    const Uint128 side = sum_of_sizes(reduced_[i]) / law.parts + 1;
    if (bit_width(product) + bit_width(side) > 100) return 0;
    product *= side;
  }
  return product;
}

bool ConeCells::draw(Uint128 determinant, const ConeLaw& law, ConeCoefficients& out,
                     random::Stream& noise) const {
  const auto parts = static_cast<Int128>(law.parts), whole = static_cast<Int128>(determinant);
  std::array<Int128, geometry::most_dimensions> cell{}, point{};
  for (std::size_t j = 0; j < rank_; ++j) cell[j] = few_parts(law, noise);
  for (std::size_t i = 0; i < rank_; ++i) {
    Int128 least = 0;  // of coordinate i in the cell, in parts
    for (std::size_t j = 0; j < rank_; ++j)
      least += reduced_[i][j] * cell[j] + std::min<std::int64_t>(0, reduced_[i][j]);
    point[i] = divided_towards_more(least, parts) + noise.below(sum_of_sizes(reduced_[i]) / law.parts + 1);
  }
  for (std::size_t j = 0; j < rank_; ++j) {
    Int128 numerator = 0;
    for (std::size_t i = 0; i < rank_; ++i) numerator += inverse_[j][i] * point[i];
    const Int128 in_cell = numerator * parts - cell[j] * whole;
    if (without_zero_[j] ? in_cell <= 0 || in_cell > whole : in_cell < 0 || in_cell >= whole) return false;
    if (!bernoulli_exp(law.epsilon, static_cast<Uint128>(in_cell), determinant * law.parts, noise))
      return false;
    out.whole[j] = static_cast<Uint128>(numerator / whole);
    out.numerator[j] = static_cast<Uint128>(numerator % whole);
  }
  return true;
}

}  // namespace fogline::stream
