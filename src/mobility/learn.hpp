// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.hpp"
#include "mobility/sequences.hpp"
#include "mobility/state_space.hpp"
#include "mobility/trips.hpp"
#include "roads/network.hpp"

namespace fogline::mobility {

/// Which steps are thought possible before any is seen: for each state the next ones, itself among them.
struct Neighbourhood {
  std::vector<std::uint64_t> offset = {0};
  std::vector<StateId> state = {};  ///< increasing for each state

  std::size_t states() const { return offset.size() - 1; }
  std::span<const StateId> of(StateId s) const {
    return std::span(state).subspan(offset[s], offset[s + 1] - offset[s]);
  }
};

Neighbourhood grid_neighbourhood(const CellGrid& grid);  ///< the cell and the up to 8 around it
Neighbourhood graph_neighbourhood(
    const graph::Graph& graph);  ///< the vertex and those one edge away, whatever way it leads
Neighbourhood seen_neighbourhood(const StateSequences& sequences,
                                 std::size_t states);  ///< itself and what ever followed it

/// The most cells that a grid is laid out with.
inline constexpr std::uint64_t most_learned_cells = 250'000;

/// Square cells over the box that holds all points of the trips, on the plane around its centre. All cells are states, whether a trip was
/// there or not. Throws InvalidOption for a side that is not above 0, or more than 250,000 cells.
StateSpace grid_over(const Trips& trips, double cell_m);

/// The vertices of a road network by their names, measured on the plane around their centre.
StateSpace network_space(const roads::RoadNetwork& network);

/// Where sequences begin.
enum class FirstState {
  counted,    ///< where those seen began, smoothed
  uniform,    ///< every state alike
  stationary  ///< the long-run distribution of the transitions learned
};

struct LearnOptions {
  double smoothing =
      0.1;  ///< added to the count of every step thought possible and of every start; 0 to 1,000
  FirstState first = FirstState::counted;
};

/// Learns how states follow each other by counting, from public sequences.
///
///     StateSpace space = grid_over(trips, 340);
///     MarkovModel chain = learn_counts(locate(trips, space), grid_neighbourhood(*space.grid), {});
///
/// A state that was never left goes to its neighbourhood, evenly. Steps seen outside the neighbourhood count too. With smoothing 0, what was
/// never seen is impossible. Throws InvalidOption for options out of range or sequences of other states.
/// Cost: a sort of the steps.
MarkovModel learn_counts(const StateSequences& sequences, const Neighbourhood& possible,
                         const LearnOptions& options);

/// The natural logarithm of the probability of all steps, the starts left out; minus infinity if one is impossible.
double log_likelihood_of_steps(const MarkovModel& chain, const StateSequences& sequences);

}  // namespace fogline::mobility
