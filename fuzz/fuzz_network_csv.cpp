// SPDX-License-Identifier: Apache-2.0
#include "fuzz_network.hpp"
#include "roads/read_network_csv.hpp"

// The input is a file of nodes, a line "---" and a file of edges.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fogline;
  const auto [nodes, edges] = fuzz::two_files(data, size);
  return fuzz::read_network_or_refuse(size, [&node_text = nodes, &edge_text = edges] {
    auto node_source = io::TextSource::from_memory("nodes.csv", node_text);
    auto edge_source = io::TextSource::from_memory("edges.csv", edge_text);
    return roads::read_network_csv(node_source, edge_source);
  });
}
