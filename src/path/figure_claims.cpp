// SPDX-License-Identifier: Apache-2.0
#include "path/figure_claims.hpp"

#include <numeric>

#include <fmt/format.h>

namespace fogline::path {

std::uint64_t runs_of(const FigureOptions& options) {
  return options.quick ? 5 : 1'000;
}

std::string series_of(std::uint32_t vertices) {
  return fmt::format("{} vertices", vertices);
}

std::string data_of(const std::string& maps, std::uint64_t runs) {
  return fmt::format("{}; {} of each, drawn with a fixed seed", maps, runs);
}

double mean_of(const std::vector<double>& values) {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

bool rises(const std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  return mean_of({values.begin(), middle}) < mean_of({middle, values.end()});
}

}  // namespace fogline::path
