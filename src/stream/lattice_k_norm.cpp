// SPDX-License-Identifier: Apache-2.0
#include "stream/lattice_k_norm.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.hpp"
#include "geometry/minors.hpp"
#include "geometry/modular_lattice.hpp"

namespace fogline::stream {
namespace {

using geometry::LatticeBody;
using geometry::most_dimensions;
using random::bernoulli_exp;

constexpr std::int64_t farthest = std::int64_t{1} << 61;
constexpr std::uint64_t most_parts_drawn = 512;

Uint128 divided_up(Uint128 value, std::uint64_t parts) {
  return value / parts + (value % parts != 0 ? 1 : 0);
}

Rational checked(const Rational& epsilon) {
  if (epsilon.is_zero() || epsilon > Rational(1000))
    throw InvalidOption("epsilon", "must be above 0 and at most 1,000");
  return epsilon;
}

/// determinant * V^-1 for the matrix V whose columns are the corners, with the determinant's sign taken out: row i times an integer point is
/// the numerator of its coefficient of corner i.
std::array<std::array<Int128, most_dimensions>, most_dimensions> numerators(const LatticeBody& body,
                                                                            const LatticeBody::Cone& cone) {
  const std::size_t rank = body.rank();
  std::array<std::array<Int128, most_dimensions>, most_dimensions> result{};
  const std::uint32_t all = (std::uint32_t{1} << rank) - 1;
  for (std::size_t i = 0; i < rank; ++i) {
    geometry::Minors minors(rank);
    for (std::size_t row = 0; row < rank; ++row) {
      if (row != i) minors.add_row(body.own_vertices()[cone.corner[row]]);
    }
    for (std::size_t j = 0; j < rank; ++j) {
      const Int128 minor = minors.of(all & ~(std::uint32_t{1} << j));
      result[i][j] = (i + j) % 2 == 0 ? minor : -minor;
    }
  }
  Int128 determinant = 0;
  for (std::size_t j = 0; j < rank; ++j) determinant += result[0][j] * body.own_vertices()[cone.corner[0]][j];
  if (determinant < 0) {
    for (auto& row : result) {
      for (Int128& entry : row) entry = -entry;
    }
  }
  return result;
}

}  // namespace

/// The numerators n of coefficients c = n / determinant that integer points of a cone have, as a triangular lattice: numerator i runs in steps
/// of step[i], `count[i]` of them to a determinant, from an offset that the numerators before decide.
struct LatticeKNorm::Progressions {
  Uint128 determinant = 1;
  std::array<Uint128, most_dimensions> step = {}, count = {}, block = {};
  std::array<std::array<Uint128, most_dimensions>, most_dimensions> row = {};
  std::array<bool, most_dimensions> without_zero = {};  // coefficients in (0, 1] rather than [0, 1)
  Uint128 kept = 1, of = 1;                             // the share of attempts in the cone that go on
};

struct LatticeKNorm::Prepared {
  std::once_flag once;
  Progressions value;
};

/// Coefficients of the corners: whole + numerator / determinant.
struct LatticeKNorm::Attempt {
  std::array<Uint128, most_dimensions> whole = {}, numerator = {};
};

LatticeKNorm::LatticeKNorm(std::shared_ptr<const LatticeBody> body, const Rational& epsilon)
    : body_(std::move(body)),
      epsilon_(checked(epsilon)),
      parts_(std::max<std::uint64_t>(1, epsilon.numerator() / epsilon.denominator())),
      whole_parts_(epsilon / parts_),
      prepared_(std::make_unique<Prepared[]>(body_->cones().size())) {
  Uint128 sum = 0;
  for (const LatticeBody::Cone& cone : body_->cones())
    cumulative_.push_back(sum += divided_up(cone.determinant, parts_));
}

LatticeKNorm::~LatticeKNorm() = default;

LatticeKNorm::Progressions LatticeKNorm::prepare(std::size_t cone) const {
  const std::size_t rank = body_->rank();
  const auto inverse = numerators(*body_, body_->cones()[cone]);
  Progressions result{.determinant = body_->cones()[cone].determinant};
  geometry::ModularLattice lattice(rank, result.determinant);
  const auto modulus = static_cast<Int128>(result.determinant);
  for (std::size_t j = 0; j < rank; ++j) {
    std::vector<Uint128> generator;
    for (std::size_t i = 0; i < rank; ++i) {
      const Int128 rest = inverse[i][j] % modulus;
      generator.push_back(static_cast<Uint128>(rest < 0 ? rest + modulus : rest));
    }
    lattice.add(std::move(generator));
  }
  const auto triangular = lattice.triangular();
  for (std::size_t i = 0; i < rank; ++i) {
    std::ranges::copy(triangular[i], result.row[i].begin());
    result.step[i] = triangular[i][i];
    result.count[i] = result.determinant / result.step[i];
    result.block[i] = divided_up(result.count[i], parts_);
    result.kept *= result.block[i];
    // A shift by (d, d^2, ...) with d arbitrarily small changes coefficient i in the direction of the first entry that is not 0.
    const auto first = std::ranges::find_if(inverse[i], [](Int128 entry) { return entry != 0; });
    result.without_zero[i] = *first < 0;
  }
  result.of = divided_up(result.determinant, parts_);
  return result;
}

const LatticeKNorm::Progressions& LatticeKNorm::progressions(std::size_t cone) const {
  Prepared& prepared = prepared_[cone];
  std::call_once(prepared.once, [&] { prepared.value = prepare(cone); });
  return prepared.value;
}

bool LatticeKNorm::draw_in(std::size_t cone, Attempt& attempt, random::Stream& noise) const {
  const Progressions& p = progressions(cone);
  if (p.kept != p.of && noise.below128(p.of) >= p.kept) return false;
  std::array<Uint128, most_dimensions> decided{};  // by the numerators before, modulo the determinant
  for (std::size_t i = 0; i < body_->rank(); ++i) {
    Uint128 offset = decided[i] % p.step[i];
    if (offset == 0 && p.without_zero[i]) offset = p.step[i];
    if (!bernoulli_exp(epsilon_, offset, p.determinant, noise)) return false;
    const Uint128 in_block = noise.below128(p.block[i]);
    if (!bernoulli_exp(epsilon_, in_block, p.count[i], noise)) return false;
    const std::uint64_t blocks = whole_parts_(noise);
    Uint128 steps = in_block;
    attempt.whole[i] = blocks;
    if (parts_ > 1) {
      // A block may be longer than 1 / parts of the corner; what it is longer costs too.
      if (blocks > most_parts_drawn) throw Error("noise beyond 512 parts of the hull");
      const Uint128 excess = p.block[i] * parts_ - p.count[i];
      for (std::uint64_t block = 0; block < blocks; ++block) {
        if (!bernoulli_exp(epsilon_, excess, p.count[i] * parts_, noise)) return false;
      }
      steps += blocks * p.block[i];
      attempt.whole[i] = steps / p.count[i];
      steps %= p.count[i];
    }
    attempt.numerator[i] = offset + steps * p.step[i];
    const Uint128 behind = attempt.numerator[i] + p.determinant - decided[i];
    const Uint128 times = behind % p.determinant / p.step[i];
    for (std::size_t j = i + 1; j < body_->rank(); ++j)
      decided[j] =
          (decided[j] + geometry::multiply_modulo(times, p.row[i][j], p.determinant)) % p.determinant;
  }
  return true;
}

std::vector<std::int64_t> LatticeKNorm::point(std::size_t cone, const Attempt& attempt) const {
  const LatticeBody::Cone& chosen = body_->cones()[cone];
  std::vector<std::int64_t> result;
  for (std::size_t j = 0; j < body_->dimension(); ++j) {
    Int128 whole = 0, numerator = 0;
    for (std::size_t i = 0; i < body_->rank(); ++i) {
      const Int128 corner = body_->vertices()[chosen.corner[i]][j];
      whole += static_cast<Int128>(attempt.whole[i]) * corner;
      numerator += static_cast<Int128>(attempt.numerator[i]) * corner;
    }
    const Int128 coordinate = whole + numerator / static_cast<Int128>(chosen.determinant);  // exact
    if (coordinate > farthest || coordinate < -farthest) throw Error("noise beyond 2^61 steps");
    result.push_back(static_cast<std::int64_t>(coordinate));
  }
  return result;
}

std::vector<std::int64_t> LatticeKNorm::draw(random::Stream& noise) const {
  if (body_->rank() == 0) return std::vector<std::int64_t>(body_->dimension());
  Attempt attempt;
  std::size_t cone = 0;
  do {
    const Uint128 target = noise.below128(cumulative_.back());
    cone = static_cast<std::size_t>(std::ranges::upper_bound(cumulative_, target) - cumulative_.begin());
  } while (!draw_in(cone, attempt, noise));
  return point(cone, attempt);
}

double LatticeKNorm::log_weight(std::span<const std::int64_t> v) const {
  return -epsilon_.to_double() * body_->norm(v);
}

}  // namespace fogline::stream
