// SPDX-License-Identifier: Apache-2.0
#include "fuzz_network.hpp"
#include "roads/read_dimacs.hpp"

// The input is a .co file, a line "---" and a .gr file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fogline;
  const auto [places, arcs] = fuzz::two_files(data, size);
  return fuzz::read_network_or_refuse(size, [&place_text = places, &arc_text = arcs] {
    auto place_source = io::TextSource::from_memory("fuzz.co", place_text);
    auto arc_source = io::TextSource::from_memory("fuzz.gr", arc_text);
    return roads::read_dimacs(arc_source, place_source);
  });
}
