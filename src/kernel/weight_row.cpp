// SPDX-License-Identifier: Apache-2.0
#include "kernel/weight_row.hpp"

#include <string_view>

#include <fmt/format.h>

#include "base/error.hpp"

namespace fogline::kernel {
namespace {

[[noreturn]] void refuse(std::uint32_t input, std::string_view problem) {
  throw InvalidOption("kernel", fmt::format("the row of input {} {}", input, problem));
}

}  // namespace

void require_distribution(const WeightRow& row, std::uint32_t input) {
  Uint128 sum = 0;
  for (const Uint128 weight : row.weights) {
    sum += weight;
    if (sum < weight) refuse(input, "has weights that add up to 2^128 or more");
  }
  if (sum == 0) refuse(input, "has no weight above 0");
  if (sum != row.total) refuse(input, "has a total that is not the sum of its weights");
}

}  // namespace fogline::kernel
