// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
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
/// A table found before may lie in a mapped file: then nothing of it is read but the rows that are asked for.
///
/// Cost: 12 bytes an entry; a draw is a uniform integer and a walk along the row.
class SparseTable {
 public:
  /// Their ratio, 36 bits, is what a table can tell: as much as the exponential kernels do
  /// (kernel/exponential_rule.hpp).
  static constexpr Uint128 floor_weight = Uint128{1} << 64;
  static constexpr int one_bits = 100;

  struct Entry {
    std::uint32_t output = 0;
    double weight = 0;  ///< an integer above the floor
  };

  /// One vector of entries per input, outputs increasing. Throws InvalidOption for an output out of range or out of order, or a weight that
  /// is not an integer from 2^64 to 2^101.
  SparseTable(const std::vector<std::vector<Entry>>& rows, std::size_t outputs);

  /// The same of rows that lie one behind the other.
  struct Rows {
    std::vector<std::uint64_t> end = {};  ///< of each row, counted in entries
    std::vector<std::uint32_t> output = {};
    std::vector<double> weight = {};
  };
  SparseTable(Rows rows, std::size_t outputs);

  /// Rows with their totals, as numbers of a file.
  struct Numbers {
    std::span<const std::uint64_t> end = {};
    std::span<const std::uint32_t> output = {};
    std::span<const double> weight = {};
    std::span<const Uint128> total = {};  ///< of each row, all outputs
  };
  /// What numbers() gave a file; `keeper` holds them where they are. Throws InvalidOption for rows that do not fit together. What stands in
  /// them is not looked at: is_sound() does.
  SparseTable(const Numbers& found, std::size_t outputs, std::shared_ptr<const void> keeper);

  const Numbers& numbers() const { return numbers_; }
  /// Is every entry as the first constructor asks, and each total what its row adds up to? Reads the whole table.
  bool is_sound() const;

  /// The entries of a row, given out by value.
  class Entries {
   public:
    class Iterator {
     public:
      Iterator(const std::uint32_t* output, const double* weight) : output_(output), weight_(weight) {}
      Entry operator*() const { return {*output_, *weight_}; }
      Iterator& operator++() {
        ++output_;
        ++weight_;
        return *this;
      }
      bool operator==(const Iterator& other) const { return output_ == other.output_; }

     private:
      const std::uint32_t* output_;
      const double* weight_;
    };
    Entries(std::span<const std::uint32_t> output, std::span<const double> weight)
        : output_(output), weight_(weight) {}
    std::size_t size() const { return output_.size(); }
    Entry operator[](std::size_t i) const { return {output_[i], weight_[i]}; }
    Iterator begin() const { return {output_.data(), weight_.data()}; }
    Iterator end() const { return {output_.data() + output_.size(), weight_.data() + weight_.size()}; }

   private:
    std::span<const std::uint32_t> output_;
    std::span<const double> weight_;
  };

  std::size_t inputs() const { return numbers_.end.size(); }
  std::size_t outputs() const { return outputs_; }
  Entries entries(InputId input) const {
    const std::uint64_t begin = input == 0 ? 0 : numbers_.end[input - 1], size = numbers_.end[input] - begin;
    return {numbers_.output.subspan(begin, size), numbers_.weight.subspan(begin, size)};
  }
  std::uint64_t entry_count() const { return numbers_.output.size(); }

  Uint128 total(InputId input) const { return numbers_.total[input]; }
  random::Odds odds(std::size_t output, InputId input) const;
  WeightRow row(InputId input) const;  ///< all outputs
  std::size_t draw(InputId input, random::Stream& noise) const;

 private:
  std::size_t drawn(InputId input, random::Stream& noise) const;
  void require_rows() const;
  Uint128 checked_total(InputId input) const;  // of the row, if its entries are right; throws InvalidOption

  std::size_t outputs_;
  Numbers numbers_;
  std::shared_ptr<const void> keeper_;  // of the numbers; copies share it
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
