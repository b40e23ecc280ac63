// SPDX-License-Identifier: Apache-2.0
#include "fuzz_graph.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fogline;
  return fuzz::run(data, size, "fuzz.csv", fuzz::Form::table,
                   [](io::TextSource& source) { return fuzz::check_graph(source); });
}
