// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "kernel/best_guess.hpp"
#include "place/mechanism.hpp"
#include "place/tables.hpp"
#include "roads/network.hpp"

namespace fogline::place {

/// What a mechanism costs its users and leaves to an attacker, by one way of measuring distance. docs/measures.md defines each.
struct DistanceMeasures {
  double q_loss_m = 0;  ///< mean distance from truth to output
  double ae_m = 0;      ///< mean distance from truth to the guess of the optimal inference attack
  double pc = 0;        ///< ae_m / q_loss_m; 1 if both are 0
  double tp = 0;        ///< probability that this guess is the truth
  double ae_posterior_m =
      0;  ///< the same for the attacker who draws from the posterior: section 5.2 of the paper
  double pc_posterior = 0;
  double tp_posterior = 0;
  double tp_most_likely =
      0;  ///< probability that the most likely vertex is the truth: no attacker is right more often
};

struct PlaceMeasures {
  DistanceMeasures road;
  DistanceMeasures euclidean;
};

struct MeasureOptions {
  std::vector<double> prior =
      {};                  ///< probability of each vertex, known to the attacker too; empty: all alike
  int threads = 0;         ///< 0 (all cores) to 1,024
  Progress progress = {};  ///< called now and then; may cancel
};

/// Measures a mechanism exactly, from its whole table of probabilities.
///
///     PlaceMeasures all = measure(*mechanism, map, {.prior = prior});
///     all.road.q_loss_m;        // 328.8 for gem on lattice:20x20:1500 at 0.01 per metre
///
/// Reads no private record. Throws InvalidOption for a network of more than 6,000 vertices or in several pieces, and for a bad prior.
/// Cost: a row per vertex and 2 n^2 outputs floating-point operations for each distance: 0.3 s at 1,000 vertices; three tables.
PlaceMeasures measure(const VertexMechanism& mechanism, const roads::RoadNetwork& map,
                      const MeasureOptions& options = {});

/// The same from tables: `likelihood` has a column per output of `range`, `metres` a row and a column per vertex.
DistanceMeasures measure(std::span<const double> prior, const kernel::Table& likelihood,
                         const kernel::Table& metres, std::span<const graph::VertexId> range);

/// What attackers get of a mechanism with this Q_loss, by the distance both are in.
DistanceMeasures with_q_loss(const kernel::AttackMeasures& attacks, double q_loss_m);

/// Mean distance from truth to output: Q_loss by that distance.
double mean_loss_m(std::span<const double> prior, const kernel::Table& likelihood,
                   const kernel::Table& metres, std::span<const graph::VertexId> range);

}  // namespace fogline::place
