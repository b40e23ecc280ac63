// SPDX-License-Identifier: Apache-2.0
#include "fuzz_network.hpp"
#include "roads/read_dimacs.hpp"

// The input is a .co file, a line "---" and a .gr file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fogline;
  return fuzz::run_network({.form = fuzz::Form::lines, .files = fuzz::two_files(data, size)},
                           [](const fuzz::Files& files) {
                             auto places = io::TextSource::from_memory("fuzz.co", files[0]);
                             auto arcs = io::TextSource::from_memory("fuzz.gr", files[1]);
                             return roads::read_dimacs(arcs, places);
                           });
}
