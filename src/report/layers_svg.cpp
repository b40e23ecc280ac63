// SPDX-License-Identifier: Apache-2.0
#include "report/layers_svg.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "report/layer_layout.hpp"
#include "report/picture.hpp"

namespace fogline::report {
namespace {

using Node = LayerDrawing::Node;
using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
constexpr std::size_t most_nodes = 400;
constexpr double pill_px = 24, letter_px = 7.4;

void require_drawing(const LayerDrawing& drawing, std::span<const std::string> names) {
  if (drawing.nodes.size() > most_nodes) {
    throw InvalidOption("layers", "are too many to draw: at most 400 copies; draw the pairs instead");
  }
  for (const Node& node : drawing.nodes)
    if (node.stop >= names.size()) throw InvalidOption("names", "must be given for every stop");
  for (const auto& [u, v] : drawing.edges)
    if (std::max(u, v) >= drawing.nodes.size()) throw InvalidOption("edges", "must join two nodes");
}

// A stop is split if it has several nodes.
void mark_parts(std::vector<Node>& nodes) {
  std::vector<std::uint32_t> count;
  for (const Node& node : nodes) {
    if (node.stop >= count.size()) count.resize(node.stop + 1, 0);
    ++count[node.stop];
  }
  for (Node& node : nodes) node.whole = count[node.stop] == 1;
}

// What each node is joined to above it and below it, as bits.
class Sides {
 public:
  explicit Sides(const LayerDrawing& drawing)
      : words_((drawing.nodes.size() + 63) / 64), above_(drawing.nodes.size() * words_, 0), below_(above_) {
    for (const auto& [u, v] : drawing.edges) {
      above_[u * words_ + v / 64] |= std::uint64_t{1} << (v % 64);
      below_[v * words_ + u / 64] |= std::uint64_t{1} << (u % 64);
    }
  }
  // Some node lies above u and below v.
  bool implied(std::size_t u, std::size_t v) const {
    for (std::size_t w = 0; w < words_; ++w)
      if ((above_[u * words_ + w] & below_[v * words_ + w]) != 0) return true;
    return false;
  }
  // All that is above v is above u.
  bool carried(std::size_t u, std::size_t v) const {
    for (std::size_t w = 0; w < words_; ++w)
      if ((above_[v * words_ + w] & ~above_[u * words_ + w]) != 0) return false;
    return true;
  }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> above_, below_;
};

// A file can hold layers of which two edges imply no third; then every edge must be drawn.
bool is_transitive(const LayerDrawing& drawing) {
  const Sides sides(drawing);
  return std::all_of(drawing.edges.begin(), drawing.edges.end(),
                     [&](const auto& edge) { return sides.carried(edge.first, edge.second); });
}

std::vector<double> pill_widths(const LayerDrawing& drawing, std::span<const std::string> names) {
  std::vector<double> widths;
  for (const Node& node : drawing.nodes)
    widths.push_back(std::max(pill_px + 6, 14 + letter_px * static_cast<double>(names[node.stop].size())));
  return widths;
}

LayerLayoutInput shape_of(const LayerDrawing& drawing, const Edges& edges, std::vector<double> widths) {
  LayerLayoutInput input{.layer = {}, .width_px = std::move(widths), .edges = edges};
  for (const Node& node : drawing.nodes) input.layer.push_back(node.layer);
  return input;
}

// Upright within the band of a row, bent between two of them.
void draw_edges(Picture& picture, const LayerLayout& layout) {
  // On the group, not the lines: where two lines share their way, they look as one.
  picture.put("<g opacity=\"{:.2f}\">\n", layout.line.size() > 40 ? 0.75 : 1.0);
  for (const auto& line : layout.line) {
    picture.put("<path class=\"edge\" d=\"M{:.1f} {:.1f}", line.front().x, line.front().y);
    for (std::size_t i = 1; i < line.size(); ++i) {
      const double below = line[i - 1].y - half_band_px, above = line[i].y + half_band_px;
      const double bend = (below - above) * 0.5;
      picture.put("V{:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}V{:.1f}", below, line[i - 1].x,
                  below - bend, line[i].x, above + bend, line[i].x, above, line[i].y);
    }
    picture.put("\"/>\n");
  }
  picture.put("</g>\n");
}

void draw_nodes(Picture& picture, const LayerLayout& layout, const LayerDrawing& drawing,
                std::span<const double> widths, std::span<const std::string> names) {
  for (std::size_t i = 0; i < drawing.nodes.size(); ++i) {
    const Node& node = drawing.nodes[i];
    const auto& [x, y] = layout.node[i];
    picture.put(
        "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.0f}\" rx=\"{:.0f}\"/>\n",
        node.whole ? "whole" : "piece", x - widths[i] / 2, y - pill_px / 2, widths[i], pill_px, pill_px / 2);
    picture.text(x, y + 4.3, "middle", names[node.stop], node.whole ? "onwhole" : "ink");
  }
}

Picture::Options frame(const LayerDrawing& drawing, const Edges& drawn, double width_px,
                       const std::string& title) {
  Picture::Options options{.width_px = width_px, .title = title};
  const auto whole = static_cast<std::size_t>(
      std::count_if(drawing.nodes.begin(), drawing.nodes.end(), [](const Node& node) { return node.whole; }));
  if (whole > 0) options.legend.push_back({LegendItem::Mark::pill, "whole", "a stop"});
  if (whole < drawing.nodes.size())
    options.legend.push_back({LegendItem::Mark::pill, "piece", "a part of a split stop"});
  options.legend.push_back({LegendItem::Mark::line, "edge", "ruled out as a step"});
  if (!is_transitive(drawing)) {
    options.notes.emplace_back(
        "Roots at the bottom. The two ends of a line are ruled out as a step of the route; what two lines "
        "join through "
        "a third stop is not.");
    return options;
  }
  std::string note = "Roots at the bottom. Stops on one rising line are ruled out as a step of the route.";
  if (drawn.size() < drawing.edges.size())
    note += fmt::format(" {} of {} edges are drawn; the others follow from two drawn ones.",
                        with_commas(drawn.size()), with_commas(drawing.edges.size()));
  options.notes.push_back(std::move(note));
  return options;
}

}  // namespace

LayerDrawing drawing_of(const path::LayeredGraph& layered) {
  LayerDrawing drawing;
  for (const path::LayerCopy& copy : layered.copies)
    drawing.nodes.push_back({copy.stop, static_cast<std::int32_t>(copy.layer), true});
  drawing.edges = layered.edges;
  mark_parts(drawing.nodes);
  return drawing;
}

LayerDrawing drawing_of(const path::PublishedLayers& layers) {
  LayerDrawing drawing;
  for (const path::LayerPiece& piece : layers.pieces)
    drawing.nodes.push_back({piece.stop, piece.layer, true});
  for (const auto& [u, v] : layers.edges) {
    const bool rises = layers.pieces[u].layer <= layers.pieces[v].layer;
    drawing.edges.emplace_back(rises ? u : v, rises ? v : u);
  }
  mark_parts(drawing.nodes);
  return drawing;
}

std::vector<std::string> stop_names(const path::PublicPath& shown) {
  std::vector<std::string> names;
  for (path::StopId stop = 0; stop < shown.stops.size(); ++stop) {
    const path::VertexId vertex = shown.stops.vertex(stop);
    names.push_back(shown.names[vertex]);
    if (shown.stops.of_vertex(vertex) > 1)
      names.back() += fmt::format("#{}", stop - shown.stops.first(vertex) + 1);
  }
  return names;
}

Edges covering_edges(const LayerDrawing& drawing) {
  if (!is_transitive(drawing)) return drawing.edges;
  const Sides sides(drawing);
  Edges covering;
  for (const auto& [u, v] : drawing.edges)
    if (!sides.implied(u, v)) covering.emplace_back(u, v);
  return covering;
}

std::string layers_svg(const LayerDrawing& drawing, std::span<const std::string> names,
                       const std::string& title) {
  require_drawing(drawing, names);
  const Edges edges = covering_edges(drawing);
  const std::vector<double> widths = pill_widths(drawing, names);
  const LayerLayout layout = lay_out(shape_of(drawing, edges, widths));
  Picture picture(frame(drawing, edges, layout.width_px, title));
  draw_edges(picture, layout);
  draw_nodes(picture, layout, drawing, widths, names);
  return picture.finish(layout.height_px);
}

}  // namespace fogline::report
