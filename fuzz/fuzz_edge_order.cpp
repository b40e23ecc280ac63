// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "fuzz_edges.hpp"
#include "weights/estimates/order.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fogline;
  return fuzz::run(data, size, "fuzz.csv", fuzz::Form::table, [](io::TextSource& source) {
    const std::vector<weights::OrderPair> pairs = weights::read_order(source, fuzz::square());
    std::vector<double> weights = {5, 4, 3, 2, 1};
    // What the reader accepts has no circle.
    fuzz::require_accepted([&] { weights::follow_order(pairs, weights); });
    for (const weights::OrderPair& pair : pairs)
      fuzz::require(weights[pair.lower] <= weights[pair.upper] + 1e-9);
    return pairs.size();
  });
}
