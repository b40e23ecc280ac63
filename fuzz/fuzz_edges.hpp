// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz_reader.hpp"
#include "io/graph_file.hpp"

namespace fogline::fuzz {

/// A small graph, named by the inputs of readers that name edges: a square with one diagonal, a b c d.
inline const io::GraphTable& square() {
  static const io::GraphTable graph = [] {
    io::TextSource source =
        io::TextSource::from_memory("graph.csv", "source,target,weight\na,b,1\nb,c,1\nc,d,1\nd,a,1\na,c,1\n");
    return io::read_graph(source, {.format = io::GraphFormat::csv});
  }();
  return graph;
}

}  // namespace fogline::fuzz
