// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "audit/engine/pair.hpp"
#include "base/progress.hpp"
#include "random/key.hpp"

namespace fogline::audit {

/// Tries to show that a mechanism tells two neighbouring inputs apart better than it claims.
///
///     Finding finding = falsify(pairs, {.key = random::SeededKey(1)});
///     if (finding.broken) ...  // finding.loss_at_least > claim, or we were unlucky once in a million
///
/// How  Half of the samples are for searching: every feature of the outputs (values, differences, order, equality, lowest set bits, missing or
///      impossible numbers, the whole output as one symbol, hints, and a score learned by boosted trees) is cut into intervals, and each threshold,
///      each single value and each set of the most telling intervals is an event. The few best are counted on the other half, which the search
///      has not seen, and their probabilities bounded by Clopper and Pearson. Samples are multiplied by four until the claim is broken or they are used up.
/// Law  A right mechanism is accused with probability at most `false_alarm`, whatever the mechanism and however many events were
///      searched: the bounds hold for every sample size, and `false_alarm` is shared by all looks and all finalists of each look.
///      Several pairs are first compared on samples that are then thrown away.
/// A mechanism that is not accused is not thereby private: certificates and proofs show that, where there are any.
struct FalsifierOptions {
  random::Key key;  ///< a SeededKey: an audit reads nothing private and should be repeatable
  std::uint64_t most_samples = 200'000;  ///< of each input, at least 1,000
  std::uint64_t first_samples =
      2'000;  ///< of each input, at the first look, at least 200; the only look if there are no more
  double false_alarm = 1e-6;     ///< per run, from 1e-30 to below 1
  bool stop_when_broken = true;  ///< false: use all samples, for the highest bound
  int threads = 0;               ///< 0 (all cores) to 1,024
  Progress progress = {};
  std::function<double()> clock_s = {};  ///< seconds, for Finding::seconds; nothing else depends on it
};

struct Finding {
  bool broken = false;      ///< loss_at_least is above the claim
  double claimed_loss = 0;  ///< of the pair below
  double loss_at_least =
      0;  ///< lower bound on the loss in the judged direction(s), of the pair below; 0 if nothing was shown
  double other_way_at_least = 0;  ///< one-sided claims: the same for the direction that is not judged
  double confidence = 0;          ///< 1 - false_alarm
  std::size_t pair = 0;           ///< which
  std::string pair_words = {};
  std::string event = {};     ///< in words, with how often it was seen from either input
  std::uint64_t samples = 0;  ///< runs of the mechanism in all
  std::uint64_t events_searched = 0;
  double seconds = 0;  ///< 0 without a clock
};

/// Throws InvalidOption for bad options, no pairs, or a claim that is not a finite number from 0 on; Cancelled.
Finding falsify(std::span<const Pair> pairs, const FalsifierOptions& options);

/// The same with a generator: pair_of(0) to pair_of(count - 1) are tried, and the most promising one gets the samples. For mechanisms whose worst neighbours
/// are not known: let it draw pairs at random from a seed.
Finding falsify(const std::function<Pair(std::size_t)>& pair_of, std::size_t count,
                const FalsifierOptions& options);

}  // namespace fogline::audit
