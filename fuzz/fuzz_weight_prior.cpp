// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numeric>

#include "fuzz_reader.hpp"
#include "weights/estimates/prior_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fogline;
  static const auto grid = weights::WeightGrid::parse("0:50", "0.5");
  return fuzz::run(data, size, "fuzz.csv", fuzz::Form::table, [](io::TextSource& source) {
    const std::vector<double> prior = weights::read_prior(source, grid);
    fuzz::require(prior.size() == 101);
    fuzz::require(std::abs(std::accumulate(prior.begin(), prior.end(), 0.0) - 1) < 2e-6);
  });
}
