// SPDX-License-Identifier: Apache-2.0
#include "kernel/sparse_table.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "kernel/extension.hpp"

namespace fogline::kernel {
namespace {

constexpr double lowest_weight = 0x1p64;
constexpr double highest_weight = 0x1p101;
constexpr double one = 0x1p100;

void require_entry(const SparseTable::Entry& entry, std::size_t outputs) {
  if (entry.output >= outputs) throw InvalidOption("table", fmt::format("has no output {}", entry.output));
  if (!(entry.weight >= lowest_weight && entry.weight <= highest_weight))
    throw InvalidOption("table", "weights must lie between 2^64 and 2^101");
}

void require_probabilities(const OptimalColumn& column) {
  for (const double probability : column.probability) {
    if (!(probability >= 0 && probability <= 1))
      throw InvalidOption("columns", "hold a number outside 0 to 1");
  }
}

}  // namespace

SparseTable::SparseTable(std::vector<std::vector<Entry>> rows, std::size_t outputs)
    : rows_(std::move(rows)), outputs_(outputs) {
  if (rows_.empty() || outputs == 0) throw InvalidOption("table", "needs an input and an output");
  if (outputs > (std::size_t{1} << 26)) throw InvalidOption("table", "has too many outputs");
  totals_.reserve(rows_.size());
  for (const auto& row : rows_) {
    Uint128 total = floor_weight * (outputs - row.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      require_entry(row[i], outputs);
      if (i > 0 && row[i].output <= row[i - 1].output)
        throw InvalidOption("table", "outputs are not in order");
      total += static_cast<Uint128>(row[i].weight);
    }
    totals_.push_back(total);
  }
}

std::uint64_t SparseTable::entry_count() const {
  std::uint64_t count = 0;
  for (const auto& row : rows_) count += row.size();
  return count;
}

random::Odds SparseTable::odds(std::size_t output, InputId input) const {
  const auto& row = rows_[input];
  const auto found =
      std::lower_bound(row.begin(), row.end(), output,
                       [](const Entry& entry, std::size_t wanted) { return entry.output < wanted; });
  const bool listed = found != row.end() && found->output == output;
  const Uint128 weight = output >= outputs_ ? 0 : listed ? static_cast<Uint128>(found->weight) : floor_weight;
  return {weight, totals_[input]};
}

WeightRow SparseTable::row(InputId input) const {
  WeightRow result{std::vector<Uint128>(outputs_, floor_weight), totals_[input]};
  for (const Entry& entry : rows_[input]) result.weights[entry.output] = static_cast<Uint128>(entry.weight);
  return result;
}

std::size_t SparseTable::draw(InputId input, random::Stream& noise) const {
  return random::choose(
      "table", noise, [&] { return drawn(input, noise); },
      [&](std::uint64_t output) { return odds(output, input); });
}

std::size_t SparseTable::drawn(InputId input, random::Stream& noise) const {
  const auto& row = rows_[input];
  Uint128 left = noise.below128(totals_[input]);
  // The listed outputs first, then the others, each a floor wide.
  for (const Entry& entry : row) {
    const auto weight = static_cast<Uint128>(entry.weight);
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
  parallel_for(outputs, {.threads = options.threads, .grain = 8}, [&](std::size_t begin, std::size_t end) {
    Extension extension(relation, epsilon_per_unit, lowest_weight / one);
    for (std::size_t o = begin; o < end; ++o) {
      const OptimalColumn& column = columns.columns[o];
      require_probabilities(column);
      const auto take = [&](InputId input, double value) { found[o].emplace_back(input, value * one); };
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
  std::vector<std::vector<SparseTable::Entry>> rows(relation.inputs());
  for (std::size_t o = 0; o < outputs; ++o) {
    for (const auto& [input, weight] : found[o])
      rows[input].push_back({static_cast<std::uint32_t>(o), weight});
    found[o] = {};
  }
  return SparseTable(std::move(rows), outputs);
}

}  // namespace fogline::kernel
