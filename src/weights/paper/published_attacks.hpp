// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "weights/paper/published.hpp"

namespace fogline::weights {

/// How often an attacker was right, of a number of times.
struct AttackCount {
  std::uint64_t asked = 0;
  std::uint64_t answered = 0;  ///< the release said something
  std::uint64_t right = 0;     ///< of the answers

  double success() const;  ///< with a coin where the release said nothing
};

struct PublishedAttacks {
  AttackCount order;  ///< which of two edges of different weights is the heavier: the one released as such
  AttackCount
      equality;  ///< two edges, of equal weights half of the time: equal if released closer than the levels lie
  AttackCount
      one_edge;  ///< at the lowest or the highest weight, all others known: the nearer, after the shift of the others
  double order_bound = 1;  ///< what the paper's claim would allow: exchanging two weights moves two edges
  double other_bound = 1;  ///< of equality and one edge, which move one
};

struct PublishedAttackOptions {
  std::uint64_t edges = 1000;    ///< 10 to 1,000,000
  std::uint64_t levels = 20;     ///< weights an edge can have, evenly over the range; 2 to 1,000
  std::uint64_t releases = 400;  ///< 1 to 1,000,000: each gives one answer to each question
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0 (all cores) to 1,024
};

/// Attacks one of the paper's forms on invented weights, by drawing releases of them: edges have one of a few levels of weight each, as if weights were
/// counts or prices.
///
///     PublishedAttacks found = attack_published({.strategy = WeightsStrategy::lap_ci, .epsilon = 1, .range = WeightRange{100, 600}}, {});
///     found.order.right == found.order.answered;      // certain: the release is sorted by the private order
///
/// A success above the bound, by more than chance, contradicts the paper's claim. These attackers are simple; better ones may do better.
/// Throws InvalidOption for options outside their ranges, and without a range. Cost: `releases` releases.
PublishedAttacks attack_published(const PublishedWeights::Options& published,
                                  const PublishedAttackOptions& options);

}  // namespace fogline::weights
