// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "fuzz_edges.hpp"
#include "weights/estimates/order.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fogline;
  return fuzz::run(data, size, "fuzz.csv", fuzz::Form::table, [](io::TextSource& source) {
    const weights::EdgeRanks ranks = weights::read_ranks(source, fuzz::square());
    std::vector<double> weights = {5, 4, 3, 2, 1};
    weights::follow_ranks(ranks, weights);
    for (std::size_t a = 0; a < ranks.size(); ++a) {
      fuzz::require(weights[a] >= 1 && weights[a] <= 5);
      for (std::size_t b = 0; b < ranks.size(); ++b)
        fuzz::require(!(ranks[a] < ranks[b]) || weights[a] <= weights[b]);
    }
  });
}
