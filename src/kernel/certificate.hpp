// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "base/progress.hpp"
#include "base/rational.hpp"
#include "kernel/relation.hpp"
#include "kernel/weight_row.hpp"

namespace fogline::kernel {

/// A largest privacy loss, per unit of the relation's distance, and where it was found:
/// (ln P(output|at.from) - ln P(output|at.to)) / at.distance. Both ends are infinite where an output is possible from
/// at.from and impossible from at.to.
struct LossBound {
  double low = 0;   ///< the true largest loss is at least this
  double high = 0;  ///< and at most this
  RelatedPair at = {};
  std::size_t output = 0;
};

/// What a finite mechanism really loses, over all pairs of a relation and all outputs.
struct Certificate {
  LossBound loss = {};                        ///< both ways; in a one-sided relation the protected way only
  std::optional<LossBound> unprotected = {};  ///< the other way of a one-sided relation
  std::uint64_t pairs = 0;                    ///< covered; 0 means that nothing had to look alike
};

/// The row of an input; asked from several threads at once unless `threads` is 1. All rows have the same outputs.
using RowFunction = std::function<WeightRow(InputId)>;

struct CertifyOptions {
  int threads = 0;  ///< 0 (all cores) to 1,024
  /// Rows are kept while they fit, 16 bytes a weight; otherwise the two rows of each pair are computed when it is
  /// their turn. Three rows a thread are in memory whatever this says. A gibibyte: chosen, not derived;
  /// what is found does not depend on it.
  std::uint64_t largest_memory_bytes = std::uint64_t{1} << 30;
  Progress progress = {};  ///< told of rows, then of pairs; may cancel
};

/// Certifies from the integers alone; the formula they came from is not looked at.
///
///     auto certificate = certify(Relation::metric(city.graph), [&](InputId v) { return gem.row(v); });
///     bool kept = holds(certificate, Rational(1, 100'000));        // 0.01 per metre is 1/100,000 per millimetre
///
/// The interval cannot be optimistic: see certificate.cpp for the error bound, and the tests for its comparison with
/// 100-digit arithmetic. It is at most 2^-50 of the loss plus 2^-56 per unit wide; a mechanism that wants to be certified leaves itself
/// that much room.
///
/// Throws InvalidOption for a row that is not a distribution: no weight above 0, a total that is not the sum of the weights, another
/// number of outputs than the other rows. Only rows of inputs that some pair names are asked for.
///
/// Cost: a row per input and a division per pair and output; `complete` needs one product per input and output and keeps no row.
/// 1,000 inputs by 1,000 outputs, rows given, one core: 9 ms complete, 14 ms on a lattice (bench/kernel_bench.cpp).
Certificate certify(const Relation& relation, const RowFunction& row, const CertifyOptions& options = {});

/// Is the certified loss at most `claimed_per_unit`? Compared exactly, without rounding; never a wrong yes.
bool holds(const Certificate& certificate, const Rational& claimed_per_unit);

}  // namespace fogline::kernel
