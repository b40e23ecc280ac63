// SPDX-License-Identifier: Apache-2.0
#include "fuzz_network.hpp"
#include "roads/read_network_csv.hpp"

// The input is a file of nodes, a line "---" and a file of edges.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fogline;
  return fuzz::run_network({.form = fuzz::Form::table, .files = fuzz::two_files(data, size)},
                           [](const fuzz::Files& files) {
                             auto nodes = io::TextSource::from_memory("nodes.csv", files[0]);
                             auto edges = io::TextSource::from_memory("edges.csv", files[1]);
                             return roads::read_network_csv(nodes, edges);
                           });
}
