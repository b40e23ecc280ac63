// SPDX-License-Identifier: Apache-2.0
#include "fuzz_network.hpp"
#include "roads/read_osm.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fogline;
  // Another library reads it, and is told by the name whether it is packed.
  return fuzz::run_network(
      {.form = fuzz::Form::other, .files = {std::string(data, data + size)}, .unpacks = false},
      [](const fuzz::Files& files) {
        return roads::read_osm_memory(files[0], "pbf", "fuzz.osm.pbf", {.mode = roads::TravelMode::all});
      });
}
