// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/int128.hpp"
#include "base/progress.hpp"
#include "kernel/certificate.hpp"
#include "kernel/optimal.hpp"
#include "kernel/relation.hpp"
#include "kernel/weight_row.hpp"
#include "random/noise.hpp"
#include "random/stream.hpp"

namespace fogline::kernel {

/// A table of integer weights in which most are alike: each input lists the outputs that stand out, all others have the floor weight.
///
///     SparseTable table = sparse_table(optimal_table(problem), roads, epsilon_per_mm);
///     std::size_t answer = table.draw(input, noise);
///     bool kept = holds(certify(roads, table), Rational(1, 100'000));
///
/// Weights are integers from 2^64, the floor, to 2^101; probability 1 stands for about 2^100. A weight is kept as a double, which holds
/// such an integer exactly as long as its last 48 bits or more are 0: no rounding stands between the table and what is drawn.
/// No weight is 0, so no answer ever rules an input out.
///
/// Cost: 16 bytes an entry; a draw is a uniform integer and a walk along the row.
class SparseTable {
 public:
  static constexpr Uint128 floor_weight = Uint128{1} << 64;
  static constexpr int one_bits = 100;

  struct Entry {
    std::uint32_t output = 0;
    double weight = 0;  ///< an integer above the floor
  };

  /// One vector of entries per input, outputs increasing. Throws InvalidOption for an output out of range or out of order, or a weight that
  /// is not an integer from 2^64 to 2^101.
  SparseTable(std::vector<std::vector<Entry>> rows, std::size_t outputs);

  std::size_t inputs() const { return rows_.size(); }
  std::size_t outputs() const { return outputs_; }
  std::span<const Entry> entries(InputId input) const { return rows_[input]; }
  std::uint64_t entry_count() const;

  Uint128 total(InputId input) const { return totals_[input]; }
  random::Odds odds(std::size_t output, InputId input) const;
  WeightRow row(InputId input) const;  ///< all outputs
  std::size_t draw(InputId input, random::Stream& noise) const;

 private:
  std::size_t drawn(InputId input, random::Stream& noise) const;

  std::vector<std::vector<Entry>> rows_;
  std::size_t outputs_;
  std::vector<Uint128> totals_;
};

/// What the integers of a sparse table lose, over all pairs and all outputs: certificate.hpp, without writing the table out.
Certificate certify(const Relation& relation, const SparseTable& table, const CertifyOptions& options = {});

/// The same over every two of `members`, at distance 1, by the largest and the smallest probability of each output among them: a group's
/// pairs need not be written out. Throws InvalidOption for a member that does not exist. Cost: members times outputs.
Certificate certify_group(std::span<const InputId> members, const SparseTable& table,
                          const CertifyOptions& options = {});

/// Makes integers of a solver's columns. Where a column is not free it continues as the largest of exp(-epsilon d) times its free
/// values, which keeps the promise by construction; what would fall below the floor stays on it. The rows then sum to a little
/// more than 1, and dividing by that sum may lose a little more than epsilon: certify() decides.
///
/// Throws InvalidOption if columns and relation do not fit, or a probability is not a number from 0 to 1. Cost: a search per column.
struct SparseTableOptions {
  int threads = 0;         ///< 0 (all cores) to 1,024
  Progress progress = {};  ///< told of columns; may cancel
};
SparseTable sparse_table(const OptimalTable& columns, const Relation& relation, double epsilon_per_unit,
                         const SparseTableOptions& options = {});

}  // namespace fogline::kernel
