// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "audit/engine/exact.hpp"
#include "audit/engine/falsifier.hpp"
#include "audit/engine/replay.hpp"
#include "audit/kinds/edge_draws.hpp"
#include "audit/specimens/published_weights_cases.hpp"
#include "base/progress.hpp"
#include "weights/mechanisms/mechanism.hpp"

namespace fogline::audit {

struct WeightsAuditOptions {
  weights::Rounding rounding =
      weights::Rounding::refuse;    ///< as in the release; it counts in the sensitivity
  std::uint64_t samples = 100'000;  ///< draws of each quarter of the grid, 1,000 to 10^8
  double false_alarm = 1e-7;        ///< of all that is drawn, per audit; 1e-12 to 1e-6
  int threads = 0;                  ///< 0 (all cores) to 1,024
  Progress progress = {};           ///< told of every stage; may cancel

  static constexpr std::uint64_t public_seed = EdgeDrawsOptions::public_seed;
};

/// The rule that noise follows, and what it loses: exact but for `law_loss`.
struct NoiseRule {
  bool holds = false;
  std::uint64_t declared_steps = 0;  ///< the sensitivity that the mechanism's noise is made for
  std::uint64_t steps = 0;           ///< the sensitivity, worked out anew: audit/kinds/neighbour_steps.hpp
  double loss = 0;                   ///< epsilon times steps / declared
  double law_loss =
      0;  ///< the largest loss of the law that the mechanism states, over shifts and outputs looked at
  std::uint64_t largest_shift = 0;  ///< of one edge between neighbours
  std::uint64_t shifts = 0;         ///< looked at: all from 1 to the largest, or 4,096 of them
};

/// Audits a sound mechanism for edge weights: its loss, and whether its draws follow its law.
///
///     auto blocks = weights::make_mechanism({.name = "blocks", .epsilon = {10, 1}, .grid = WeightGrid::parse("100:600", "1")});
///     WeightsAudit audit = audit_weights(*blocks);
///     if (!audit.passed) std::cerr << audit.sentence;
///
/// Tables (outputs() above 0): the exact certificate over any two points of the grid. Noise: the sensitivity is worked out anew from unit, grid
/// and rounding (audit/kinds/neighbour_steps.hpp) and compared, as whole numbers, with the one the noise is made for; then the law that the mechanism states
/// (log_weight) is compared between points at every distance that neighbours may have. Both: draws from weights all over the grid are compared
/// with the table or the law, and pairs of edges with independent ones (audit/kinds/edge_draws.hpp).
///
/// One edge is enough if each edge is drawn by itself from its own weight: then the ratio for a graph is the product of the edges' ratios, and
/// neighbours differ in one edge, or, for a trip, in at most L edges whose losses add up: `edges_that_differ`. That condition is argued from the
/// mechanism's code; the pairs can contradict it, not prove it.
///
/// Reads no private record. Everything is drawn from SeededKey(public_seed). Cost: O(points * outputs), 5 * samples draws, and for noise at most 10^7 looks at
/// the law. Limits: noise whose scale (sensitivity / epsilon) is at most 100,000 steps.
struct WeightsAudit {
  bool passed = false;
  bool certified =
      false;  ///< the loss by a table or a rule, and nothing drawn contradicts: always the same as passed
  double loss_low = 0;  ///< of a whole unit of protection
  double loss_high = 0;
  double share_of_epsilon = 0;
  std::uint64_t edges_that_differ = 1;     ///< between neighbours, at most
  std::optional<ExactVerdict> table = {};  ///< of a mechanism with a table
  std::optional<NoiseRule> rule = {};      ///< of noise
  EdgeDraws draws = {};
  std::string sentence = {};
};

/// Throws InvalidOption for an option out of range, or a mechanism with neither table nor a declared sensitivity; Cancelled.
WeightsAudit audit_weights(const weights::EdgeMechanism& mechanism, const WeightsAuditOptions& options = {});

struct PublishedWeightsAuditOptions {
  std::uint64_t most_samples = 200'000;  ///< of each input, at least 1,000
  double false_alarm = 1e-6;             ///< of the falsifier
  int threads = 0;                       ///< 0 (all cores) to 1,024
  Progress progress = {};

  static constexpr std::uint64_t public_seed = 1;
};

/// What a published form's claim is worth, on two graphs that its paper calls neighbours.
///
///     PublishedWeightsAudit mb_ci = audit_published_weights("mb-ci", {.epsilon = 1});
///     mb_ci.finding.loss_at_least;         // 7.2 or so, where 1 is claimed
///
/// The falsifier uses all its samples, for the highest bound they give; more than about ln(samples) - 4 no sample can show. Record and
/// replay needs no such luck: it sees private data that goes round the noise, at any epsilon.
struct PublishedWeightsAudit {
  bool broken = false;  ///< by either
  Finding finding = {};
  ReplayFinding replayed = {};
  std::string claim = {};   ///< the paper's, in words
  std::string reason = {};  ///< why it does not hold; of lap, why it does
  std::string sentence = {};
};

/// Throws InvalidOption as published_weights_case and falsify; Cancelled.
PublishedWeightsAudit audit_published_weights(std::string_view mechanism,
                                              const PublishedWeightsSettings& settings,
                                              const PublishedWeightsAuditOptions& options = {});

}  // namespace fogline::audit
