// SPDX-License-Identifier: Apache-2.0
#include "kernel/sparse_table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "kernel/extension.hpp"

namespace fogline::kernel {
namespace {

/// The floor; probability 1, with room for what rounding or a row that sums to a little less adds; and that itself.
constexpr double lowest_weight = 0x1p64;
constexpr double highest_weight = 0x1p101;
constexpr double one = 0x1p100;

void require_entry(const SparseTable::Entry& entry, std::size_t outputs) {
  if (entry.output >= outputs) throw InvalidOption("table", fmt::format("has no output {}", entry.output));
  if (!(entry.weight >= lowest_weight && entry.weight <= highest_weight))
    throw InvalidOption("table", "weights must lie between 2^64 and 2^101");
}

/// A weight as the integer it is; what the compiler's own conversion does takes five times as long.
Uint128 integer(double weight) {
  constexpr int fraction_bits = 52, bias = 1023;  // of a double (IEEE 754)
  const auto bits = std::bit_cast<std::uint64_t>(weight);
  const std::uint64_t fraction =
      (bits & ((std::uint64_t{1} << fraction_bits) - 1)) | (std::uint64_t{1} << fraction_bits);
  constexpr int all_shifts = 127;  // a mask that changes nothing: the compiler need not look after others
  return static_cast<Uint128>(fraction)
         << ((static_cast<int>(bits >> fraction_bits) - bias - fraction_bits) & all_shifts);
}

SparseTable::Rows one_behind_the_other(const std::vector<std::vector<SparseTable::Entry>>& rows) {
  SparseTable::Rows result;
  for (const auto& row : rows) {
    for (const SparseTable::Entry& entry : row) {
      result.output.push_back(entry.output);
      result.weight.push_back(entry.weight);
    }
    result.end.push_back(result.output.size());
  }
  return result;
}

void require_probabilities(const OptimalColumn& column) {
  for (const double probability : column.probability) {
    if (!(probability >= 0 && probability <= 1))
      throw InvalidOption("columns", "hold a number outside 0 to 1");
  }
}

}  // namespace

SparseTable::SparseTable(const std::vector<std::vector<Entry>>& rows, std::size_t outputs)
    : SparseTable(one_behind_the_other(rows), outputs) {}

SparseTable::SparseTable(Rows rows, std::size_t outputs) : outputs_(outputs) {
  struct Kept {
    Rows rows;
    std::vector<Uint128> total;
  };
  const auto kept = std::make_shared<Kept>(Kept{.rows = std::move(rows), .total = {}});
  numbers_ = {.end = kept->rows.end, .output = kept->rows.output, .weight = kept->rows.weight};
  require_rows();
  for (InputId v = 0; v < inputs(); ++v) kept->total.push_back(checked_total(v));
  numbers_.total = kept->total;
  keeper_ = kept;
}

SparseTable::SparseTable(const Numbers& found, std::size_t outputs, std::shared_ptr<const void> keeper)
    : outputs_(outputs), numbers_(found), keeper_(std::move(keeper)) {
  require_rows();
  if (numbers_.total.size() != inputs()) throw InvalidOption("table", "needs a total of each row");
  // A draw below 0 would not come to an end.
  for (const Uint128& total : numbers_.total)
    if (total < floor_weight * outputs) throw InvalidOption("table", "has a total that is too small");
}

void SparseTable::require_rows() const {
  if (inputs() == 0 || outputs_ == 0) throw InvalidOption("table", "needs an input and an output");
  // Of weights up to 2^101: totals stay below 2^128.
  constexpr std::size_t most_outputs = std::size_t{1} << 26;
  if (outputs_ > most_outputs) throw InvalidOption("table", "has too many outputs");
  if (numbers_.output.size() != numbers_.weight.size() || numbers_.end.back() != numbers_.output.size() ||
      !std::ranges::is_sorted(numbers_.end))
    throw InvalidOption("table", "has rows that do not fit together");
}

Uint128 SparseTable::checked_total(InputId input) const {
  const Entries row = entries(input);
  if (row.size() > outputs_) throw InvalidOption("table", "lists more outputs than there are");
  Uint128 total = floor_weight * (outputs_ - row.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    require_entry(row[i], outputs_);
    if (i > 0 && row[i].output <= row[i - 1].output) throw InvalidOption("table", "outputs are not in order");
    total += integer(row[i].weight);
  }
  return total;
}

bool SparseTable::is_sound() const try {
  for (InputId v = 0; v < inputs(); ++v)
    if (checked_total(v) != total(v)) return false;
  return true;
} catch (const InvalidOption&) {
  return false;
}

random::Odds SparseTable::odds(std::size_t output, InputId input) const {
  const Entries row = entries(input);
  std::size_t low = 0, high = row.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (row[middle].output < output) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const bool listed = low < row.size() && row[low].output == output;
  return {output >= outputs_ ? 0 : listed ? integer(row[low].weight) : floor_weight, total(input)};
}

WeightRow SparseTable::row(InputId input) const {
  WeightRow result{std::vector<Uint128>(outputs_, floor_weight), total(input)};
  for (const Entry& entry : entries(input)) result.weights[entry.output] = integer(entry.weight);
  return result;
}

std::size_t SparseTable::draw(InputId input, random::Stream& noise) const {
  return random::choose(
      "table", noise,
      [&] {
        const std::size_t output = drawn(input, noise);
        // Only from a file that was changed since it was found sound.
        if (output >= outputs_) throw Error("the table of this mechanism is damaged; prepare it again");
        return output;
      },
      [&](std::uint64_t output) { return odds(output, input); });
}

std::size_t SparseTable::drawn(InputId input, random::Stream& noise) const {
  const Entries row = entries(input);
  Uint128 left = noise.below128(total(input));
  // The listed outputs first, then the others, each a floor wide.
  for (const Entry& entry : row) {
    const Uint128 weight = integer(entry.weight);
    if (left < weight) return entry.output;
    left -= weight;
  }
  auto rank = static_cast<std::size_t>(left / floor_weight);
  // The rank-th output that is not listed: at least `rank`, and one more for every listed one up to there.
  std::size_t low = 0, high = row.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (row[middle].output - middle <= rank) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return rank + low;
}

SparseTable sparse_table(const OptimalTable& columns, const Relation& relation, double epsilon_per_unit,
                         const SparseTableOptions& options) {
  const std::size_t outputs = columns.columns.size();
  std::vector<std::vector<std::pair<InputId, double>>> found(outputs);
  ProgressMeter meter(options.progress, "writing the table", outputs);
  constexpr std::size_t columns_a_task = 8;  // each is a search over the map
  parallel_for(outputs, {.threads = options.threads, .grain = columns_a_task},
               [&](std::size_t begin, std::size_t end) {
                 Extension extension(relation, epsilon_per_unit, lowest_weight / one);
                 for (std::size_t o = begin; o < end; ++o) {
                   const OptimalColumn& column = columns.columns[o];
                   require_probabilities(column);
                   const auto take = [&](InputId input, double value) {
                     found[o].emplace_back(input, value * one);
                   };
                   if (!column.inputs.empty()) {
                     extension.extend(column.inputs, column.probability, take);
                   } else {
                     for (InputId v = 0; v < column.probability.size(); ++v) {
                       if (column.probability[v] * one > lowest_weight) take(v, column.probability[v]);
                     }
                   }
                   meter.advance();
                 }
               });
  meter.finish();
  SparseTable::Rows rows{.end = std::vector<std::uint64_t>(relation.inputs())};
  for (const auto& column : found)
    for (const auto& [input, weight] : column) ++rows.end[input];
  std::partial_sum(rows.end.begin(), rows.end.end(), rows.end.begin());
  rows.output.resize(rows.end.back());
  rows.weight.resize(rows.end.back());
  std::vector<std::uint64_t> next(relation.inputs(), 0);  // where the next entry of each row goes
  std::copy(rows.end.begin(), rows.end.end() - 1, next.begin() + 1);
  for (std::size_t o = 0; o < outputs; ++o) {
    for (const auto& [input, weight] : found[o]) {
      const std::uint64_t at = next[input]++;
      rows.output[at] = static_cast<std::uint32_t>(o);
      rows.weight[at] = weight;
    }
    found[o] = {};
  }
  return SparseTable(std::move(rows), outputs);
}

}  // namespace fogline::kernel
