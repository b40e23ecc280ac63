// SPDX-License-Identifier: Apache-2.0
#include "fuzz_reader.hpp"
#include "path/layers.hpp"
#include "path/public_path_file.hpp"
#include "path/recover.hpp"

/// What is read is written as it was, and a reader with any roads gets an answer or a refusal.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fogline;
  return fuzz::run(data, size, "fuzz.json", fuzz::Form::tree, [&](io::TextSource& source) {
    const path::PublicPath shown = path::parse_public_path(source.read_all(), source.name());
    fuzz::require(path::parse_public_path(path::to_json(shown), "again") == shown);
    if (shown.stops.size() > 12) return;
    path::RouteMap map{.names = shown.names, .roads = graph::BitGraph(shown.names.size())};
    for (path::VertexId v = 1; v < shown.names.size(); ++v) map.roads.join(v - 1, v);
    try {
      const path::Recovered read = path::recover(map, shown, {.most_nodes = 100});
      fuzz::require(read.complete == !read.route.empty());
    } catch (const InvalidOption&) {
      // Not the roads it was published with.
    }
    const path::LayerSize layers = path::layer_size(shown.candidates.complement());
    fuzz::require(layers.copies >= shown.stops.size() && layers.copies <= 2 * shown.stops.size());
  });
}
