// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "path/layers.hpp"
#include "path/public_path.hpp"

namespace fogline::report {

/// A layered graph, as it is drawn: things with names in layers, and lines between them.
struct LayerDrawing {
  struct Node {
    std::uint32_t stop = 0;
    std::int32_t layer = 0;
    bool whole = true;  ///< false: one of the parts of a stop that was split
    friend bool operator==(const Node&, const Node&) = default;
  };
  std::vector<Node> nodes;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;  ///< from the lower layer to the higher
};

LayerDrawing drawing_of(const path::LayeredGraph& layered);
LayerDrawing drawing_of(const path::PublishedLayers& layers);

/// The names of stops: of their vertices, with a number behind where a vertex has several.
std::vector<std::string> stop_names(const path::PublicPath& shown);

/// The edges that are not implied by two others, a-b and b-c for a-c: what is drawn. All of them if some a-b and b-c have no a-c, as in no layered graph of ours but in a
/// file that somebody made. Cost: edges times nodes / 64.
std::vector<std::pair<std::uint32_t, std::uint32_t>> covering_edges(const LayerDrawing& drawing);

/// Draws a layered graph, roots at the bottom, with the covering edges and the number of those left out. No line passes
/// through a node that it does not end at (report/layer_layout.hpp).
///
///     std::string svg = layers_svg(drawing_of(layers_of(shown.candidates.complement())), stop_names(shown), "A route");
///
/// Readable up to about 60 nodes; above 400 it throws InvalidOption and pairs_svg is the picture to take. Throws InvalidOption for nodes without a name,
/// edges without nodes and edges within one layer. Cost: a few sweeps over the edges.
std::string layers_svg(const LayerDrawing& drawing, std::span<const std::string> names,
                       const std::string& title);

}  // namespace fogline::report
