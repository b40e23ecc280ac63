// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "fuzz_reader.hpp"
#include "io/prior.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fogline;
  return fuzz::run(data, size, "fuzz.csv", fuzz::Form::table, [](io::TextSource& source) {
    const io::Prior prior = io::read_prior(source, io::numbered_vertices(1000));
    double sum = 0;
    for (std::size_t i = 0; i < prior.vertex.size(); ++i) {
      fuzz::require(prior.vertex[i] < 1000 && (i == 0 || prior.vertex[i - 1] < prior.vertex[i]));
      sum += prior.probability[i];
    }
    fuzz::require(std::abs(sum - 1) < 2e-6);
    return prior.vertex.size();
  });
}
