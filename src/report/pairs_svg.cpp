// SPDX-License-Identifier: Apache-2.0
#include "report/pairs_svg.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/error.hpp"
#include "report/picture.hpp"

namespace fogline::report {
namespace {

constexpr std::size_t most_cells = 160, most_named = 60, shades = 8;
constexpr double grid_px = 640, grid_margin_px = 20, grid_letter_px = 6.4;

// How many cells a side has, and how many stops a cell.
struct Grid {
  std::size_t stops, block, side;
  double cell_px;

  explicit Grid(std::size_t n)
      : stops(n),
        block((n + most_cells - 1) / most_cells),
        side((n + block - 1) / block),
        cell_px(std::min(32.0, grid_px / static_cast<double>(side))) {}
};

// Candidates and pairs of each block, rows one after the other.
struct Counts {
  std::vector<std::uint64_t> candidates, pairs;
};

Counts count_blocks(const graph::BitGraph& graph, const Grid& grid) {
  Counts counts{std::vector<std::uint64_t>(grid.side * grid.side, 0),
                std::vector<std::uint64_t>(grid.side * grid.side, 0)};
  for (graph::VertexId u = 0; u < grid.stops; ++u) {
    const std::size_t row = u / grid.block * grid.side;
    for (graph::VertexId v = 0; v < grid.stops; ++v) {
      if (u == v) continue;
      counts.pairs[row + v / grid.block] += 1;
      counts.candidates[row + v / grid.block] += graph.joined(u, v) ? 1U : 0U;
    }
  }
  return counts;
}

// One path a shade: the cells of a row that follow each other share a rectangle.
void draw_cells(Picture& picture, const Counts& counts, const Grid& grid, double left, double top) {
  std::array<std::string, shades> path;
  const auto shade_of = [&](std::size_t cell) -> std::size_t {
    if (counts.candidates[cell] == 0) return shades;
    return std::min(shades - 1, counts.candidates[cell] * shades / counts.pairs[cell]);
  };
  for (std::size_t row = 0; row < grid.side; ++row) {
    for (std::size_t begin = 0, end = 0; begin < grid.side; begin = end) {
      const std::size_t shade = shade_of(row * grid.side + begin);
      for (end = begin + 1; end < grid.side && shade_of(row * grid.side + end) == shade;) ++end;
      if (shade == shades) continue;
      const double run_px = static_cast<double>(end - begin) * grid.cell_px;
      path[shade] += fmt::format(
          "M{:.1f} {:.1f}h{:.1f}v{:.1f}h{:.1f}z", left + static_cast<double>(begin) * grid.cell_px,
          top + static_cast<double>(row) * grid.cell_px, run_px, grid.cell_px, -run_px);
    }
  }
  for (std::size_t shade = 0; shade < shades; ++shade)
    if (!path[shade].empty()) picture.put("<path class=\"share share{}\" d=\"{}\"/>\n", shade, path[shade]);
}

void draw_names(Picture& picture, const Grid& grid, std::span<const std::string> names, double left,
                double top) {
  picture.put("<g font-size=\"{:.1f}\">\n", std::min(11.0, grid.cell_px));
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double at = (static_cast<double>(i) + 0.5) * grid.cell_px;
    picture.text(left - 6, top + at + 3.6, "end", names[i]);
    picture.put("<g transform=\"translate({:.1f} {:.1f}) rotate(-90)\">\n", left + at + 3.6, top - 6);
    picture.text(0, 0, "start", names[i]);
    picture.put("</g>\n");
  }
  picture.put("</g>\n");
}

double longest_px(std::span<const std::string> names) {
  std::size_t letters = 0;
  for (const std::string& name : names) letters = std::max(letters, name.size());
  return 12 + grid_letter_px * static_cast<double>(letters);
}

Picture::Options frame(const graph::BitGraph& candidates, const Grid& grid, double width_px,
                       const std::string& title) {
  Picture::Options options{.width_px = width_px, .title = title};
  const bool single = grid.block == 1;
  options.legend = {{LegendItem::Mark::square, "share share7", single ? "candidate" : "all candidates"},
                    {LegendItem::Mark::square, "out", "ruled out"}};
  if (!single)
    options.legend.insert(options.legend.begin() + 1,
                          {LegendItem::Mark::square, "share share3", "half of them"});
  const std::size_t pairs = grid.stops * (grid.stops - 1) / 2;
  options.notes.push_back(fmt::format("{} stops; {} of {} pairs are candidates for a step of the route.",
                                      with_commas(grid.stops), with_commas(candidates.edge_count()),
                                      with_commas(pairs)));
  if (!single) options.notes.push_back(fmt::format("A cell stands for {0} by {0} pairs.", grid.block));
  return options;
}

}  // namespace

std::string pairs_svg(const graph::BitGraph& candidates, std::span<const std::string> names,
                      const std::string& title) {
  if (candidates.size() == 0 || names.size() != candidates.size())
    throw InvalidOption("names", "must be given for every stop");
  const Grid grid(candidates.size());
  const bool named = grid.block == 1 && grid.side <= most_named;
  const double names_px = named ? longest_px(names) : 0;
  const double side_px = static_cast<double>(grid.side) * grid.cell_px;
  const double left = grid_margin_px + names_px, top = 6 + names_px;
  Picture picture(frame(candidates, grid, std::max(420.0, left + side_px + grid_margin_px), title));
  picture.put("<rect class=\"out\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n", left,
              top, side_px, side_px);
  draw_cells(picture, count_blocks(candidates, grid), grid, left, top);
  if (named) draw_names(picture, grid, names, left, top);
  return picture.finish(top + side_px + 6);
}

}  // namespace fogline::report
