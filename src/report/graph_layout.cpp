// SPDX-License-Identifier: Apache-2.0
#include "report/graph_layout.hpp"

#include <cmath>
#include <numbers>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/fruchterman_reingold.hpp>
#include <boost/graph/topology.hpp>

#include "base/error.hpp"

namespace fogline::report {

std::vector<geometry::PointXY> graph_layout(std::size_t vertices,
                                            std::span<const std::pair<std::uint32_t, std::uint32_t>> edges) {
  if (vertices > most_laid_out) throw InvalidOption("graph", "has more vertices than can be placed");
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;
  using Square = boost::square_topology<>;
  constexpr double side = 1000;
  const Graph graph(edges.begin(), edges.end(), vertices);
  const Square square(side);
  std::vector<Square::point_type> place(vertices);
  for (std::size_t v = 0; v < vertices; ++v) {
    const double turn = 2 * std::numbers::pi * static_cast<double>(v) / static_cast<double>(vertices);
    place[v][0] = side / 3 * std::cos(turn);
    place[v][1] = side / 3 * std::sin(turn);
  }
  const auto index = boost::get(boost::vertex_index, graph);
  if (vertices > 2)
    boost::fruchterman_reingold_force_directed_layout(
        graph, boost::make_iterator_property_map(place.begin(), index), square,
        boost::cooling(boost::linear_cooling<double>(120)).force_pairs(boost::all_force_pairs()));
  std::vector<geometry::PointXY> result(vertices);
  for (std::size_t v = 0; v < vertices; ++v) result[v] = {place[v][0], place[v][1]};
  return result;
}

}  // namespace fogline::report
