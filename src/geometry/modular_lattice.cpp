// SPDX-License-Identifier: Apache-2.0
#include "geometry/modular_lattice.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace fogline::geometry {
namespace {

using Row = std::vector<Uint128>;

/// row -= times * other, in remainders.
void subtract(Row& row, Uint128 times, const Row& other, Uint128 modulus) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (other[i] == 0) continue;
    const Uint128 less = multiply_modulo(times, other[i], modulus);
    row[i] = row[i] >= less ? row[i] - less : row[i] + (modulus - less);
  }
}

void multiply(Row& row, Uint128 times, Uint128 modulus) {
  for (Uint128& entry : row) entry = multiply_modulo(entry, times % modulus, modulus);
}

/// Euclid's algorithm on the weights of rows, each step taken by the rows too: all weights but one become 0. Which one, if any.
std::optional<std::size_t> gather(std::vector<Row>& rows, Row& weight, Uint128 modulus) {
  while (true) {
    std::optional<std::size_t> least;
    std::size_t others = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (weight[i] == 0) continue;
      ++others;
      if (!least || weight[i] < weight[*least]) least = i;
    }
    if (others <= 1) return least;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i == *least || weight[i] == 0) continue;
      subtract(rows[i], weight[i] / weight[*least], rows[*least], modulus);
      weight[i] %= weight[*least];
    }
  }
}

/// The factor that makes `value` its greatest common divisor with the modulus, in remainders.
Uint128 factor_to_divisor(Uint128 value, Uint128 modulus) {
  Int128 a = static_cast<Int128>(value), b = static_cast<Int128>(modulus), s = 1, t = 0;
  while (b != 0) {
    const Int128 quotient = a / b;
    a = std::exchange(b, a - quotient * b);
    s = std::exchange(t, s - quotient * t);
  }
  return static_cast<Uint128>(s < 0 ? s + static_cast<Int128>(modulus) : s);
}

/// Rows with one pivot each and zeros before it: what lies right of a pivot is reduced by the rows below.
void reduce(std::vector<Row>& rows, Uint128 modulus) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = i + 1; j < rows.size(); ++j) {
      const Uint128 pivot = rows[j][j];
      const Uint128 rest = rows[i][j] % pivot;
      subtract(rows[i], rows[i][j] / pivot, rows[j], modulus);
      rows[i][j] = rest;  // a pivot equal to the modulus is 0 in remainders
    }
  }
}

}  // namespace

Uint128 greatest_common_divisor(Uint128 a, Uint128 b) {
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

Uint128 multiply_modulo(Uint128 a, Uint128 b, Uint128 modulus) {
  if (bit_width(a) + bit_width(b) <= 128) return a * b % modulus;
  // As many bits of b at a time as leave room for the product; at least two, by the limit on the modulus.
  const int chunk = 128 - bit_width(modulus);
  Uint128 result = 0;
  for (int done = (bit_width(b) + chunk - 1) / chunk * chunk; done > 0; done -= chunk) {
    const Uint128 digits = (b >> (done - chunk)) & ((Uint128{1} << chunk) - 1);
    result = ((result << chunk) % modulus + a * digits % modulus) % modulus;
  }
  return result;
}

void ModularLattice::add(std::vector<Uint128> generator) {
  generators_.push_back(std::move(generator));
}

void ModularLattice::keep_multiples(std::span<const Uint128> weight) {
  Row weights;
  for (const Row& row : generators_) {
    Uint128 sum = 0;
    for (std::size_t i = 0; i < dimension_; ++i)
      sum = (sum + multiply_modulo(row[i], weight[i], modulus_)) % modulus_;
    weights.push_back(sum);
  }
  if (const auto last = gather(generators_, weights, modulus_))
    multiply(generators_[*last], modulus_ / greatest_common_divisor(weights[*last], modulus_), modulus_);
}

std::vector<std::vector<Uint128>> ModularLattice::triangular() const {
  std::vector<Row> rest = generators_, result;
  for (std::size_t i = 0; i < dimension_; ++i) {
    Row weight;
    for (const Row& row : rest) weight.push_back(row[i]);
    Row pivot(dimension_);
    if (const auto last = gather(rest, weight, modulus_)) {
      pivot = rest[*last];
      const Uint128 divisor = greatest_common_divisor(weight[*last], modulus_);
      multiply(pivot, factor_to_divisor(weight[*last], modulus_), modulus_);
      pivot[i] = divisor;
      multiply(rest[*last], modulus_ / divisor, modulus_);
    } else {
      pivot[i] = modulus_;
    }
    result.push_back(std::move(pivot));
  }
  reduce(result, modulus_);
  return result;
}

}  // namespace fogline::geometry
