// SPDX-License-Identifier: Apache-2.0
#include "random/weight_table.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace fogline::random {
namespace {

Uint128 checked_total(std::span<const Uint128> weights) {
  Uint128 total = 0;
  for (const Uint128 weight : weights) {
    if (total + weight < total) throw InvalidOption("weights", "their total must be below 2^128");
    total += weight;
  }
  if (total == 0) throw InvalidOption("weights", "at least one must be above 0");
  return total;
}

}  // namespace

CumulativeTable::CumulativeTable(std::span<const Uint128> weights) {
  checked_total(weights);
  up_to_.reserve(weights.size());
  Uint128 sum = 0;
  for (const Uint128 weight : weights) up_to_.push_back(sum += weight);
}

std::size_t CumulativeTable::draw(Stream& noise) const {
  const Uint128 at = noise.below128(total());
  return static_cast<std::size_t>(std::upper_bound(up_to_.begin(), up_to_.end(), at) - up_to_.begin());
}

AliasTable::AliasTable(std::span<const Uint128> weights) : total_(checked_total(weights)) {
  const Uint128 size = weights.size();
  if (*std::max_element(weights.begin(), weights.end()) > ~Uint128{0} / size) {
    throw InvalidOption("weights", "number times largest must be below 2^128");
  }
  // Every column has height `total`; a weight fills weight * size of the size * total there is. Columns not
  // yet full are topped up from ones that have too much.
  columns_.resize(weights.size());
  std::vector<Uint128> left(weights.size());
  std::vector<std::size_t> low, high;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    left[i] = weights[i] * size;
    (left[i] < total_ ? low : high).push_back(i);
  }
  while (!low.empty()) {
    const std::size_t poor = low.back();
    low.pop_back();
    const std::size_t rich = high.back();
    columns_[poor] = {left[poor], rich};
    left[rich] -= total_ - left[poor];
    if (left[rich] < total_) {
      high.pop_back();
      low.push_back(rich);
    }
  }
  for (const std::size_t full : high) columns_[full] = {total_, full};
}

std::size_t AliasTable::draw(Stream& noise) const {
  const std::size_t column = noise.below(columns_.size());
  return noise.below128(total_) < columns_[column].threshold ? column : columns_[column].other;
}

}  // namespace fogline::random
