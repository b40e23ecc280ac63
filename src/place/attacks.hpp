// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "kernel/best_guess.hpp"
#include "place/mechanism.hpp"
#include "place/tables.hpp"

namespace fogline::place {

/// Attackers of one report, by what they use. All know the mechanism, the network and the prior, and are measured in road metres.
///
///     for (const Attacker& attacker : attackers(prior, likelihood, metres, range)) print(attacker.name, attacker.error_m);
///
/// "prior only" looks at no report: what is left when the mechanism says nothing. "believes" takes the output for the truth, "most likely"
/// the likeliest vertex, "posterior" draws from the posterior, "optimal" takes the vertex of least expected distance.
struct Attacker {
  std::string name;
  double error_m = 0;  ///< mean distance from guess to truth
  double tp = 0;       ///< probability that the guess is the truth
};
std::vector<Attacker> attackers(std::span<const double> prior, const kernel::Table& likelihood,
                                const kernel::Table& metres, std::span<const graph::VertexId> range);

/// Somebody who knows beforehand that the truth lies in a neighbourhood N, all vertices within a radius of some centre, and then sees a report.
struct InformedOptions {
  double radius_m = 0;  ///< above 0 to 10,000,000
  std::size_t most_centres =
      400;  ///< neighbourhoods to average over, at least 1; a public sample of the vertices beyond
  Progress progress = {};
};

struct InformedAttack {
  std::size_t centres = 0;       ///< neighbourhoods that were averaged
  double vertices = 0;           ///< mean size of N
  double error_before_m = 0;     ///< of the best guess within N without the report
  double error_m = 0;            ///< of the best guess with it
  double tp_before = 0, tp = 0;  ///< probability that the likeliest vertex is the truth, without and with it
  double largest_ratio_log = 0;  ///< largest |ln(posterior / prior)| over all N, vertices of N and outputs
  double bound_there = 0;        ///< epsilon times the diameter of that N: section 3.4.2 of the paper
  double largest_share_of_bound =
      0;  ///< largest of |ln ratio| / bound over all N; at most 1 if the guarantee holds
};

/// Averages over centres drawn from the prior (all vertices of positive prior, or a public sample of them); within N the truth follows the
/// prior restricted to N. Throws InvalidOption for a bad option. Cost: for each centre |N|^2 outputs floating-point operations.
InformedAttack informed_attack(std::span<const double> prior, const kernel::Table& likelihood,
                               const kernel::Table& metres, double epsilon_per_m,
                               const InformedOptions& options);

}  // namespace fogline::place
