// SPDX-License-Identifier: Apache-2.0
#include "fuzz_network.hpp"
#include "roads/read_network.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fogline;
  const std::string specification(data, data + size);
  // Every seed draws a sound city, in a second: too slow for here, and tested elsewhere.
  if (specification.starts_with("city:")) return 0;
  // What is made, and not read, has no limits of reading.
  fuzz::accept_or_refuse([&] { fuzz::check_network(roads::make_network(specification)); });
  return 0;
}
