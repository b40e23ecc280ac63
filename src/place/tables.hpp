// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/progress.hpp"
#include "kernel/best_guess.hpp"
#include "place/mechanism.hpp"
#include "roads/network.hpp"

namespace fogline::place {

/// Whole tables of a small network, for measures, attacks and the optimised range.
///
///     kernel::Table metres = road_table_m(map.graph, {.threads = 2});
///     kernel::Table likelihood = likelihood_table(*mechanism, {.threads = 2});     // a row per vertex, a column per output
///
/// Limits: networks of at most `most_vertices`; at 6,000 a table takes 288 MB. All throw InvalidOption beyond. No release looks at them.
struct TableOptions {
  static constexpr std::size_t most_vertices = 6000;

  int threads = 0;         ///< 0 (all cores) to 1,024
  Progress progress = {};  ///< called now and then; may cancel
};

/// P(output | vertex), outputs in the order of mechanism.range().
kernel::Table likelihood_table(const VertexMechanism& mechanism, const TableOptions& options = {});

/// Road distances between all vertices. Throws InvalidOption also if the network is in several pieces: then some are infinite.
kernel::Table road_table_m(const graph::Graph& graph, const TableOptions& options = {});

/// Straight distances on the plane laid at the centre of the network.
kernel::Table straight_table_m(const roads::RoadNetwork& map, const TableOptions& options = {});

/// The prior as it is, or all vertices alike if it is empty. Throws InvalidOption if it has another size, a number that is negative or not
/// finite, or a sum that is not 1 within 10^-6.
std::vector<double> prior_or_uniform(const std::vector<double>& prior, std::size_t vertex_count);

}  // namespace fogline::place
