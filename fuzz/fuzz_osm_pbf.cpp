// SPDX-License-Identifier: Apache-2.0
#include "fuzz_network.hpp"
#include "roads/read_osm.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fogline;
  const std::string bytes(data, data + size);
  return fuzz::read_network_or_refuse(size, [&] {
    return roads::read_osm_memory(bytes, "pbf", "fuzz.osm.pbf", {.mode = roads::TravelMode::all});
  });
}
